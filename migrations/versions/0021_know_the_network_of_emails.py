"""Know the network that handed an email over."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for every email that came before."""
    op.add_column("inbox", sa.Column("network", sa.String(), server_default="", nullable=False))
