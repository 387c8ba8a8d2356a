"""The tutorials of the rulesets: games for one whose reports teach, as data."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.resources import rulebook_file
from referee.rules.extras import extras_of
from referee.rules.ruleset import Ruleset
from referee.store.models import Game


@dataclass(frozen=True, slots=True)
class Exercise:
    """Orders to try, and what the next report says of them.

    An order whose canonical text matches *like* as a whole belongs to it. If none was sent,
    the report says *missing*; if one was not done, *failed*, or without it which one that was. An
    exercise without *done* and *missing* only says what else to try.
    """

    orders: tuple[str, ...]
    why: str
    like: re.Pattern[str]
    done: str = ""
    failed: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """The lesson in the report of one turn."""

    title: str
    say: str
    """Paragraphs, with an empty line between them."""
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True, slots=True)
class Tutorial:
    """A tutorial: the position, which is the same for everyone, and one step for each turn."""

    seed: bytes
    robots: int
    choices: tuple[str, ...]
    """The player's choices at JOIN."""
    steps: tuple[Step, ...]
    end: str
    """The text of the report after the last step."""


def tutorial_of(ruleset: Ruleset[Any, Any]) -> Tutorial | None:
    """Return the tutorial of a ruleset, or None.

    Raises ValueError, KeyError or TypeError if its file is wrong.
    """
    place = extras_of(ruleset).tutorial
    return _read(rulebook_file(place)) if place else None


def tutorial_in(game: Game, ruleset: Ruleset[Any, Any]) -> Tutorial | None:
    """Return the tutorial that is played in *game*, or None.

    The seed tells it from other games, so a game that began with an older file has no lessons.
    """
    found = tutorial_of(ruleset) if game.for_one else None
    return found if found is not None and found.seed == game.seed else None


@cache
def _read(path: Path) -> Tutorial:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    seed = hashlib.sha256(table.pop("seed").encode()).digest()
    return Tutorial(
        seed=seed,
        choices=tuple(table.pop("choices", ())),
        steps=tuple(map(_step, table.pop("step"))),
        **table,
    )


def _step(table: Mapping[str, Any]) -> Step:
    rest = {key: value for key, value in table.items() if key != "exercise"}
    return Step(exercises=tuple(map(_exercise, table.get("exercise", ()))), **rest)


def _exercise(table: Mapping[str, Any]) -> Exercise:
    orders = tuple(table["orders"])
    pattern = re.compile(table.get("like") or "|".join(map(re.escape, orders)), re.DOTALL)
    return Exercise(**{**table, "orders": orders, "like": pattern})
