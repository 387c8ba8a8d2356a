"""Call a vote for a hold by its name, as the command of a GM."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the motion in the votes that were opened."""
    votes = sa.table("votes", sa.column("motion", sa.String()))
    op.execute(votes.update().where(votes.c.motion == "pause").values(motion="hold"))
