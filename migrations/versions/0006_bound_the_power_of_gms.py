"""Bound what GMs can do (sheets, holds, silence), and store their packs of house rules."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; no GM has filed a sheet before, and each can hold a turn as long as any."""
    op.add_column(
        "sheets", sa.Column("by_gm", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    ends = sa.Column("hold_ends_at", sa.DateTime(timezone=True), nullable=True)
    op.add_column("games", ends)
    week = sa.Column("hold_seconds", sa.Integer(), server_default="604800", nullable=False)
    op.add_column("games", week)
    resumed = sa.Column("resumed_turn", sa.Integer(), server_default="0", nullable=False)
    op.add_column("games", resumed)
    heard = sa.Column("heard_at", sa.DateTime(timezone=True), nullable=True)
    op.add_column("game_masters", heard)
    op.create_table(
        "rule_packs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("schedule", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("press", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("of_ruleset", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "name"),
    )
    op.create_index("ix_rule_packs_person_id", "rule_packs", ["person_id"])
