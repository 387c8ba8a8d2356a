"""When turns are due: what a GM changes of schedules and deadlines, and what he does at once."""

from datetime import datetime, timedelta

from referee.desk.base.loaded_games import check_phases, ruleset_of
from referee.desk.games import deadlines, reminders
from referee.desk.games.deadlines import go_on
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce,
    mastered,
    noted,
    noted_of_clock,
    noted_quietly,
)
from referee.desk.orders.letter_context import Visit
from referee.domain.commands import Hold, Resume, SetSchedule
from referee.domain.deadlines import coming, first_deadline
from referee.domain.gm_commands import Adjudicate, Extend, Remind, SetDeadline
from referee.domain.schedules import Schedule, describe, in_words
from referee.letters.outgoing.local_time import Moment
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import Mistake
from referee.store.models import Game, GameStatus

_FARTHEST = timedelta(days=366)
_SHOWN = 5
"""So many deadlines of a new schedule are shown."""


def preview_hold(visit: Visit, _command: Hold) -> str:
    """HOLD stops the clock of a game; RESUME undoes it."""
    game = mastered(visit, GameStatus.RUNNING)
    return f"No turn of {game.name} is resolved until you write RESUME. Orders are still taken."


def hold(visit: Visit, _command: Hold) -> str:
    """HOLD: the players are told at once."""
    game = mastered(visit, GameStatus.RUNNING)
    game.status = GameStatus.HELD
    game.moves += 1
    what = "The GM put the game on hold."
    told = f"{what} No turn is resolved until it goes on; orders are still taken."
    announce(visit, game, told, can_wait=True)
    return noted(visit, game, what)


def preview_resume(visit: Visit, _command: Resume) -> str:
    """RESUME undoes HOLD."""
    game = mastered(visit, GameStatus.HELD)
    return f"{game.name} goes on; a deadline that has passed moves to the next one of its schedule."


def resume(visit: Visit, _command: Resume) -> str:
    """RESUME: the players are told at once."""
    game = mastered(visit, GameStatus.HELD)
    go_on(visit.session, visit.playing(), visit.now)
    what = "The GM resumed the game."
    announce(visit, game, what)
    return noted_of_clock(visit, game, what)


def preview_schedule(visit: Visit, command: SetSchedule) -> str:
    """SCHEDULE is undone by the old schedule, which the preview shows."""
    game = mastered(visit, *UNDECIDED)
    schedule = read_schedule(command.schedule)
    _check_phases(visit, game, schedule)
    due = game.deadline_at
    dates = "; ".join(str(moment) for moment in _coming(visit, schedule, due))
    if due is None:
        coming_then = f"If it began now, turns would be due on: {dates}."
    else:
        stays = f"The running deadline stays: {Moment(due, visit.zone)}."
        coming_then = f"{stays} The deadlines after it: {dates}."
    becomes = f"The schedule of {game.name} becomes: {describe(schedule)}"
    return f"{becomes} (it is: {game.schedule}). {coming_then}"


def schedule(visit: Visit, command: SetSchedule) -> str:
    """SCHEDULE."""
    game = mastered(visit, *UNDECIDED)
    schedule = read_schedule(command.schedule)
    _check_phases(visit, game, schedule)
    game.schedule = describe(schedule)
    # Every second week is counted from the deadline that stays.
    game.scheduled_at = game.deadline_at
    return noted_of_clock(visit, game, f"The GM changed the schedule: {game.schedule}.")


def preview_deadline(visit: Visit, command: SetDeadline) -> str:
    """DEADLINE is undone by the old deadline, which the preview shows."""
    game = mastered(visit, *BEGUN)
    return _preview_move(visit, game, command.due)


def deadline(visit: Visit, command: SetDeadline) -> str:
    """DEADLINE: the players are told at once."""
    return _move_and_tell(visit, mastered(visit, *BEGUN), command.due)


def preview_extend(visit: Visit, command: Extend) -> str:
    """EXTEND is undone by DEADLINE with the old deadline, which the preview shows."""
    game = mastered(visit, *BEGUN)
    return f"{_preview_move(visit, game, _extended(game, command))} {_left(game, command)}"


def extend(visit: Visit, command: Extend) -> str:
    """EXTEND: the players are told at once."""
    game = mastered(visit, *BEGUN)
    _check(visit, _extended(game, command))
    deadlines.extend(visit.session, game, command.span, visit.now)
    return _tell_moved(visit, game)


