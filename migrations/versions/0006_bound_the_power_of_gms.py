"""Bound the power of GMs: sheets that they file, how long they hold a turn, and silence."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0004"
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
