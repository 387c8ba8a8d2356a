"""The deadline of the current turn: set by the schedule, moved, and extended up to a limit."""

import math
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.announcements import early_end_in_words
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.games import reminders
from referee.desk.orders import readiness, sheets
from referee.desk.orders.letter_context import LetterContext, how_to_order
from referee.desk.orders.readiness import early_moment
from referee.domain.deadlines import (
    Ended,
    at_the_same_hour,
    first_deadline,
    landed,
    next_deadline,
    notice,
    offset,
    resumed_deadline,
)
from referee.domain.house_rules import fair_share
from referee.domain.schedules import Schedule, of_turns
from referee.domain.sheets import source_of
from referee.letters.outgoing.local_time import Moment
from referee.parsing.schedules import read_schedule
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import agenda, games, press
from referee.store.games.reminders import check_reminders
from referee.store.models import LONGEST_HOLD, Game, GameStatus, SeatRow

_SHORT_HOLD: Final = timedelta(hours=1)
"""A hold that takes less than this, and less than a tenth of the time left, can keep a deadline."""


def go_on(session: Session, table: LoadedGame, now: datetime) -> None:
    """Resume a game on hold, with at least the time that was left for the turn.

    If everybody is ready, the time to change that begins again.
    """
    game, phase = table.game, table.phase.key
    due = after_hold(game, phase, now)
    game.status, game.paused_by_vote = GameStatus.RUNNING, False
    game.remaining_seconds = None
    if game.hold_ends_at is not None:
        game.hold_seconds = _seconds_left(game.hold_ends_at, now)
        game.hold_ends_at = None
    agenda.schedule(session, game)
    if due != game.deadline_at and read_schedule(game.schedule).span_of(phase) is None:
        game.scheduled_at = due
    move(session, game, due, now)
    if game.ready_at is not None:
        readiness.end_early(session, game, now)


def stop(session: Session, game: Game, now: datetime) -> None:
    """Put a game on hold, and record the time that is left for its turn."""
    _record_time_left(game, now)
    game.status = GameStatus.HELD
    game.moves += 1
    agenda.schedule(session, game)
    press.follow(session, game)


def _record_time_left(game: Game, now: datetime) -> None:
    if game.deadline_at is not None:
        game.remaining_seconds = _seconds_left(game.deadline_at, now)


def _seconds_left(due: datetime, now: datetime) -> int:
    """Return the time that is left, in whole seconds, so that nobody loses the fraction of one."""
    return math.ceil(max(due - now, timedelta(0)).total_seconds())


def after_hold(game: Game, phase: str, now: datetime) -> datetime:
    """Return the deadline of the current turn if a game on hold resumes *now*.

    It is the next moment of the schedule that leaves the time that was left, and at least the
    notice. A deadline that the GM set during the hold stays if it lies ahead. So does the old one
    after a short hold, if the next moment would give back more than the hold took.
    """
    schedule = read_schedule(game.schedule)
    due, left = game.deadline_at or now, game.remaining_seconds
    if due > now and (left is None or _seconds_left(due, now) >= left):
        return due
    span = max(timedelta(seconds=left or 0), notice(schedule, phase))
    next_due = resumed_deadline(schedule, game.scheduled_at or due, now + span, phase)
    if due > now and left is not None:
        held = now + timedelta(seconds=left) - due
        if held < min(_SHORT_HOLD, timedelta(seconds=left) / 10) and next_due - due > held:
            return due
    return next_due


def schedule_in_words(game: Game) -> str:
    """Return how often the game has turns, as it follows "Schedule:"."""
    return of_turns(read_schedule(game.schedule))


def begin(game: Game, phase: str, now: datetime) -> None:
    """Set the deadline of a turn that begins now, with the full time of a first turn.

    A game on hold leaves that time once it resumes.
    """
    schedule = read_schedule(game.schedule)
    _set(game, schedule, phase, opening(game, phase, now))
    if game.status is GameStatus.HELD:
        _record_time_left(game, now)


def opening(game: Game, phase: str, now: datetime) -> datetime:
    """Return the deadline of a turn that begins *now*, with the full time of a first turn."""
    return first_deadline(read_schedule(game.schedule), now, phase)


def follow(game: Game, ended: str, phase: str, now: datetime) -> None:
    """Set the deadline of the turn in *phase* that follows the one in the phase *ended*."""
    _set(game, read_schedule(game.schedule), phase, following(game, ended, phase, now))


def following(
    game: Game, ended: str, phase: str, now: datetime, due: datetime | None = None
) -> datetime:
    """Return the deadline of the next turn in *phase* if the current one ends *now*.

    The current turn is in the phase *ended*, and due at its deadline or at another moment, *due*.
    """
    schedule = read_schedule(game.schedule)
    due = due or game.deadline_at or now
    last = Ended(
        game.scheduled_at or due,
        due,
        now,
        sheets.closing_of(game, due),
        is_span=schedule.span_of(ended) is not None,
        fair=fair_share(game.options_of_house),
    )
    return next_deadline(schedule, last, phase)


def shortest_turn(game: Game, phase: str = "") -> timedelta:
    """Return the notice: the least time that a turn keeps, whatever moved its deadline.

    Without *phase* it is that of a phase without a length of its own.
    """
    return notice(read_schedule(game.schedule), phase)


def end_of_grace(game: Game, now: datetime) -> datetime | None:
    """Return until when orders count although the deadline of a running game has passed."""
    is_over = game.due_at is not None and game.due_at <= now
    return game.closes_at if is_over and game.closes_at and now < game.closes_at else None


