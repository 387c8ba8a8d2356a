"""When a game starts: as soon as it is full, on a day, or when its GM starts it; or never."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from referee.desk.base.loaded_games import choose, house_options
from referee.domain.house_rules import StartRule
from referee.letters.outgoing.local_time import Moment
from referee.store.models import LONG_AGO, Game

FOR_ONE: Final = (
    "A turn is resolved when you say FINAL. If it is due and no orders of yours are on file, the "
    "game ends, without another email. RESIGN ends it earlier."
)
"""How the turns of a game of one person against robots go."""


def set_rule(game: Game, rule: StartRule, at: datetime | None = None) -> None:
    """Set the start of a full game: by *rule*, or at the moment *at*."""
    choose(game, {"start": rule.value})
    game.starts_at = at


def waits_for_gm(game: Game) -> bool:
    """Return whether a full game still waits for its GM to start it."""
    return game.starts_at is None and _is_by_gm(game)


def say_start(game: Game) -> None:
    """Start the game as soon as it is full, because its GM has written START."""
    game.starts_at = LONG_AGO


def starts_when_full(game: Game, now: datetime) -> bool:
    """Return whether nothing but free seats keeps the game from starting."""
    return not waits_for_gm(game) and (game.starts_at is None or game.starts_at <= now)


def in_words(game: Game, zone: str = "UTC") -> Iterator[str]:
    """Yield when a forming game starts, and when it is called off."""
    if game.for_one:
        yield FOR_ONE
        return
    if game.starts_at is not None and game.starts_at != LONG_AGO:
        on = Moment(game.starts_at, zone)
        yield f"The game starts on {on} if all seats are taken, else as soon as they are."
    elif _is_by_gm(game):
        yield "The game starts when its GM sends START."
    else:
        yield "The game starts when all seats are taken, or when the GM sends START."
    if game.call_off_at is not None:
        by = Moment(game.call_off_at, zone)
        yield f"If it has not started by {by}, it is called off."


def when_full(game: Game, now: datetime, zone: str) -> str:
    """Return the next event in a forming game that is full, for its GM."""
    if waits_for_gm(game):
        return "The game is then full, and START starts it."
    if not starts_when_full(game, now):
        assert game.starts_at is not None
        return f"The game is then full, and starts on {Moment(game.starts_at, zone)}."
    return "The game is then full and starts."


def if_last(game: Game, now: datetime, zone: str) -> str:
    """Return the event of filling a forming game's last seat, with a blank before it, or ""."""
    is_last = len(game.seats) + 1 == game.places
    return f" {when_full(game, now, zone)}" if is_last else ""


def _is_by_gm(game: Game) -> bool:
    return StartRule(house_options(game)["start"]) is StartRule.GM
