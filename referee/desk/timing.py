"""When turns are due: what a GM changes of schedules and deadlines, and what he does at once."""

from datetime import datetime, timedelta

from referee.desk import reminders
from referee.desk.mastery import BEGUN, UNDECIDED, announce, mastered, noted, noted_quietly
from referee.desk.visit import Visit
from referee.domain.commands import Hold, Resume, SetSchedule
from referee.domain.deadlines import describe, next_deadline
from referee.domain.gm_commands import Adjudicate, Extend, Remind, SetDeadline
from referee.letters.moments import Moment
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import Mistake
from referee.store.models import Game, GameStatus

_FARTHEST = timedelta(days=366)


def preview_hold(visit: Visit, _command: Hold) -> str:
    """HOLD stops the clock of a game; RESUME undoes it."""
    game = mastered(visit, GameStatus.RUNNING)
    return f"No turn of {game.name} is resolved until you write RESUME. Orders are still taken."


def hold(visit: Visit, _command: Hold) -> str:
    """HOLD: the players are told at once."""
    game = mastered(visit, GameStatus.RUNNING)
    game.status = GameStatus.HELD
    what = "The GM put the game on hold."
    announce(visit, game, f"{what} No turn is resolved until it goes on; orders are still taken.")
    return noted(visit, game, what)


def preview_resume(visit: Visit, _command: Resume) -> str:
    """RESUME undoes HOLD."""
    game = mastered(visit, GameStatus.HELD)
    return f"{game.name} goes on; a deadline that has passed moves to the next one of its schedule."


def resume(visit: Visit, _command: Resume) -> str:
    """RESUME: the players are told at once."""
    game = mastered(visit, GameStatus.HELD)
    game.status = GameStatus.RUNNING
    if game.deadline_at is not None and game.deadline_at <= visit.now:
        schedule = read_schedule(game.schedule)
        _move(visit, game, next_deadline(schedule, game.deadline_at, visit.now))
    what = "The GM resumed the game."
    announce(visit, game, what)
    return noted(visit, game, what)


def preview_schedule(visit: Visit, command: SetSchedule) -> str:
    """SCHEDULE is undone by the old schedule, which the preview shows."""
    game = mastered(visit, *UNDECIDED)
    new = describe(read_schedule(command.schedule))
    return (
        f"The schedule of {game.name} becomes: {new} (it is: {game.schedule}). "
        "The running deadline stays."
    )


def schedule(visit: Visit, command: SetSchedule) -> str:
    """SCHEDULE."""
    game = mastered(visit, *UNDECIDED)
    game.schedule = describe(read_schedule(command.schedule))
    return noted(visit, game, f"The GM changed the schedule: {game.schedule}.")


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
    return _preview_move(visit, game, _extended(game, command))


def extend(visit: Visit, command: Extend) -> str:
    """EXTEND: the players are told at once."""
    game = mastered(visit, *BEGUN)
    return _move_and_tell(visit, game, _extended(game, command))


def preview_remind(visit: Visit, _command: Remind) -> str:
    """REMIND sends letters, which nobody can take back."""
    game = mastered(visit, GameStatus.RUNNING)
    names = [row.name for row in reminders.owing(visit.session, visit.house, game)]
    if not names:
        raise Mistake(f"Nobody owes orders for turn {game.turn} of {game.name}.")
    return f"A reminder of turn {game.turn} goes to: {', '.join(names)}."


def remind(visit: Visit, _command: Remind) -> str:
    """REMIND."""
    game = mastered(visit, GameStatus.RUNNING)
    rows = reminders.remind_now(visit.session, visit.house, game, visit.row.id, visit.now)
    told = f"Reminded of turn {game.turn}: {', '.join(row.name for row in rows) or 'nobody'}."
    return noted_quietly(visit, game, told, told)


def preview_adjudicate(visit: Visit, _command: Adjudicate) -> str:
    """ADJUDICATE can be undone by ROLLBACK alone."""
    game = mastered(visit, GameStatus.RUNNING)
    owing = ", ".join(row.name for row in reminders.owing(visit.session, visit.house, game))
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
    assert game.deadline_at is not None
    return game.deadline_at + command.span


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
    _move(visit, game, due)
    what = f"The GM moved the deadline of turn {game.turn} to {Moment(due, 'UTC')}."
    announce(visit, game, f"The GM moved the deadline of turn {game.turn}.")
    return noted(visit, game, what)


def _check(visit: Visit, due: datetime) -> None:
    if due <= visit.now:
        raise Mistake(f"{Moment(due, visit.zone)} has passed. ADJUDICATE resolves the turn now.")
    if due > visit.now + _FARTHEST:
        raise Mistake(f"A deadline lies at most {_FARTHEST.days} days ahead. HOLD stops a game.")


def _move(visit: Visit, game: Game, due: datetime) -> None:
    game.deadline_at = due
    reminders.forget(visit.session, game, visit.now)
