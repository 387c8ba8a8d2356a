"""Audit log: what GMs and the operator did to games."""

from datetime import datetime
from functools import cache

from sqlalchemy import ForeignKey, Select, bindparam, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.models import Game


class AuditEntry(Base):
    """An action of a GM or the operator on a game."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"), index=True)
    at: Mapped[datetime]
    who: Mapped[str]
    """``GM``, ``operator``, ``referee`` or a seat's name."""
    what: Mapped[str]
    """One line; if it is public, all players of the game can see it."""
    public: Mapped[bool] = mapped_column(default=True)
    told_turn: Mapped[int | None]
    """The turn whose report contained it; less than 0 if a rollback undid what it says."""


def note(
    session: Session, game: Game, who: str, what: str, now: datetime, *, public: bool = True
) -> None:
    """Record an action of the GM, the operator or a seat.

    A public text is for all players and is part of the next report.
    """
    session.add(AuditEntry(game_id=game.id, at=now, who=who, what=what, public=public))


def untold(session: Session, game: Game) -> list[AuditEntry]:
    """Return the public entries that were in no report yet, oldest first."""
    return list(session.scalars(_untold(), {"game": game.id}))


def told_in(session: Session, game: Game, turn: int) -> list[str]:
    """Return the public entries in the reports of *turn*, oldest first."""
    query = select(AuditEntry.what).where(AuditEntry.game_id == game.id, AuditEntry.public)
    return list(session.scalars(query.where(AuditEntry.told_turn == turn).order_by(AuditEntry.id)))


def public_after(session: Session, game: Game, turn: int) -> list[AuditEntry]:
    """Return the public entries that are in the report of a later turn, or in none yet."""
    query = select(AuditEntry).where(AuditEntry.game_id == game.id, AuditEntry.public)
    later = or_(AuditEntry.told_turn > turn, AuditEntry.told_turn.is_(None))
    return list(session.scalars(query.where(later).order_by(AuditEntry.id)))


def newest(session: Session, game: Game, limit: int) -> list[AuditEntry]:
    """Return the last *limit* entries of the game, oldest first."""
    query = select(AuditEntry).where(AuditEntry.game_id == game.id)
    return list(session.scalars(query.order_by(AuditEntry.id.desc()).limit(limit)))[::-1]


@cache
def _untold() -> Select[AuditEntry]:
    query = select(AuditEntry).where(AuditEntry.game_id == bindparam("game"), AuditEntry.public)
    return query.where(AuditEntry.told_turn.is_(None)).order_by(AuditEntry.id)
