"""The addresses that sign: an unsigned email is asked about if its sender's others are signed."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of nobody is it known yet."""
    op.add_column("people", sa.Column("signs", sa.String(), nullable=True))
