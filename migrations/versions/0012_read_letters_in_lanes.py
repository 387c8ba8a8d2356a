"""Read letters in lanes: replies first, then letters of people we know, then those of others."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; a turn waits for every letter that came before it, as until now."""
    no = sa.false()
    op.add_column("inbox", sa.Column("lane", sa.Integer(), server_default="1", nullable=False))
    op.add_column("inbox", sa.Column("is_last", sa.Boolean(), server_default=no, nullable=False))
    op.drop_index("ix_inbox_state_id", "inbox")
    columns = ["state", "lane", "is_last", "id"]
    op.create_index("ix_inbox_state_lane_is_last_id", "inbox", columns)