def close(game: Game) -> None:
    """Set until when the current turn takes orders, by its deadline, the grace and the schedule.

    Call it after each change of one of the three.
    """
    due = game.deadline_at
    game.closes_at = sheets.closing_of(game, due) if due is not None else None


def move(session: Session, game: Game, due: datetime, now: datetime) -> None:
    """Move the deadline of the current turn; reminders that lie ahead again are sent again.

    Messages timed by the deadline follow it.
    """
    _put(game, due)
    reminders.forget(session, game, now)
    press.follow(session, game)


def land(game: Game, moment: datetime, later: timedelta = timedelta(0)) -> datetime:
    """Return where the deadline moves that shall be *later* than *moment*, by the game's schedule.

    Whatever moves a deadline asks this, and so does its preview; only a GM who names a day and an
    hour gets that moment.
    """
    return landed(read_schedule(game.schedule), moment, later)


def decide(session: Session, game: Game, due: datetime, now: datetime) -> None:
    """Move the deadline by decision of a GM or a vote.

    A later one takes every FINAL back, and an earlier one gives back time of the extensions: below
    zero, the turn is shorter than its players were promised.
    """
    if game.deadline_at is not None and due > game.deadline_at:
        readiness.take_back_all(game)
    elif game.deadline_at is not None:
        game.extended_seconds -= int((game.deadline_at - due).total_seconds())
    game.remaining_seconds = None
    move(session, game, due, now)


def extend(
    session: Session, game: Game, wanted: timedelta, now: datetime, due: datetime | None = None
) -> None:
    """Extend the current turn by up to *wanted*, within the limit.

    The limit is charged for the days that the schedule adds, too. A GM can have named the new
    deadline, *due*: it stays when a game on hold resumes.
    """
    granted = min(wanted, game.left_to_extend)
    if granted > timedelta(0) and game.deadline_at is not None:
        left, new = game.remaining_seconds, due or land(game, game.deadline_at, granted)
        game.extended_seconds += int((new - game.deadline_at).total_seconds())
        decide(session, game, new, now)
        asked = int(granted.total_seconds())
        game.remaining_seconds = left + asked if left is not None and due is None else None


def kept_hour(game: Game, now: datetime) -> datetime | None:
    """Return the deadline at the local hour that it was set for, or None if it is there.

    It differs when new zone data came since. It is not moved ahead so far that the turn has less
    than its notice left.
    """
    due, seconds = game.deadline_at, game.deadline_offset_seconds
    if due is None or seconds is None:
        return None
    zone = read_schedule(game.schedule).zone
    kept = at_the_same_hour(due, timedelta(seconds=seconds), zone)
    kept = max(kept, min(due, now + shortest_turn(game)))
    return kept if kept != due else None


def _put(game: Game, due: datetime) -> None:
    game.deadline_at = due
    close(game)
    zone = read_schedule(game.schedule).zone
    game.deadline_offset_seconds = int(offset(due, zone).total_seconds())
    if game.ready_at is not None:
        game.ready_at = min(game.ready_at, due)
    game.moves += 1
    check_reminders(game)


def _set(game: Game, schedule: Schedule, phase: str, due: datetime) -> None:
    _put(game, due)
    game.extended_seconds, game.hold_seconds = 0, LONGEST_HOLD
    # A phase with a length of its own does not change the rhythm of a calendar schedule.
    if schedule.span_of(phase) is None or game.scheduled_at is None:
        game.scheduled_at = due


def of_turn(game: Game, zone: str, now: datetime) -> str:
    """Return when the current turn of a game that goes on is due, or why it has no deadline.

    An early end is named only while a player can stop it.
    """
    due, grace, early = game.due_at, end_of_grace(game, now), early_moment(game)
    if due is None:
        by_vote = " by a vote" if game.paused_by_vote else ""
        return f"turn {game.turn}, on hold{by_vote}, so it has no deadline now."
    told = f"turn {game.turn}, deadline {Moment(due, zone)}."
    if grace is not None:
        told = (
            f"turn {game.turn}; the deadline passed on {Moment(due, zone)}, and orders count until "
            f"{Moment(grace, zone)} (grace)."
        )
    ends = early_end_in_words(early, zone, now) if early is not None and early > now else ""
    return f"{told} {ends}".rstrip()


def sentence(game: Game, zone: str, now: datetime) -> str:
    """Return the same as a sentence of its own."""
    told = of_turn(game, zone, now)
    return f"{told[0].upper()}{told[1:]}"


def after_rollback(context: LetterContext, row: SeatRow, turn: int) -> str:
    """Return how the answer to a letter for an undone *turn* begins, or "" if it is for another.

    It says which turn is the current one, what is on file for that, and how to send orders for it.
    """
    told = context.rolled_back(turn)
    if not told:
        return ""
    game = row.game
    deadline = sentence(game, context.zone, context.now)
    return " ".join((told, deadline, _on_file(context, row), how_to_order(game)))


def _on_file(context: LetterContext, row: SeatRow) -> str:
    """Return the orders on file for the current turn of the seat's game."""
    turn = row.game.turn
    sheet = games.on_file(context.session, row, turn)
    if sheet is None:
        runs = ", so your standing orders run" if row.standing else ""
        return f"Nothing is on file for turn {turn}{runs}."
    orders = counted(len(sheet.orders), "order") if sheet.orders else "an empty sheet"
    return f"On file for turn {turn}: {orders}, from {source_of(sheet.receipt)}."
