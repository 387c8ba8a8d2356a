"""The last change of a game by each GM: what UNDO takes back, and what it would be too late for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from referee.desk.games import deadlines, start_terms
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    UNDECIDED,
    announce_change,
    begin_clock_change,
    refuse_player,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.domain.deadlines import closing
from referee.domain.gm_commands import TakeBack
from referee.domain.schedules import in_words
from referee.domain.tokens import Kind
from referee.letters.outgoing.local_time import Moment
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.database.base import table
from referee.store.games import agenda, press, votes
from referee.store.games.agenda import AgendaTopic
from referee.store.games.reminders import check_reminders
from referee.store.models import Game, GameMaster, GameStatus

_CLOCK: Final = frozenset(
    (
        *("status", "deadline_at", "deadline_offset_seconds", "scheduled_at", "extended_seconds"),
        *("remaining_seconds", "hold_ends_at", "hold_seconds", "paused_by_vote"),
    )
)
"""The columns of the clock of a game that has begun."""
_COLUMNS: Final = (
    *sorted(_CLOCK),
    *("title", "options", "options_of_house", "places", "trust", "starts_at", "call_off_at"),
    *("schedule", "extension_seconds", "grace_seconds", "bank_seconds", "missed_limit"),
    *("reminders", "press_rule", "press_anonymous", "press_at_once"),
    *("press_broadcast", "press_limit", "press_kilobytes", "observers_behind"),
)
"""The columns of a game that UNDO brings back."""
_AT_ONCE: Final = {"trust": "address", "private": False, "awaited": True}
"""The values of house options by which somebody learns or does something at once."""


@dataclass(frozen=True, slots=True)
class Before:
    """A game before a letter of its GM: its columns as they are stored, and when it goes on."""

    columns: Mapping[str, Any]
    ends_at: datetime | None


def before(game: Game) -> Before:
    """Return the game as it is now."""
    return Before({name: _stored(getattr(game, name)) for name in _COLUMNS}, _ends_at(game))


def why_lasting(context: LetterContext, game: Game, was: Before) -> str:
    """Return why UNDO would not take back all that a letter did to the game, or "".

    It could come too late: for a turn that is resolved, or a game that starts or is called off
    before its GM has looked again. The reason of a change is no more than the change: who reads it
    also reads the UNDO.
    """
    if game.status is GameStatus.FORMING and _starts_now(context, game):
        return "The game starts with it."
    now, least = context.now, deadlines.shortest_turn(game)
    end = _ends_at(game)
    if end is not None and end < min(was.ends_at or now + least, now + least):
        what = "called off" if game.status is GameStatus.FORMING else "resolved"
        which = game.name if game.status is GameStatus.FORMING else f"turn {game.turn}"
        return f"With it, {which} is {what} in less than {in_words(least)}."
    old, new = was.columns["options_of_house"], game.options_of_house
    changed = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    if game.trust != was.columns["trust"] and game.trust == _AT_ONCE["trust"]:
        return "Until you take it back, emails count that anyone could have sent."
    if any(name in changed and new.get(name) is value for name, value in _AT_ONCE.items()):
        return "Others see at once what they could not see."
    if any(name.startswith("vote_") for name in changed) and votes.running(context.session, game):
        return "An open vote could be decided by it."
    return ""


def note(context: LetterContext, was: Before | None, *, all_of_it: bool) -> None:
    """Keep the letter as the last change of its GM, if it changed the game.

    *all_of_it* says that UNDO takes back all of what it did.
    """
    game = context.identity.game
    if game is None or was is None or not context.changes:
        return
    gm, now = _master(context, game), before(game).columns
    changed = [name for name in _COLUMNS if now[name] != was.columns[name]]
    if gm is not None:
        gm.last_change = {
            "letter": context.row.id,
            "turn": game.turn,
            "what": " ".join(context.changes),
            "told": " ".join(what for what, public in context.changes.items() if public),
            "before": {name: was.columns[name] for name in changed} if all_of_it else {},
            "after": {name: now[name] for name in changed} if all_of_it else {},
        }
        if changed and all_of_it:
            context.note = f"{context.note} UNDO takes this email back.".strip()
    if commands := context.undoes.values():
        take = "take" if len(commands) > 1 else "takes"
        context.note = f"{context.note} {listed(commands)} {take} it back.".strip()


@command(TakeBack, "UNDO", For.GM, Effect.CHANGES, shown_in="gm_undo")
def take_back(context: LetterContext, _given: TakeBack) -> Deed:
    """UNDO. It brings back the game as it was before the last email by which this GM changed it.

    The players read it in the next report, and are notified of the deadline at once. Raises
    UserError if nothing can be taken back: the turn is resolved, somebody has changed the same
    since, or not all of it can be undone.
    """
    game = require_gm(context, *UNDECIDED)
    if context.identity.asked(Kind.QUESTION) is not None:
        raise UserError("Nothing of the email that we asked about was done. Do not confirm it.")
    gm = _master(context, game)
    last = gm.last_change if gm is not None else None
    if gm is None or last is None:
        raise UserError(f"You have changed nothing in {game.name} that UNDO can take back.")
    if context.changes:
        raise UserError("This email has already changed the game. Send UNDO in a separate email.")
    what, old = last["what"], last["before"]
    if not old:
        raise UserError(f"UNDO cannot take this back: {what} HELP GM shows what changes it.")
    if last["letter"] > context.row.id:
        raise UserError(
            f"You did this after you had sent the UNDO. To take it back, send it again: {what}"
        )
    if last["turn"] != game.turn:
        raise UserError(f"The turn in which you did this is resolved: {what}")
    now = before(game).columns
    if any(now[name] != value for name, value in last["after"].items()):
        raise UserError(f"This was changed again since, so it stays: {what}")
    _check_clock(context, game, old)

    def undo() -> str:
        gm.last_change = None
        _restore(context, game, old)
        told = announce_change(context, game, f"The GM took this back: {last['told']}")
        # It is no change that another UNDO takes back.
        context.changes.clear()
        return told

    says = f"UNDO takes back what your last email changed in {game.name}: {what}"
    return Deed(f"{says}{_until(context, game, old)}", undo)


def _until(context: LetterContext, game: Game, old: Mapping[str, Any]) -> str:
    """Return until when the turn takes orders once the columns are back, as a sentence, or ""."""
    due = _loaded("deadline_at", old.get("deadline_at", _stored(game.deadline_at)))
    if due is None or not {"deadline_at", "grace_seconds"} & old.keys():
        return ""
    schedule = read_schedule(old.get("schedule", game.schedule))
    grace = timedelta(seconds=old.get("grace_seconds", game.grace_seconds))
    closes = closing(schedule, due, grace)
    if closes <= context.now:
        return f" Turn {game.turn} is resolved then, without waiting any longer."
    return f" Turn {game.turn} then takes orders until {Moment(closes, context.zone)}."


def _check_clock(context: LetterContext, game: Game, old: Mapping[str, Any]) -> None:
    """Raise UserError if the deadline to bring back has passed, or is near and the GM plays."""
    due, status = old.get("deadline_at", _stored(game.deadline_at)), old.get("status")
    is_running = status == GameStatus.RUNNING.value or (
        status is None and game.status is GameStatus.RUNNING
    )
    if not (_CLOCK & old.keys()) or due is None or not is_running:
        return
    at, least = datetime.fromisoformat(due), deadlines.shortest_turn(game)
    if at <= context.now:
        raise UserError(
            f"The deadline before it has passed: {Moment(at, context.zone)}. DEADLINE with a day "
            "and an hour sets another one."
        )
    if at < context.now + least and at != game.deadline_at:
        refuse_player(context, game, f"leave less than {in_words(least)} for a turn")


def _restore(context: LetterContext, game: Game, old: Mapping[str, Any]) -> None:
    """Set the columns, and all that follows from them."""
    session, moves = context.session, bool(_CLOCK & old.keys())
    if moves and game.deadline_at is not None:
        begin_clock_change(context, game)
    for name, value in old.items():
        setattr(game, name, _loaded(name, value))
    session.flush()
    # The press rules are made of their columns when the row is loaded.
    session.refresh(game)
    agenda.schedule(session, game)
    if game.status is GameStatus.FORMING:
        agenda.schedule(session, game, AgendaTopic.START)
    if game.hold_ends_at is not None:
        agenda.schedule(session, game, AgendaTopic.HOLDS)
    if moves and game.deadline_at is not None:
        deadlines.move(session, game, game.deadline_at, context.now)
    deadlines.close(game)
    press.follow(session, game)
    check_reminders(game)


def _master(context: LetterContext, game: Game) -> GameMaster | None:
    """Return the GM who sent the letter."""
    person = context.identity.person
    return next((gm for gm in game.gms if person and gm.person_id == person.id), None)


def _ends_at(game: Game) -> datetime | None:
    """Return when the clock does what nobody can undo: resolve the turn, or call the game off."""
    if game.status is GameStatus.FORMING:
        return game.call_off_at
    if game.status is not GameStatus.RUNNING:
        return None
    return min(filter(None, (game.closes_at, game.ready_at)), default=None)


def _starts_now(context: LetterContext, game: Game) -> bool:
    is_full = len(game.seats) >= game.places
    return is_full and start_terms.starts_when_full(game, context.now)


def _stored(value: Any) -> Any:
    """Return a value of a column as JSON has it."""
    match value:
        case datetime():
            return value.isoformat()
        case Enum():
            return value.value
        case _:
            return value


def _loaded(name: str, value: Any) -> Any:
    """Return the value of a column from what JSON has."""
    kind: type[Any] = table(Game).c[name].type.python_type
    if isinstance(value, str) and issubclass(kind, datetime):
        return datetime.fromisoformat(value)
    return kind(value) if issubclass(kind, Enum) else value
