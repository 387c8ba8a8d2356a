"""Write letters in HTML, too, to those who want it."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the choice of a person, and the HTML of notices that wait; earlier ones have none."""
    op.add_column("people", sa.Column("html", sa.Boolean(), nullable=True))
    html = sa.Column("html", sa.String(), server_default="", nullable=False)
    op.add_column("pending_notices", html)
