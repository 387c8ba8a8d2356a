"""Time limits of a game: grace, extensions, the time bank, missed turns and reminders."""

from datetime import timedelta
from typing import Final

from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    refuse_player,
    require_gm,
    set_column,
)
from referee.desk.orders.letter_context import LetterContext
from referee.domain.gm_commands import SetBank, SetExtensions, SetGrace, SetMissed, SetReminders
from referee.domain.schedules import in_words
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.models import Game

_MOST_BY_PLAYER: Final = timedelta(days=14)
"""The longest extension that a GM who plays can allow in a game that has begun."""
_MOST_REMINDERS: Final = 10


@command(SetExtensions, "EXTENSIONS", For.GM, Effect.CONFIRMED, shown_in="gm_schedules")
def set_extensions(context: LetterContext, given: SetExtensions) -> Deed:
    """EXTENSIONS, which the old value undoes."""
    game = _game(context, "an extension", given.most, timedelta(days=366))
    now = _now(game.extension_seconds, "no extensions")
    says = f"{_extensions(given.most, f' of {game.name}')} ({now})."
    told = f"{_extensions(given.most)}."
    deed = set_column(context, game, "extension_seconds", _seconds(given.most), says, told)
    if given.most > _MOST_BY_PLAYER and game.status in BEGUN:
        refuse_player(context, game, f"allow extensions of more than {in_words(_MOST_BY_PLAYER)}")
    return deed


@command(SetGrace, "GRACE", For.GM, Effect.CONFIRMED, shown_in="gm_schedules")
def set_grace(context: LetterContext, given: SetGrace) -> Deed:
    """GRACE, which applies to the current turn already. The old value undoes it."""
    game, span = _game(context, "a grace period", given.span, timedelta(days=7)), given.span
    grace = "no orders count after a deadline"
    if span:
        grace = f"orders are accepted until {in_words(span)} after each deadline"
    later = ", and turns are resolved that much later" if span else ""
    says = f"In {game.name} {grace}{later} ({_now(game.grace_seconds, 'no grace')})."
    told = f"{grace[0].upper()}{grace[1:]}."
    return set_column(context, game, "grace_seconds", _seconds(span), says, told)


@command(SetBank, "BANK", For.GM, Effect.CONFIRMED, shown_in="time_bank")
def set_bank(context: LetterContext, given: SetBank) -> Deed:
    """BANK, which the old value undoes. A seat that has used its bank does not get it back."""
    game, span = _game(context, "a time bank", given.span, timedelta(days=30)), in_words(given.span)
    now = _now(game.bank_seconds, "no time bank")
    says = f"No turn of {game.name} waits for a seat that would miss it ({now})."
    told = "No turn waits for a seat that would miss it."
    if given.span:
        says = (
            f"When a seat in {game.name} would miss its first turn, the deadline moves by {span} "
            f"for everyone, once for each seat ({now})."
        )
        told = f"A turn waits {span} for a seat that would miss its first one."
    return set_column(context, game, "bank_seconds", _seconds(given.span), says, told)


@command(SetMissed, "MISSED", For.GM, Effect.CONFIRMED, shown_in="standby_silent")
def set_missed(context: LetterContext, given: SetMissed) -> Deed:
    """MISSED, which applies from the next missed turn. The old number undoes it."""
    game = require_gm(context, *UNDECIDED)
    is_lower = given.limit and not 0 < game.missed_limit <= given.limit
    if is_lower and game.status in BEGUN:
        # They could give the seat to a friend then.
        refuse_player(context, game, "lower the number of turns that a player can miss")
    says = f"In {game.name} {_missed(given.limit)} (now: {_missed(game.missed_limit)})."
    told = f"From now on {_missed(given.limit)}."
    return set_column(context, game, "missed_limit", given.limit, says, told)


@command(SetReminders, "REMINDERS", For.GM, Effect.CONFIRMED, shown_in="gm_schedules")
def set_reminders(context: LetterContext, given: SetReminders) -> Deed:
    """REMINDERS, which the old list undoes. Players who have set some of their own keep them."""
    game = require_gm(context, *UNDECIDED)
    if len(given.steps) > _MOST_REMINDERS:
        raise UserError(f"A turn can have at most {_MOST_REMINDERS} reminders.")
    old = _list([timedelta(seconds=seconds) for seconds in game.reminders])
    says = f"{_reminders(given.steps, f' of {game.name}')} (now: {old})."
    told, seconds = f"{_reminders(given.steps)}.", [_seconds(step) for step in given.steps]
    return set_column(context, game, "reminders", seconds, says, told)


def _game(context: LetterContext, what: str, span: timedelta, most: timedelta) -> Game:
    """Return the game. Raises UserError if the span is longer than it can be."""
    game = require_gm(context, *UNDECIDED)
    if span > most:
        raise UserError(f"That is too long for {what}: at most {in_words(most)}.")
    return game


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def _missed(limit: int) -> str:
    if not limit:
        return "a player can miss any number of turns"
    turns = f"{limit} turns in a row" if limit > 1 else "a turn"
    return f"a player who misses {turns} can lose their seat"


def _extensions(most: timedelta, whose: str = "") -> str:
    if not most:
        return f"No turn{whose} can be extended"
    return f"A turn{whose} can be extended by {in_words(most)} in all"


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
