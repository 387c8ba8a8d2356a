"""What notices in any conversation that a change stirred nobody who has to look again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import event, inspect, select
from sqlalchemy.orm import Session, UOWTransaction

from referee.store.models import LONG_AGO, Game, GameStatus, Person, SeatRow, Sheet

_OF_GAME: Final = ("status", "turn", "deadline_at", "reminders")
_OF_PERSON: Final = ("reminders", "zone", "quiet_from", "quiet_until")
_CHANGED: Final = "games in which something changed that reminders hang on"


@contextmanager
def noticing() -> Iterator[list[str]]:
    """Return, when it ends, the games that changed and were not to be looked at again."""
    forgotten: list[str] = []

    def hear(session: Session, _work: UOWTransaction, _rows: object) -> None:
        for row in [*session.dirty, *session.new]:
            for game in _games_of(session, row):
                session.info.setdefault(_CHANGED, {})[game] = type(row).__name__

    def compare(session: Session) -> None:
        session.flush()
        forgotten.extend(
            f"{game.name}: {what}"
            for game, what in session.info.pop(_CHANGED, {}).items()
            if game.status is GameStatus.RUNNING and game.remind_at != LONG_AGO
        )

    def forget(session: Session) -> None:
        session.info.pop(_CHANGED, None)

    heard = (("before_flush", hear), ("before_commit", compare), ("after_rollback", forget))
    for name, listener in heard:
        event.listen(Session, name, listener)
    yield forgotten
    for name, listener in heard:
        event.remove(Session, name, listener)


def _games_of(session: Session, row: object) -> Iterator[Game]:
    with session.no_autoflush:
        if isinstance(row, Game) and _has_changed(row, *_OF_GAME):
            yield row
        elif isinstance(row, SeatRow) and row.person and _has_changed(row, "person_id", "person"):
            yield session.get_one(Game, row.game_id) if row.game_id else row.game
        elif isinstance(row, Sheet) and _has_changed(row, "withdrawn", "undone"):
            if row.withdrawn or row.undone:
                yield session.get_one(SeatRow, row.seat_id).game
        elif isinstance(row, Person) and _has_changed(row, *_OF_PERSON):
            yield from session.scalars(select(Game).join(SeatRow).where(SeatRow.person == row))


def _has_changed(row: Any, *names: str) -> bool:
    attributes = inspect(row).attrs
    return any(attributes[name].history.has_changes() for name in names)
