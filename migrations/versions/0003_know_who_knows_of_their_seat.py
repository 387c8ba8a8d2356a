"""Know which players have written for a seat that a GM gave them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the moment; of the players of earlier seats, all count as heard."""
    op.add_column("seats", sa.Column("heard_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE seats SET heard_at = joined_at")
