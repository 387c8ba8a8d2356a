"""Decide who joins a game, when it starts, and when it is called off."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; a game that forms now starts when it is full, as before."""
    op.add_column("games", sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("games", sa.Column("call_off_at", sa.DateTime(timezone=True), nullable=True))
    drawn = sa.Column("code_number", sa.Integer(), nullable=False, server_default="0")
    op.add_column("games", drawn)
    op.create_table(
        "admissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("wish", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_admissions_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_admissions_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admissions")),
    )
    op.create_index(op.f("ix_admissions_game_id"), "admissions", ["game_id"], unique=False)
    op.create_index(op.f("ix_admissions_person_id"), "admissions", ["person_id"], unique=False)