def preview_remind(visit: Visit, _command: Remind) -> str:
    """REMIND sends letters, which nobody can take back."""
    game = mastered(visit, GameStatus.RUNNING)
    rows = reminders.within_reach(visit.desk, game)
    names = [row.name for row in rows]
    if not names:
        owing = reminders.owing(visit.session, visit.site, game)
        reason = "All who owe orders are away" if owing else "Nobody owes orders"
        raise Mistake(f"{reason} for turn {game.turn} of {game.name}.")
    return f"A reminder of turn {game.turn} goes to: {', '.join(names)}."


def remind(visit: Visit, _command: Remind) -> str:
    """REMIND."""
    game = mastered(visit, GameStatus.RUNNING)
    rows = reminders.remind_now(visit.desk, game, visit.row.id)
    told = f"Reminded of turn {game.turn}: {', '.join(row.name for row in rows) or 'nobody'}."
    return noted_quietly(visit, game, told, told)


def preview_adjudicate(visit: Visit, _command: Adjudicate) -> str:
    """ADJUDICATE can be undone by ROLLBACK alone."""
    game = mastered(visit, GameStatus.RUNNING)
    owing = ", ".join(row.name for row in reminders.owing(visit.session, visit.site, game))
    waiting = f"No orders came from: {owing}." if owing else "All orders are there."
    return f"Turn {game.turn} of {game.name} is resolved at once, before its deadline. {waiting}"


def adjudicate(visit: Visit, _command: Adjudicate) -> str:
    """ADJUDICATE makes the turn due; letters that came before are read first."""
    game = mastered(visit, GameStatus.RUNNING)
    game.ready_at = visit.now
    what = f"The GM had turn {game.turn} resolved before its deadline."
    return _noted_at_once(visit, game, what)


def _noted_at_once(visit: Visit, game: Game, what: str) -> str:
    """Write the change down for everybody; its deadline does not matter any more."""
    noted(visit, game, what)
    return f"Turn {game.turn} is resolved now. All players read in the report: {what}"


def _extended(game: Game, command: Extend) -> datetime:
    """Raises Mistake when the turn may not be extended by so much."""
    assert game.deadline_at is not None
    advice = "EXTENSIONS sets how much a turn may be."
    deadlines.check_extension(game, command.span, advice)
    return game.deadline_at + command.span


def _left(game: Game, command: Extend) -> str:
    left = deadlines.left_to_extend(game) - command.span
    return f"After that it can be extended by {in_words(left)} more." if left else ""


def _check_phases(visit: Visit, game: Game, schedule: Schedule) -> None:
    ruleset = ruleset_of(visit.site.rulesets, game.ruleset)
    check_phases(schedule, ruleset.info)


def _coming(visit: Visit, schedule: Schedule, due: datetime | None) -> list[Moment]:
    first = due if due is not None else first_deadline(schedule, visit.now)
    following = coming(schedule, first, _SHOWN)
    moments = following if due is not None else [first, *following[:-1]]
    return [Moment(moment, visit.zone) for moment in moments]


def _preview_move(visit: Visit, game: Game, due: datetime) -> str:
    _check(visit, due)
    assert game.deadline_at is not None
    return (
        f"Turn {game.turn} of {game.name} is due on {Moment(due, visit.zone)} "
        f"(it was due on {Moment(game.deadline_at, visit.zone)}). The players are told at once. "
        "The turns after it follow the schedule."
    )


def _move_and_tell(visit: Visit, game: Game, due: datetime) -> str:
    _check(visit, due)
    deadlines.move(visit.session, game, due, visit.now)
    return _tell_moved(visit, game)


def _tell_moved(visit: Visit, game: Game) -> str:
    assert game.deadline_at is not None
    what = f"The GM moved the deadline of turn {game.turn} to {Moment(game.deadline_at, 'UTC')}."
    announce(visit, game, f"The GM moved the deadline of turn {game.turn}.")
    return noted_of_clock(visit, game, what)


def _check(visit: Visit, due: datetime) -> None:
    if due <= visit.now:
        raise Mistake(f"{Moment(due, visit.zone)} has passed. ADJUDICATE resolves the turn now.")
    if due > visit.now + _FARTHEST:
        raise Mistake(f"A deadline lies at most {_FARTHEST.days} days ahead. HOLD stops a game.")
