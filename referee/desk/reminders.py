"""Reminders: before a deadline, to those who owe orders, once for each step."""

from datetime import datetime, timedelta

from referee.desk.house import House
from referee.desk.posting import Slip, mailbox, post
from referee.desk.tables import lay
from referee.domain.deadlines import reminder_due
from referee.letters.moments import Moment
from referee.letters.notices import Reminder
from referee.store import Session, games
from referee.store.models import Game, GameStatus, Reminded, SeatRow

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def remind_due(session: Session, house: House, now: datetime) -> int:
    """Remind every seat that owes orders of each step that has begun; give how many letters.

    A step that the deadline of a short turn leaves no time for is not made up for.
    """
    count = 0
    for game in games.listing(session, GameStatus.RUNNING):
        if game.deadline_at is None:
            continue
        steps = [timedelta(seconds=seconds) for seconds in game.reminders]
        step = reminder_due(game.deadline_at, steps, now)
        if step is not None and _begun(session, game) < game.deadline_at - step:
            count += _remind(session, house, game, step, now)
    return count


def _begun(session: Session, game: Game) -> datetime:
    """Give the moment from which the running turn's orders were owed."""
    if game.turn > 1:
        resolved = games.turn_of(session, game, game.turn - 1).resolved_at
        assert resolved is not None
        return resolved
    assert game.started_at is not None
    return game.started_at


def _remind(session: Session, house: House, game: Game, step: timedelta, now: datetime) -> int:
    seconds = int(step.total_seconds())
    owing = [row for row in game.seats if _owes(session, game, row, seconds)]
    if not owing:
        return 0
    awaiting = lay(session, house, game).phase.awaiting
    reminded = [row for row in owing if row.number in awaiting]
    for row in reminded:
        assert row.person is not None
        assert game.deadline_at is not None
        session.add(Reminded(seat_id=row.id, turn=game.turn, step=seconds))
        notice = Reminder(
            game=game.name,
            turn=game.turn,
            seat=row.name,
            left=_in_words(game.deadline_at - now),
            deadline=Moment(game.deadline_at, row.person.zone),
        )
        slip = Slip(
            to=mailbox(row.person),
            serial=f"reminder{game.turn}x{seconds}",
            game=game,
            seat=row,
            turn=game.turn,
        )
        post(session, house, notice, slip, now)
    return len(reminded)


def _owes(session: Session, game: Game, row: SeatRow, seconds: int) -> bool:
    if row.person is None or games.sheet_of(session, row, game.turn) is not None:
        return False
    return session.get(Reminded, (row.id, game.turn, seconds)) is None


def _in_words(left: timedelta) -> str:
    seconds = int(left.total_seconds())
    for size, unit in _UNITS:
        if seconds >= size:
            count = round(seconds / size)
            return f"{count} {unit}" + ("s" if count != 1 else "")
    return "less than a minute"
