"""Decide when a game starts, and when it is called off."""

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
