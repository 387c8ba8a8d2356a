"""What time a GM allows beside the deadlines: grace, extensions, a time bank, and reminders."""

from datetime import timedelta
from typing import Final

from referee.desk.mastery import UNDECIDED, mastered, noted
from referee.desk.visit import Visit
from referee.domain.gm_commands import SetBank, SetExtensions, SetGrace, SetMissed, SetReminders
from referee.domain.schedules import in_words
from referee.rules.ruleset import Mistake
from referee.store.models import Game

_MOST_GRACE: Final = timedelta(days=7)
_MOST_BANK: Final = timedelta(days=30)
_MOST_EXTENSIONS: Final = timedelta(days=366)
_MOST_REMINDERS: Final = 10


def preview_extensions(visit: Visit, command: SetExtensions) -> str:
    """EXTENSIONS is undone by the old span, which the preview shows."""
    game = _game(visit, "extended", command.most, _MOST_EXTENSIONS)
    most, old = _span(command.most), _span(timedelta(seconds=game.extension_seconds))
    return f"A turn of {game.name} may be extended by {most} in all (it was: {old})."


def set_extensions(visit: Visit, command: SetExtensions) -> str:
    """EXTENSIONS."""
    game = _game(visit, "extended", command.most, _MOST_EXTENSIONS)
    game.extension_seconds = int(command.most.total_seconds())
    return noted(visit, game, f"A turn may be extended by {_span(command.most)} in all.")


def preview_grace(visit: Visit, command: SetGrace) -> str:
    """GRACE is undone by the old span, which the preview shows."""
    game = _game(visit, "a grace", command.span, _MOST_GRACE)
    span, old = _span(command.span), _span(timedelta(seconds=game.grace_seconds))
    return (
        f"In {game.name} orders still count for {span} after each deadline, and turns are "
        f"resolved that much later (it was: {old})."
    )


def set_grace(visit: Visit, command: SetGrace) -> str:
    """GRACE holds for the running turn already."""
    game = _game(visit, "a grace", command.span, _MOST_GRACE)
    game.grace_seconds = int(command.span.total_seconds())
    return noted(visit, game, f"Orders still count for {_span(command.span)} after each deadline.")


def preview_bank(visit: Visit, command: SetBank) -> str:
    """BANK is undone by the old span, which the preview shows."""
    game = _game(visit, "a time bank", command.span, _MOST_BANK)
    span, old = _span(command.span), _span(timedelta(seconds=game.bank_seconds))
    return (
        f"When a seat of {game.name} would miss its first turn, the deadline moves by {span} for "
        f"everybody, once for each seat (it was: {old})."
    )


def set_bank(visit: Visit, command: SetBank) -> str:
    """BANK; what a seat has spent stays spent."""
    game = _game(visit, "a time bank", command.span, _MOST_BANK)
    game.bank_seconds = int(command.span.total_seconds())
    span = _span(command.span)
    return noted(visit, game, f"A turn waits {span} for a seat that would miss its first one.")


def preview_missed(visit: Visit, command: SetMissed) -> str:
    """MISSED is undone by the old number, which the preview shows."""
    game = mastered(visit, *UNDECIDED)
    return f"In {game.name} {_missed(command.limit)} (it was: {_missed(game.missed_limit)})."


def set_missed(visit: Visit, command: SetMissed) -> str:
    """MISSED holds from the next turn that is missed."""
    game = mastered(visit, *UNDECIDED)
    game.missed_limit = command.limit
    return noted(visit, game, f"From now on {_missed(command.limit)}.")


def preview_reminders(visit: Visit, command: SetReminders) -> str:
    """REMINDERS is undone by the old list, which the preview shows."""
    game = mastered(visit, *UNDECIDED)
    if len(command.steps) > _MOST_REMINDERS:
        raise Mistake(f"There are at most {_MOST_REMINDERS} reminders for a turn.")
    old = _list([timedelta(seconds=seconds) for seconds in game.reminders])
    return f"Reminders of {game.name} go out {_list(command.steps)} (it was: {old})."


def set_reminders(visit: Visit, command: SetReminders) -> str:
    """REMINDERS; a player may have chosen his own."""
    game = mastered(visit, *UNDECIDED)
    game.reminders = [int(step.total_seconds()) for step in command.steps]
    return noted(visit, game, f"Reminders go out {_list(command.steps)}.")


def _game(visit: Visit, what: str, span: timedelta, most: timedelta) -> Game:
    game = mastered(visit, *UNDECIDED)
    if span > most:
        raise Mistake(f"That is too long for {what}: at most {in_words(most)}.")
    return game


def _missed(limit: int) -> str:
    if not limit:
        return "a player may miss any number of turns"
    turns = f"{limit} turns in a row" if limit > 1 else "a turn"
    return f"a player who misses {turns} may lose his seat"


def _span(span: timedelta) -> str:
    return in_words(span) if span else "no time"


def _list(steps: tuple[timedelta, ...] | list[timedelta]) -> str:
    if not steps:
        return "never"
    *others, last = map(in_words, steps)
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{listed} before each deadline"
