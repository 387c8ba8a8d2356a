"""The blocks of a ruleset's reports, independent of how they are drawn."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, which is wrapped to the width of the letter."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; a column is right-aligned if all its cells are numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text that stays exactly as it is, at most 78 columns wide."""

    text: str
    title: str = ""


class Sighting(Enum):
    """How well a place is known: its present state, a past state, or only that it exists."""

    SEEN = "seen"
    REMEMBERED = "remembered"
    UNEXPLORED = "unexplored"


@dataclass(frozen=True, slots=True)
class Node:
    """A place on a map: its name, the lines in it, and its owner (empty: none).

    *since* is the turn in which the reader learned that the place exists.
    """

    key: str
    lines: tuple[str, ...]
    owner: str = ""
    sighting: Sighting = Sighting.SEEN
    since: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two places, by their keys; *since* is the turn in which it became known."""

    one: str
    other: str
    since: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A map: places and the links between them.

    It is drawn turn by turn, so that a place stays where it was first drawn. *owners* get their
    colours in this sequence, the reader first.
    """

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    title: str = ""
    owners: tuple[str, ...] = ()

    def neighbours(self, key: str) -> frozenset[str]:
        """Return the keys of the places that are linked with a place."""
        return frozenset(
            link.other if link.one == key else link.one
            for link in self.links
            if key in (link.one, link.other)
        )


Block = Prose | Table | Verbatim | Chart
View = tuple[Block, ...]


def hanging(text: str) -> str:
    """Break a line of news for a Verbatim between words; further lines are indented by two."""
    return textwrap.fill(
        text, 76, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


class Told(Protocol):
    """A piece of news for a player, under a heading."""

    @property
    def heading(self) -> str:
        """The heading above it."""

    @property
    def text(self) -> str:
        """A sentence or more."""


def news(notes: Iterable[Told], headings: Sequence[str]) -> Iterator[Verbatim]:
    """Yield a block for each heading that has notes, in the sequence of *headings*."""
    told = sorted(notes, key=lambda note: headings.index(note.heading))
    for heading, group in groupby(told, key=lambda note: note.heading):
        yield Verbatim("\n".join(hanging(note.text) for note in group), heading)
