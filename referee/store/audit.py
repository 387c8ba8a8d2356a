"""The audit log: what GMs and the operator did to games."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.store.models import AuditEntry, Game


def note(session: Session, game: Game, who: str, what: str, now: datetime) -> None:
    """Write down what the GM, the operator or a seat did, in words for every player's eyes."""
    session.add(AuditEntry(game_id=game.id, at=now, who=who, what=what))


def since(session: Session, game: Game, moment: datetime) -> list[AuditEntry]:
    """Give what was done to the game at *moment* or later, oldest first."""
    query = select(AuditEntry).where(AuditEntry.game_id == game.id, AuditEntry.at >= moment)
    return list(session.scalars(query.order_by(AuditEntry.id)))
