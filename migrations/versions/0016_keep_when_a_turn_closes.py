"""Keep until when the current turn of a game takes orders."""

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_GAMES = sa.table(
    "games",
    sa.column("id", sa.Integer()),
    sa.column("grace_seconds", sa.Integer()),
    sa.column("deadline_at", _MOMENT),
    sa.column("closes_at", _MOMENT),
)


def upgrade() -> None:
    """Close each turn at the moment at which the earlier program resolves it."""
    op.add_column("games", sa.Column("closes_at", _MOMENT, nullable=True))
    connection = op.get_bind()
    query = sa.select(_GAMES.c.id, _GAMES.c.deadline_at, _GAMES.c.grace_seconds)
    for number, due, grace in connection.execute(query.where(_GAMES.c.deadline_at.is_not(None))):
        row = sa.update(_GAMES).where(_GAMES.c.id == number)
        connection.execute(row.values(closes_at=due + timedelta(seconds=grace)))
    for name in ("closes_at", "stalled_until"):
        op.create_index(f"ix_games_status_{name}", "games", ["status", name])
    op.drop_index("ix_agenda_topic_at", table_name="agenda")
    op.create_index("ix_agenda_at_topic", "agenda", ["at", "topic"])
