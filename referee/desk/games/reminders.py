"""Reminders of missing orders: to players once per step, to GMs at the time they chose."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.desk.base.call_outs import News, call_out, due
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import LoadedGame, load
from referee.desk.base.outbox_writer import Addressing, clock_of, gm_token, mailbox, post
from referee.desk.games import gm_lines, missing_orders, stewardship
from referee.desk.games.absences import when
from referee.desk.games.missing_orders import (
    lacking_sheets,
    lacks_sheet,
    readers,
    within_reach,
)
from referee.desk.games.proposals import check_proposal
from referee.desk.orders.gm_authority import plays
from referee.desk.orders.standing_orders import standing_doubts
from referee.domain.absences import MOST_AT_ONCE
from referee.domain.call_outs import CallOutEvent
from referee.domain.house_rules import gm_watch
from referee.domain.player_settings import Clock, reminder_due
from referee.domain.schedules import roughly
from referee.domain.votes import Motion
from referee.letters.outgoing.gm_notices import OrdersMissing, WatchedGame
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Reminder
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games, reminders, votes
from referee.store.models import Game, Person, SeatRow
from referee.store.people import absences

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def remind_in(desk: Desk, number: int) -> None:
    """Remind each seat of a game that still has to send orders, for each step that has begun.

    A step is a time before the deadline, set by the player or else by the game. A step for which a
    short turn leaves no time is skipped.
    """
    session, now = desk.session, desk.now
    game = reminders.look_at(session, number, now)
    if game is None:
        return
    due: list[_Due] = []
    next_checks: list[datetime] = []
    is_ahead = game.deadline_at is not None and game.deadline_at > now
    for silent in reminders.silent(session, game) if is_ahead else ():
        next_checks += _steps_ahead(silent, now)
        if (step := _step(session, silent, now)) is None:
            continue
        if readers(session, silent.row, now):
            due.append(_Due(silent.row, step))
        else:
            next_checks.append(_back_at(session, silent.row, now))
    next_checks += notify_gms(desk, game)
    # If nobody will have to be reminded, only a change makes the game worth checking again.
    game.remind_at = min(next_checks, default=None)
    if due:
        _remind(desk, game, due)


def leaving(session: Session, now: datetime) -> list[int]:
    """Return the ids of games with a player who leaves within a day and was not reminded of it."""
    return sorted({each.seat.game_id for each in absences.leaving(session, now)})


def remind_now(desk: Desk, game: Game, receipt: int) -> None:
    """Remind every seat that still has to send orders, as letter *receipt* asks."""
    table = load(desk.session, desk.site, game)
    for row in within_reach(desk, game):
        _write(desk, table, row, f"reminder{game.turn}r{receipt}")


def forget(session: Session, game: Game, now: datetime) -> None:
    """Forget the reminders that lie ahead again, because the deadline was moved."""
    if game.deadline_at is None:
        return
    for row in game.seats:
        clock = clock_of(row.person) if row.person is not None else Clock("UTC")
        for known in reminders.steps_of(session, row, game.turn):
            if clock.reminder(game.deadline_at, timedelta(seconds=known.step)) > now:
                session.delete(known)


def pass_over(session: Session, person: Person, now: datetime) -> None:
    """Mark the steps that have begun as reminded, because the person has set other steps."""
    for row in games.seats_of(session, person):
        _pass_over_until(session, row, now)


def _pass_over_until(session: Session, row: SeatRow, moment: datetime) -> None:
    """Mark the steps of the current turn that begin by *moment* as reminded."""
    game, person = row.game, row.person
    if game.deadline_at is None or person is None:
        return
    for step in steps_of(game, person):
        if clock_of(person).reminder(game.deadline_at, step) <= moment:
            reminders.note(session, row, game.turn, int(step.total_seconds()))


def steps_of(game: Game, person: Person) -> list[timedelta]:
    """Return the times before a deadline of the game at which the person is reminded."""
    spans = game.reminders if person.reminders is None else person.reminders
    return [timedelta(seconds=seconds) for seconds in spans]


@dataclass(frozen=True, slots=True)
class _Due:
    """A seat, and the step of its reminder."""

    row: SeatRow
    step: timedelta


def _step(session: Session, silent: reminders.Silent, now: datetime) -> timedelta | None:
    """Return the step that a seat without orders has to be reminded of now, or None."""
    game, clock = silent.game, clock_of(silent.person)
    assert game.deadline_at is not None
    step = reminder_due(game.deadline_at, steps_of(game, silent.person), clock, now)
    if step is None or int(step.total_seconds()) in silent.steps:
        return None
    began = games.began(session, game, game.turn)
    return step if began < clock.reminder(game.deadline_at, step) else None


def _steps_ahead(silent: reminders.Silent, now: datetime) -> list[datetime]:
    """Return the future moments at which the seat may have to be reminded."""
    due, clock = _due(silent.game), clock_of(silent.person)
    moments = [clock.reminder(due, step) for step in steps_of(silent.game, silent.person)]
    return [moment for moment in moments if moment > now]


def _back_at(session: Session, row: SeatRow, now: datetime) -> datetime:
    """Return when the absence of a player ends who cannot be reminded now."""
    absence = absences.at(session, row, now)
    return absence.ends_at if absence is not None else now


def remind_leaving_in(desk: Desk, number: int) -> None:
    """Remind players who leave a game within a day of orders that are due while they are away."""
    for absence in absences.leaving(desk.session, desk.now):
        row = absence.seat
        if row.game_id != number:
            continue
        absence.reminded = True
        if not lacks_sheet(desk.session, row.game, row):
            continue
        table = load(desk.session, desk.site, row.game)
        if table.awaits(row) and row.person is not None:
            notice = replace(
                _reminder(desk.session, table, row, row.person, desk.now), away=str(when(absence))
            )
            addressing = Addressing(
                mailbox(row.person), f"leaving{absence.id}", game=row.game, seat=row
            )
            post(desk, notice, replace(addressing, turn=row.game.turn))
            _pass_over_until(desk.session, row, absence.begins_at)


def _remind(desk: Desk, game: Game, due: Sequence[_Due]) -> None:
    assert game.deadline_at is not None
    table = load(desk.session, desk.site, game)
    for each in due:
        seconds = int(each.step.total_seconds())
        # A seat without orders to send is recorded too, so that the game is not checked again for
        # it.
        reminders.note(desk.session, each.row, game.turn, seconds)
        if not table.awaits(each.row) or each.row.final_turn == game.turn:
            continue
        # The deadline is part of the id, because a moved deadline gets a reminder of its own.
        serial = f"reminder{game.turn}x{seconds}d{int(game.deadline_at.timestamp())}"
        _write(desk, table, each.row, serial)
        if seconds in game.reminders:
            _call_out(desk, table, f"awaited{game.turn}b{game.rollbacks}")


def _call_out(desk: Desk, table: LoadedGame, occasion: str) -> None:
    """Post whose orders are awaited, if everyone may know, once for each turn."""
    known, game = missing_orders.awaited(desk.session, table, None), table.game
    if known is not None:
        text = f"{game.name}:{due(desk.site, game)} {known.in_words}"
        news = News(CallOutEvent.AWAITED, text, text, known.names, known.others)
        call_out(desk, game, news, occasion)


def _write(desk: Desk, table: LoadedGame, row: SeatRow, serial: str) -> None:
    for person, deputy in readers(desk.session, row, desk.now):
        notice = replace(
            _reminder(desk.session, table, row, person, desk.now), deputy=deputy is not None
        )
        addressing = Addressing(
            mailbox(person), serial, game=row.game, seat=row, turn=row.game.turn, deputy=deputy
        )
        post(desk, notice, addressing)


def _reminder(
    session: Session, table: LoadedGame, row: SeatRow, person: Person, now: datetime
) -> Reminder:
    game = row.game
    return Reminder(
        game=game.name,
        turn=game.turn,
        seat=row.name,
        left=_in_words(_due(game) - now),
        deadline=Moment(_due(game), person.zone),
        absent_to=_absent_to(game, person, now),
        extend=_extend(session, row),
        standing=len(row.standing),
        doubts=standing_doubts(table, row),
        for_one=game.for_one,
        steward=stewardship.warning(session, table, row, game.due_at),
    )


def _absent_to(game: Game, person: Person, now: datetime) -> str:
    """Return the day after the deadline, or the last that an absence from today can have."""
    last = min(_due(game) + timedelta(days=1), now + timedelta(days=MOST_AT_ONCE - 1))
    return Moment(last, person.zone).day


def _extend(session: Session, row: SeatRow) -> str:
    """Return the command by which the player votes for more time, or "" if none is possible."""
    if any(vote.motion is Motion.EXTEND for vote in votes.running(session, row.game)):
        return "VOTE EXTEND YES"
    with suppress(UserError):
        check_proposal(session, row, Motion.EXTEND, timedelta(days=1))
        return "VOTE EXTEND 1 day"
    return ""


def _due(game: Game) -> datetime:
    assert game.deadline_at is not None
    return game.deadline_at


def _in_words(left: timedelta) -> str:
    seconds = int(left.total_seconds())
    for size, unit in _UNITS:
        if seconds >= size:
            return counted(round(seconds / size), unit)
    return "less than a minute"


def notify_gms(desk: Desk, game: Game) -> list[datetime]:
    """Notify each GM of missing orders, if it is time; return the moments that lie ahead.

    Games of a GM with the same moment share a letter. Idempotent, by its Message-ID.
    """
    ahead: list[datetime] = []
    for gm in game.gms:
        moment = _gm_moment(desk, game, gm.person)
        if moment is None:
            continue
        if moment > desk.now:
            ahead.append(moment)
        else:
            _write_to_gm(desk, gm.person, game, moment)
    return ahead


def _gm_moment(desk: Desk, game: Game, gm: Person) -> datetime | None:
    """Return when to notify the GM of missing orders; None if never, or no longer."""
    span, due = gm_watch(game.options_of_house), game.due_at
    if not span or due is None or due <= desk.now:
        return None
    moment = clock_of(gm).reminder(due, span)
    # A short turn leaves no time for it, and after half of the time it is too late.
    if moment <= games.began(desk.session, game, game.turn) or desk.now > due - (due - moment) / 2:
        return None
    return moment


def _write_to_gm(desk: Desk, gm: Person, game: Game, moment: datetime) -> None:
    led = sorted(games.led_by(desk.session, gm), key=lambda each: each.id)
    together = [each for each in led if _gm_moment(desk, each, gm) == moment]
    watched = [
        _watched(desk, each, gm, rows) for each in together if (rows := _missing(desk, each, gm))
    ]
    if not watched:
        return
    addressing = Addressing(mailbox(gm), f"watch{int(moment.timestamp())}")
    if len(together) == 1:
        addressing = Addressing(addressing.to, addressing.serial, game=game, turn=game.turn)
    else:
        token = gm_token(gm, addressing.serial, desk.now)
        addressing = Addressing(addressing.to, addressing.serial, token=token)
    post(desk, OrdersMissing(tuple(watched), len(together) > 1), addressing)


def _missing(desk: Desk, game: Game, gm: Person) -> list[SeatRow]:
    """Return the seats without orders that the GM may know of.

    A GM who plays does not learn who has orders to send: SHEETS shows them who sent none.
    """
    if not plays(game, gm):
        return missing_orders.owing(desk.session, desk.site, game)
    return [row for row in lacking_sheets(desk.session, game) if not row.eliminated]


def _watched(desk: Desk, game: Game, gm: Person, rows: Sequence[SeatRow]) -> WatchedGame:
    assert game.deadline_at is not None
    notes = gm_lines.Notes.of(desk, game)
    return WatchedGame(
        game=game.name,
        turn=game.turn,
        left=roughly(game.deadline_at - desk.now),
        deadline=Moment(game.deadline_at, gm.zone),
        missing=tuple(
            ": ".join(filter(None, (row.name, ", ".join(_notes(row, notes.on(row, gm))))))
            for row in rows
        ),
        actions=tuple(gm_lines.actions(desk, game, gm)),
    )


def _notes(row: SeatRow, notes: Iterator[str]) -> Iterator[str]:
    if row.standing:
        yield "standing orders run"
    if row.missed:
        yield gm_lines.turns_missed(row)
    yield from notes
