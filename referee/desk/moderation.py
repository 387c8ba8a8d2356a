"""Commands of consequence: shown first, carried out when the sender has confirmed them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from referee.desk import forming
from referee.desk.posting import Slip, mailbox
from referee.desk.visit import Visit
from referee.domain.commands import (
    Broadcast,
    Command,
    Create,
    Hold,
    Resign,
    Resume,
    SetSchedule,
    Start,
)
from referee.domain.deadlines import describe, next_deadline
from referee.letters.moments import Moment
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import Mistake
from referee.store import audit, games
from referee.store.models import Game, GameStatus, Press


@dataclass(frozen=True, slots=True)
class Consequence:
    """A command of consequence: the preview, and the deed, which says what was done.

    Both raise Mistake, in words for the sender, when it cannot be.
    """

    preview: Callable[[Visit, Any], str]
    deed: Callable[[Visit, Any], str]


def create(visit: Visit, command: Create) -> str:
    """CREATE opens a new game and changes none, so it is done at once; answered by a letter."""
    game, master, notice = forming.create(
        visit.session, visit.house, visit.identity.address, command, visit.now
    )
    slip = Slip(
        to=mailbox(master.person),
        serial="created",
        answers=visit.row,
        answered_id=visit.answered_id,
        game=game,
    )
    visit.letters.append((notice, slip))
    return ""


def _preview_start(visit: Visit, _command: Start) -> str:
    game = _mastered(visit, GameStatus.FORMING)
    names = ", ".join(row.name for row in game.seats) or "nobody"
    return f"{game.name} begins with {len(game.seats)} of {game.places} seats: {names}."


def _start(visit: Visit, _command: Start) -> str:
    game = _mastered(visit, GameStatus.FORMING)
    forming.start(visit.session, visit.house, game, visit.now)
    return f"{game.name} has begun."


def _preview_hold(visit: Visit, _command: Hold) -> str:
    game = _mastered(visit, GameStatus.RUNNING)
    return f"No turn of {game.name} is resolved until you write RESUME. Orders are still taken."


def _hold(visit: Visit, _command: Hold) -> str:
    game = _mastered(visit, GameStatus.RUNNING)
    game.status = GameStatus.HELD
    return _noted(visit, game, "The GM put the game on hold.")


def _preview_resume(visit: Visit, _command: Resume) -> str:
    game = _mastered(visit, GameStatus.HELD)
    return f"{game.name} goes on; a deadline that has passed moves to the next one of its schedule."


def _resume(visit: Visit, _command: Resume) -> str:
    game = _mastered(visit, GameStatus.HELD)
    game.status = GameStatus.RUNNING
    if game.deadline_at is not None and game.deadline_at <= visit.now:
        schedule = read_schedule(game.schedule)
        game.deadline_at = next_deadline(schedule, game.deadline_at, visit.now)
    return _noted(visit, game, "The GM resumed the game.")


def _preview_schedule(visit: Visit, command: SetSchedule) -> str:
    game = _mastered(visit, GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
    new = describe(read_schedule(command.schedule))
    return (
        f"The schedule of {game.name} becomes: {new} (it is: {game.schedule}). "
        "The running deadline stays."
    )


def _schedule(visit: Visit, command: SetSchedule) -> str:
    game = _mastered(visit, GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
    game.schedule = describe(read_schedule(command.schedule))
    return _noted(visit, game, f"The GM changed the schedule: {game.schedule}.")


def _preview_broadcast(visit: Visit, command: Broadcast) -> str:
    game = _mastered(visit, GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
    return f"This goes to all players of {game.name} with the next report:\n{command.text}"


def _broadcast(visit: Visit, command: Broadcast) -> str:
    game = _mastered(visit, GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
    visit.session.add(
        Press(
            game_id=game.id,
            turn=game.turn,
            letter_id=visit.row.id,
            sender=0,
            anonymous=False,
            recipients=[row.number for row in game.seats],
            text=command.text,
        )
    )
    return "Your message goes to all players with the next report."


def _preview_resign(visit: Visit, _command: Resign) -> str:
    row = visit.seat()
    return f"{row.name} of {row.game.name} is given up for good; you cannot take it back."


def _resign(visit: Visit, _command: Resign) -> str:
    row = visit.seat()
    if row.game.status is GameStatus.FORMING:
        games.remove_seat(visit.session, row)
    else:
        # Older tokens of the seat die with its epoch.
        row.person, row.epoch = None, row.epoch + 1
        audit.note(visit.session, row.game, row.name, f"{row.name} is vacant.", visit.now)
    return f"{row.name} is no longer yours. Thank you for playing."


CONSEQUENTIAL: Final[Mapping[type[Command], Consequence]] = {
    Start: Consequence(_preview_start, _start),
    Hold: Consequence(_preview_hold, _hold),
    Resume: Consequence(_preview_resume, _resume),
    SetSchedule: Consequence(_preview_schedule, _schedule),
    Broadcast: Consequence(_preview_broadcast, _broadcast),
    Resign: Consequence(_preview_resign, _resign),
}


def _mastered(visit: Visit, *statuses: GameStatus) -> Game:
    """Give the letter's game if the sender is its GM and it stands as it must."""
    game = visit.game()
    if not visit.identity.is_master:
        raise Mistake(f"Only the GM of {game.name} may do that.")
    if game.status not in statuses:
        raise Mistake(f"{game.name} is {game.status.value}, so that cannot be done.")
    return game


def _noted(visit: Visit, game: Game, what: str) -> str:
    audit.note(visit.session, game, "GM", what, visit.now)
    moment = Moment(game.deadline_at, visit.zone) if game.deadline_at is not None else None
    due = f" The running turn is due on {moment}." if moment is not None else ""
    return f"Done. All players read in the next report: {what}{due}"
