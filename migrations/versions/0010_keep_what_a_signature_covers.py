"""What a signature covers: a signed letter is always read as if it had no other fields."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; the letters before were read with all their fields."""
    op.add_column("inbox", sa.Column("covers", sa.String(), nullable=True))
