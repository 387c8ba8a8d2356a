"""Book what emails cost in one table; every purse is full again."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Draw the table in place of the three that counted answers, octets and wrong codes."""
    op.create_table(
        "bookings",
        sa.Column("thing", sa.String(20), nullable=False),
        sa.Column("purse", sa.String(), nullable=False),
        sa.Column("minute", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("thing", "purse", "minute"),
    )
    op.create_index("ix_bookings_minute", "bookings", ["minute"])
    op.execute("UPDATE outbox SET share = 'others' WHERE share = 'strangers'")
    for table in ("reply_counts", "intake_counts", "wrong_codes"):
        op.drop_table(table)
