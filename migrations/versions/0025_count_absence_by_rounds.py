"""Count turns that are parts of one round once among those that a player has missed."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Take every turn until now for a round of its own."""
    with op.batch_alter_table("attendances") as batch_op:
        batch_op.add_column(sa.Column("round", sa.Integer(), nullable=True))
    op.execute("UPDATE attendances SET round = turn")
    with op.batch_alter_table("attendances") as batch_op:
        batch_op.alter_column("round", nullable=False)
