"""Mark the sheets that a GM filed for a seat without an active player."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; no GM has filed a sheet before."""
    op.add_column(
        "sheets", sa.Column("by_gm", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
