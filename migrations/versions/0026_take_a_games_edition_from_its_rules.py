"""Take the edition that a game is played by from its rules, not from the day it was created."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the edition of games; each turn keeps its own."""
    op.drop_column("games", "edition")
