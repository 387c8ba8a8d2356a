"""Keep moves of any moment after outages, and since when the time is not trusted."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of moves again; it is empty then."""
    op.drop_table("postponements")
    op.create_table(
        "postponements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("after", sa.DateTime(timezone=True), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_postponements_game_id_games")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_postponements")),
    )
    op.create_index(op.f("ix_postponements_game_id"), "postponements", ["game_id"])
    op.create_index(op.f("ix_postponements_moved_at"), "postponements", ["moved_at"])
    op.create_index("ix_postponements_what_after", "postponements", ["what", "after"])
    for name in ("settled_at", "doubted_at"):
        op.add_column("heartbeats", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
