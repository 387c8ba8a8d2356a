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


def remind_now(
    session: Session, house: House, game: Game, receipt: int, now: datetime
) -> list[SeatRow]:
    """Remind every seat that owes orders, because the letter of that receipt asks; give whom."""
    rows = owing(session, house, game)
    for row in rows:
        _write(session, house, row, f"reminder{game.turn}r{receipt}", now)
    return rows


def owing(session: Session, house: House, game: Game) -> list[SeatRow]:
    """Give the held seats that owe orders for the running turn and have sent none."""
    awaiting = lay(session, house, game).awaiting
    return [row for row in game.seats if row.number in awaiting and _owes(session, game, row)]


def forget(session: Session, game: Game, now: datetime) -> None:
    """Let steps be reminded of again that lie ahead, now that the deadline was moved."""
    if game.deadline_at is None:
        return
    for row in game.seats:
        for step in game.reminders:
            known = session.get(Reminded, (row.id, game.turn, step))
            if known is not None and game.deadline_at - timedelta(seconds=step) > now:
                session.delete(known)


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
    assert game.deadline_at is not None
    # A deadline that was moved is another one to be reminded of.
    serial = f"reminder{game.turn}x{seconds}d{int(game.deadline_at.timestamp())}"
    silent = [row for row in game.seats if _owes(session, game, row)]
    unreminded = [row for row in silent if not _was_reminded(session, game, row, seconds)]
    if not unreminded:
        return 0
    awaiting = lay(session, house, game).awaiting
    reminded = [row for row in unreminded if row.number in awaiting]
    for row in reminded:
        session.add(Reminded(seat_id=row.id, turn=game.turn, step=seconds))
        _write(session, house, row, serial, now)
    return len(reminded)


def _write(session: Session, house: House, row: SeatRow, serial: str, now: datetime) -> None:
    game, person = row.game, row.person
    assert person is not None
    assert game.deadline_at is not None
    notice = Reminder(
        game=game.name,
        turn=game.turn,
        seat=row.name,
        left=_in_words(game.deadline_at - now),
        deadline=Moment(game.deadline_at, person.zone),
    )
    slip = Slip(mailbox(person), serial, game=game, seat=row, turn=game.turn)
    post(session, house, notice, slip, now)


def _owes(session: Session, game: Game, row: SeatRow) -> bool:
    return row.person is not None and games.sheet_of(session, row, game.turn) is None


def _was_reminded(session: Session, game: Game, row: SeatRow, seconds: int) -> bool:
    return session.get(Reminded, (row.id, game.turn, seconds)) is not None


def _in_words(left: timedelta) -> str:
    seconds = int(left.total_seconds())
    for size, unit in _UNITS:
        if seconds >= size:
            count = round(seconds / size)
            return f"{count} {unit}" + ("s" if count != 1 else "")
    return "less than a minute"
