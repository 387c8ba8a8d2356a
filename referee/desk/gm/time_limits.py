"""Time limits of a game: grace, extensions, the time bank, missed turns and reminders."""

from datetime import timedelta
from typing import Final

from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce_change,
    as_it_is,
    refuse_player,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.domain.gm_commands import SetBank, SetExtensions, SetGrace, SetMissed, SetReminders
from referee.domain.schedules import in_words
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.games import agenda
from referee.store.games.reminders import check_reminders
from referee.store.models import Game

_MOST_GRACE: Final = timedelta(days=7)
_MOST_BANK: Final = timedelta(days=30)
_MOST_EXTENSIONS: Final = timedelta(days=366)
_MOST_BY_PLAYER: Final = timedelta(days=14)
"""The longest extension that a GM who plays can allow in a game that has begun."""
_MOST_REMINDERS: Final = 10


def preview_extensions(context: LetterContext, command: SetExtensions) -> str:
    """Return the preview of EXTENSIONS, with the old value that undoes it."""
    game = _game_to_extend(context, command)
    now = _now(game.extension_seconds, "no extensions")
    return f"{_extensions(command.most, f' of {game.name}')} ({now})."


def set_extensions(context: LetterContext, command: SetExtensions) -> str:
    """Handle EXTENSIONS."""
    game = _game_to_extend(context, command)
    game.extension_seconds = int(command.most.total_seconds())
    return announce_change(context, game, f"{_extensions(command.most)}.")


def preview_grace(context: LetterContext, command: SetGrace) -> str:
    """Return the preview of GRACE, with the old value that undoes it."""
    game = _game(context, "a grace period", command.span, _MOST_GRACE, "grace_seconds")
    now = _now(game.grace_seconds, "no grace")
    later = ", and turns are resolved that much later" if command.span else ""
    return f"In {game.name} {_grace(command.span)}{later} ({now})."


def set_grace(context: LetterContext, command: SetGrace) -> str:
    """Handle GRACE. It applies to the current turn already."""
    game = _game(context, "a grace period", command.span, _MOST_GRACE, "grace_seconds")
    game.grace_seconds = int(command.span.total_seconds())
    text = _grace(command.span)
    return announce_change(context, game, f"{text[0].upper()}{text[1:]}.")


def preview_bank(context: LetterContext, command: SetBank) -> str:
    """Return the preview of BANK, with the old value that undoes it."""
    game = _game(context, "a time bank", command.span, _MOST_BANK, "bank_seconds")
    now = _now(game.bank_seconds, "no time bank")
    if not command.span:
        return f"No turn of {game.name} waits for a seat that would miss it ({now})."
    return (
        f"When a seat in {game.name} would miss its first turn, the deadline moves by "
        f"{in_words(command.span)} for everyone, once for each seat ({now})."
    )


def set_bank(context: LetterContext, command: SetBank) -> str:
    """Handle BANK. A seat that has used its bank does not get it back."""
    game = _game(context, "a time bank", command.span, _MOST_BANK, "bank_seconds")
    game.bank_seconds = int(command.span.total_seconds())
    if not command.span:
        return announce_change(context, game, "No turn waits for a seat that would miss it.")
    span = in_words(command.span)
    return announce_change(
        context, game, f"A turn waits {span} for a seat that would miss its first one."
    )


def preview_missed(context: LetterContext, command: SetMissed) -> str:
    """Return the preview of MISSED, with the old number that undoes it."""
    game = _game_to_limit(context, command)
    return f"In {game.name} {_missed(command.limit)} (now: {_missed(game.missed_limit)})."


def set_missed(context: LetterContext, command: SetMissed) -> str:
    """Handle MISSED. The new limit applies from the next missed turn."""
    game = _game_to_limit(context, command)
    game.missed_limit = command.limit
    agenda.schedule(context.session, game)
    return announce_change(context, game, f"From now on {_missed(command.limit)}.")


def preview_reminders(context: LetterContext, command: SetReminders) -> str:
    """Return the preview of REMINDERS, with the old list that undoes it."""
    game = _game_to_remind(context, command)
    old = _list([timedelta(seconds=seconds) for seconds in game.reminders])
    return f"{_reminders(command.steps, f' of {game.name}')} (now: {old})."


def set_reminders(context: LetterContext, command: SetReminders) -> str:
    """Handle REMINDERS. Players who have set reminders of their own keep them."""
    game = _game_to_remind(context, command)
    game.reminders = _seconds(command)
    check_reminders(game)
    return announce_change(context, game, f"{_reminders(command.steps)}.")


def _game(context: LetterContext, what: str, span: timedelta, most: timedelta, column: str) -> Game:
    """Return the game whose *column* is to have this *span*, in seconds."""
    game = require_gm(context, *UNDECIDED)
    if span > most:
        raise UserError(f"That is too long for {what}: at most {in_words(most)}.")
    if getattr(game, column) == int(span.total_seconds()):
        raise as_it_is(game)
    return game


def _game_to_extend(context: LetterContext, command: SetExtensions) -> Game:
    game = _game(context, "an extension", command.most, _MOST_EXTENSIONS, "extension_seconds")
    if command.most > _MOST_BY_PLAYER and game.status in BEGUN:
        refuse_player(context, game, f"allow extensions of more than {in_words(_MOST_BY_PLAYER)}")
    return game


def _game_to_limit(context: LetterContext, command: SetMissed) -> Game:
    game = require_gm(context, *UNDECIDED)
    if game.missed_limit == command.limit:
        raise as_it_is(game)
    is_lower = command.limit and not 0 < game.missed_limit <= command.limit
    if is_lower and game.status in BEGUN:
        # They could give the seat to a friend then.
        refuse_player(context, game, "lower the number of turns that a player can miss")
    return game


def _game_to_remind(context: LetterContext, command: SetReminders) -> Game:
    game = require_gm(context, *UNDECIDED)
    if len(command.steps) > _MOST_REMINDERS:
        raise UserError(f"A turn can have at most {_MOST_REMINDERS} reminders.")
    if game.reminders == _seconds(command):
        raise as_it_is(game)
    return game


def _seconds(command: SetReminders) -> list[int]:
    return [int(step.total_seconds()) for step in command.steps]


def _missed(limit: int) -> str:
    if not limit:
        return "a player can miss any number of turns"
    turns = f"{limit} turns in a row" if limit > 1 else "a turn"
    return f"a player who misses {turns} can lose their seat"


def _extensions(most: timedelta, whose: str = "") -> str:
    if not most:
        return f"No turn{whose} can be extended"
    return f"A turn{whose} can be extended by {in_words(most)} in all"


def _grace(span: timedelta) -> str:
    if not span:
        return "no orders count after a deadline"
    return f"orders are accepted until {in_words(span)} after each deadline"


def _reminders(steps: tuple[timedelta, ...], whose: str = "") -> str:
    return f"Reminders{whose} go out {_list(steps)}" if steps else f"No reminders{whose} go out"


def _now(seconds: int, none: str) -> str:
    """Return the value before a command, which undoes it; *none* is the word for zero."""
    old = timedelta(seconds=seconds)
    return f"now: {in_words(old) if old else none}"


def _list(steps: tuple[timedelta, ...] | list[timedelta]) -> str:
    if not steps:
        return "never"
    return f"{listed(map(in_words, steps))} before each deadline"
