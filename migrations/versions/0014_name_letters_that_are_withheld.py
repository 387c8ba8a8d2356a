"""Name the letters that an IMAP server lists and does not give."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for every mailbox."""
    column = sa.Column("withheld", sa.JSON(), server_default="[]", nullable=False)
    op.add_column("mailbox_cursors", column)
