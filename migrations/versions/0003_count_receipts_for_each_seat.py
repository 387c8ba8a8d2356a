"""Count the receipts of letters for each seat, not for the whole site."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; earlier letters keep the number that people have seen, which was their id."""
    op.add_column("inbox", sa.Column("receipt", sa.Integer(), nullable=True))
    op.execute("UPDATE inbox SET receipt = id")
    columns = ["game_id", "seat_number", "receipt"]
    op.create_index("ix_inbox_receipt", "inbox", columns, unique=True)
