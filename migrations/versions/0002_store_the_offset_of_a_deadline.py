"""Store the UTC offset of a deadline, so that it keeps its local hour under new zone data."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a deadline that was set before has no offset, and stays where it is."""
    op.add_column("games", sa.Column("deadline_offset_seconds", sa.Integer(), nullable=True))
