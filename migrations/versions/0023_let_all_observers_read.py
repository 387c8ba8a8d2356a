"""Let all observers of a game read: a GM cannot remove one of them."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forget those who were removed, so that they get no reports."""
    removed = sa.table("observers", sa.column("removed", sa.Boolean()))
    op.execute(removed.delete().where(removed.c.removed.is_(True)))
    op.drop_column("observers", "removed")
