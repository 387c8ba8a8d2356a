"""Keep what the last email of each GM changed, so that UNDO takes it back."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Begin with nothing to take back."""
    last = sa.Column("last_change", sa.JSON(none_as_null=True), nullable=True)
    op.add_column("game_masters", last)
