"""Keep which reports told the results of a turn."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_TURNS = sa.table(
    "turns",
    sa.column("number", sa.Integer()),
    sa.column("told_turn", sa.Integer()),
    sa.column("resolved_at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    """Mark the results of each turn as told by the reports of the next one, as they were."""
    op.add_column("turns", sa.Column("told_turn", sa.Integer(), nullable=True))
    told = sa.update(_TURNS).where(_TURNS.c.resolved_at.is_not(None))
    op.get_bind().execute(told.values(told_turn=_TURNS.c.number + 1))
