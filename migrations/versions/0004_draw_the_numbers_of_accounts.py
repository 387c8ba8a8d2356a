"""Draw the number of an account, so that it does not count the people of the site."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; those who have an account keep its number, which is not stored."""
    op.add_column("people", sa.Column("drawn_account", sa.Integer(), nullable=True))
    op.create_index("ix_people_drawn_account", "people", ["drawn_account"], unique=True)
