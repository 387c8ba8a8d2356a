"""Count turns that are parts of one round once among those that a player has missed."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Take every turn until now for a round of its own."""
    number = sa.Column("round", sa.Integer(), nullable=False, server_default="0")
    op.add_column("attendances", number)
    op.execute("UPDATE attendances SET round = turn")
