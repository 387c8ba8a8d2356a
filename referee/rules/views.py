"""The blocks a ruleset builds its reports from; how they are drawn is not its business."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; it is wrapped to the width of the letter."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; a column is right-aligned when all its cells are numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text that is exact to the character and stays as it is, at most 78 columns wide."""

    text: str
    title: str = ""


class Sighting(Enum):
    """How well a place is known: as it is now, as it once was, or only that one can go there."""

    SEEN = "seen"
    REMEMBERED = "remembered"
    UNEXPLORED = "unexplored"


@dataclass(frozen=True, slots=True)
class Node:
    """A place on a map: its name, the lines written in it, and whose it is (empty: nobody's).

    *since* is the turn in which the reader learned that the place exists.
    """

    key: str
    lines: tuple[str, ...]
    owner: str = ""
    sighting: Sighting = Sighting.SEEN
    since: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A way between two places, by their keys; *since* is the turn in which it became known."""

    one: str
    other: str
    since: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A map: places and the links between them.

    It is drawn in the sequence of the turns, so that what was drawn once stays where it is.
    *owners* are given their colours in this sequence, the reader first.
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
    """Break a line of news for a Verbatim between words; what follows stands two blanks in."""
    return textwrap.fill(
        text, 76, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


class Told(Protocol):
    """Something that a player is told, under a heading."""

    @property
    def heading(self) -> str:
        """The heading it is told under."""

    @property
    def text(self) -> str:
        """A sentence or more."""


def news(notes: Iterable[Told], headings: Sequence[str]) -> Iterator[Verbatim]:
    """Yield a block for each heading that has notes, in the sequence of *headings*."""
    told = sorted(notes, key=lambda note: headings.index(note.heading))
    for heading, group in groupby(told, key=lambda note: note.heading):
        yield Verbatim("\n".join(hanging(note.text) for note in group), heading)
