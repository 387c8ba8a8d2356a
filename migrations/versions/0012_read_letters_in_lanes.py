"""Read letters in lanes: replies first, then letters of people we know, then those of others."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a turn waits for every letter that came before it, as until now."""
    op.add_column("inbox", sa.Column("lane", sa.Integer(), server_default="1", nullable=False))
    op.drop_index("ix_inbox_state_id", "inbox")
    op.create_index("ix_inbox_state_lane_id", "inbox", ["state", "lane", "id"])
