"""The house rules of a game as a value: chapters of sentences, with a version."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the house rules say of one thing, a sentence or two on each line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HouseRulesText:
    """The house rules; *changed_turn* is when they were changed last after the start, if ever."""

    game: str
    title: str
    version: int
    changed_turn: int | None
    chapters: tuple[Chapter, ...]
