"""Seat robots: a seat without a player can have one, of a strength."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; no seat has a robot yet."""
    op.add_column("seats", sa.Column("robot", sa.String(), nullable=True))
