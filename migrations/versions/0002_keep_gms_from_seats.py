"""Keep seats from GMs, who know the secrets of their game, whatever its house rules."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the house rule by which GMs of a game could take a seat of it."""
    op.drop_column("games", "gms_may_play")
