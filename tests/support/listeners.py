"""Listeners that detect changes after which a necessary check was not scheduled."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Delete, Update, event, inspect, select
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction

from referee.desk.orders.sheets import closing_of
from referee.store.games.agenda import AgendaEntry, AgendaTopic
from referee.store.games.votes import Vote
from referee.store.models import LONG_AGO, Game, GameStatus, Person, SeatRow, Sheet
from referee.store.people.deputies import Deputy
from referee.store.people.observers import Observer
from referee.store.people.offers import Offer
from referee.store.people.standbys import Standby

_OF_GAME: Final = ("status", "turn", "deadline_at", "reminders")
_TURN_CLOSES_BY: Final = ("deadline_at", "grace_seconds", "schedule")
_MOVED: Final = "games whose current turn may close at another time"
_OF_PERSON: Final = ("reminders", "zone", "quiet_from", "quiet_until")
_CHANGED: Final = "games in which something changed that reminders hang on"

_AGENDA_OF_GAME: Final = (
    "status",
    "turn",
    "places",
    "missed_limit",
    "observers_behind",
)
_AGENDA_OF_SEAT: Final = ("person_id", "person", "epoch", "eliminated", "offered_at", "missed")
_NEEDED: Final = "topics of games that have to be on the agenda"
_TOUCHED: Final = "topics of games to be looked at again, if they are on the agenda"

_Topics = set[tuple[int, AgendaTopic]]


@contextmanager
def noticing() -> Iterator[list[str]]:
    """Yield a list of games that changed without a scheduled check, complete at the end."""
    forgotten: list[str] = []

    def compare(session: Session) -> None:
        session.flush()
        forgotten.extend(_not_reminded(session))
        forgotten.extend(_not_on_agenda(session))
        forgotten.extend(_not_closed(session))

    heard = (
        ("before_flush", _hear),
        ("do_orm_execute", _hear_look),
        ("before_commit", compare),
        ("after_rollback", _forget),
    )
    for name, listener in heard:
        event.listen(Session, name, listener)
    try:
        yield forgotten
    finally:
        for name, listener in heard:
            event.remove(Session, name, listener)


def _hear(session: Session, _work: UOWTransaction, _rows: object) -> None:
    with session.no_autoflush:
        for row in [*session.dirty, *session.new]:
            if isinstance(row, Game) and _has_changed(row, *_TURN_CLOSES_BY):
                session.info.setdefault(_MOVED, set()).add(row)
            for game in _games_of(session, row):
                session.info.setdefault(_CHANGED, {})[game] = type(row).__name__
            session.info.setdefault(_NEEDED, set()).update(_needed(session, row))
            session.info.setdefault(_TOUCHED, set()).update(_touched(session, row))


def _hear_look(state: ORMExecuteState) -> None:
    """Ignore changes by a check that has just settled or closed its topic."""
    statement = state.statement
    if isinstance(statement, Update | Delete) and str(statement.table) == "agenda":
        found = statement.compile().params
        looked_at = found.get("game_id_1"), found.get("topic_1")
        for topics in (_NEEDED, _TOUCHED):
            state.session.info.get(topics, set()).discard(looked_at)


def _forget(session: Session) -> None:
    for noted in (_CHANGED, _NEEDED, _TOUCHED, _MOVED):
        session.info.pop(noted, None)


def _not_reminded(session: Session) -> Iterator[str]:
    for game, what in session.info.pop(_CHANGED, {}).items():
        if game.status is GameStatus.RUNNING and game.remind_at != LONG_AGO:
            yield f"{game.name}: {what}"


def _not_on_agenda(session: Session) -> Iterator[str]:
    needed: _Topics = session.info.pop(_NEEDED, set())
    touched: _Topics = session.info.pop(_TOUCHED, set())
    for number, topic in sorted(needed | touched, key=str):
        query = select(AgendaEntry.at).where(AgendaEntry.game_id == number)
        found = session.execute(query.where(AgendaEntry.topic == topic)).first()
        absent = found is None and (number, topic) in needed
        if absent or (found is not None and found.at != LONG_AGO):
            yield f"{session.get_one(Game, number).name}: {topic.value}"


def _not_closed(session: Session) -> Iterator[str]:
    for game in session.info.pop(_MOVED, set()):
        due = game.deadline_at
        if game.closes_at != (closing_of(game, due) if due is not None else None):
            yield f"{game.name}: until when it takes orders"


def _needed(session: Session, row: object) -> Iterator[tuple[int, AgendaTopic]]:
    """Yield the games and topics for which something must be checked from now on."""
    match row:
        case Vote() if _has_changed(row, "outcome", "closes_at"):
            # A report of the result is no reason for a check.
            yield _game(session, row).id, AgendaTopic.VOTES
        case Observer():
            yield _game(session, row).id, AgendaTopic.OBSERVERS
        case Offer():
            yield _game(session, _seat(session, row)).id, AgendaTopic.OFFERS
        case Deputy():
            yield _game(session, _seat(session, row)).id, AgendaTopic.DEPUTIES
        case SeatRow() if _has_changed(row, *_AGENDA_OF_SEAT):
            game = _game(session, row)
            # Whether a forming game is full depends only on its players.
            if game.status is GameStatus.FORMING and _has_changed(row, "person_id", "person"):
                yield game.id, AgendaTopic.START
            elif row.offered_at is not None:
                yield game.id, AgendaTopic.OFFERS
        case Game() if inspect(row).persistent and _has_changed(row, "places", "status"):
            if row.status is GameStatus.FORMING:
                yield row.id, AgendaTopic.START
        case _:
            return


def _touched(session: Session, row: object) -> Iterator[tuple[int, AgendaTopic]]:
    """Yield the topics in which a game must be checked again, if they are on its agenda."""
    if isinstance(row, Game) and inspect(row).persistent and _has_changed(row, *_AGENDA_OF_GAME):
        yield from ((row.id, topic) for topic in AgendaTopic)
    elif isinstance(row, SeatRow) and inspect(row).persistent:
        if _has_changed(row, *_AGENDA_OF_SEAT):
            yield from ((row.game_id, topic) for topic in AgendaTopic)
    elif isinstance(row, Standby) and inspect(row).pending:
        yield from ((number, AgendaTopic.OFFERS) for number in session.scalars(select(Game.id)))


def _games_of(session: Session, row: object) -> Iterator[Game]:
    if isinstance(row, Game) and _has_changed(row, *_OF_GAME):
        yield row
    elif isinstance(row, SeatRow) and row.person and _has_changed(row, "person_id", "person"):
        yield _game(session, row)
    elif isinstance(row, Sheet) and _has_changed(row, "withdrawn", "undone"):
        if row.withdrawn or row.undone:
            yield session.get_one(SeatRow, row.seat_id).game
    elif isinstance(row, Person) and _has_changed(row, *_OF_PERSON):
        yield from session.scalars(select(Game).join(SeatRow).where(SeatRow.person == row))


def _game(session: Session, row: Any) -> Game:
    """Return the game of a row, which can be a new row with only the game's id."""
    return session.get_one(Game, row.game_id) if row.game_id else row.game


def _seat(session: Session, row: Any) -> SeatRow:
    return session.get_one(SeatRow, row.seat_id) if row.seat_id else row.seat


def _has_changed(row: Any, *names: str) -> bool:
    attributes = inspect(row).attrs
    return any(attributes[name].history.has_changes() for name in names)
