"""The parts of a picture: lines, boxes, discs, paths and words with pixel positions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.views import Sighting

Point = tuple[float, float]
Dash = tuple[int, int]
"""The lengths of a dash and of the gap after it."""

PAPER, INK, FAINT, LINE = "#ffffff", "#16191d", "#6c757d", "#adb5bd"
SOLID: Final[Dash] = (0, 0)
OWN: Final = 3
"""The thickness of the border around a place of the map's reader."""


@dataclass(frozen=True, slots=True)
class Path:
    """A line from point to point, or if it is closed a polygon; without *fill* only its edge."""

    points: tuple[Point, ...]
    fill: str = ""
    edge: str = INK
    thickness: float = 1
    dash: Dash = SOLID
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Box:
    """A box with round corners: its left upper corner, its size, its colours."""

    x: int
    y: int
    width: int
    height: int
    fill: str
    edge: str
    thickness: int = 1
    dash: Dash = SOLID


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle around its middle."""

    x: float
    y: float
    radius: float
    fill: str = ""
    edge: str = INK
    thickness: float = 1


@dataclass(frozen=True, slots=True)
class Word:
    """A line of text; x is its left side, and y its middle. *width* is how wide it is drawn."""

    x: float
    y: float
    text: str
    size: int
    colour: str
    width: float


Shape = Path | Box | Disc | Word


def stroke(one: Point, other: Point, colour: str, thickness: float = 1, dash: Dash = SOLID) -> Path:
    """Return a straight line."""
    return Path((one, other), "", colour, thickness, dash, closed=False)


@dataclass(frozen=True, slots=True)
class Sketch:
    """A picture: its size, and its shapes from the bottom to the top."""

    width: int
    height: int
    title: str
    shapes: tuple[Shape, ...]


LOOKS: Final[Mapping[Sighting, tuple[str, str, Dash]]] = {
    Sighting.SEEN: (PAPER, INK, SOLID),
    Sighting.REMEMBERED: ("#e9ecef", FAINT, (5, 3)),
    Sighting.UNEXPLORED: (PAPER, FAINT, (2, 3)),
}
