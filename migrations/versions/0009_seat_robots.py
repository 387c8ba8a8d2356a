"""Robots: a seat without a player can have one, and a person can play against robots only."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; no seat has a robot, and no game is for one person yet."""
    op.add_column("seats", sa.Column("robot", sa.String(), nullable=True))
    one = sa.Column("for_one", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("games", one)
