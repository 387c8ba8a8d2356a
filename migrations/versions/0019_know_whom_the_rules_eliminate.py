"""Know which seats the rules have eliminated, and since which turn."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Begin with none; the next turn of each game says who is out."""
    op.add_column("seats", sa.Column("out_turn", sa.Integer(), nullable=False, server_default="0"))
