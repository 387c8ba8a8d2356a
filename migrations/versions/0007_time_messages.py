"""Let players choose when their messages are delivered."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; no message had a time before."""
    op.add_column("press", sa.Column("wanted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("press", sa.Column("lead_seconds", sa.Integer(), nullable=True))
