"""The blocks of a ruleset's reports, independent of how they are drawn."""

from dataclasses import dataclass
from enum import Enum


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
    """Text that stays exactly as it is, at most 78 columns wide.

    If it *wraps*, its lines are records, which a narrow screen can break between words and behind
    commas. Other lines, such as those of a map, are never broken.
    """

    text: str
    title: str = ""
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences below each other; in text, further lines of one are indented by two."""

    sentences: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class News(Sentences):
    """The news with which a whole report opens; *weights* has the name of each one's Weight."""

    weights: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Log(Sentences):
    """The place of the turn's log in a view: the reader's events of weight DETAIL, by heading.

    *headings* gives their sequence; others come last. The core puts the sentences there. A view
    without a Log has the log at its end.
    """

    sentences: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()


class Sighting(Enum):
    """How well a place is known: its present state, a past state, or only that it exists."""

    SEEN = "seen"
    REMEMBERED = "remembered"
    UNEXPLORED = "unexplored"


class Grid(Enum):
    """How the places of a map lie in the plane."""

    NONE = "none"
    """The rules know no coordinates: the drawing places what is linked close together."""
    PLANE = "plane"
    POINTY_HEXES = "pointy hexes"
    """Hexes with a point on top, in rows; (0, 0) of a plane is the middle of a hex."""
    FLAT_HEXES = "flat hexes"
    """Hexes with an edge on top, in columns; (0, 0) of a plane is the middle of a hex."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of a panel, with the middles of the hexes at its edges."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a map that is drawn on its own: a level, a galaxy, a region.

    Only panels of one *plane* have distances between them: in a plane with levels, a distance is
    the greater one of the distance in the plane and the difference between the levels. All hexes
    of the *area* are drawn, whatever the reader knows of them.
    """

    key: str
    title: str
    plane: str = ""
    level: int = 0
    area: Area | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot of a panel: *x* to the right and *y* down. The next hex is 1 away."""

    panel: str
    x: float
    y: float


class Mark(Enum):
    """Something at a place, drawn as a shape."""

    HOME = "home"
    PRODUCTION = "production"
    PEOPLE = "people"
    FORTRESS = "fortress"
    SIEGE = "siege"
    STORM = "storm"
    NEBULA = "nebula"
    PORTAL = "portal"
    TELEPORTER = "teleporter"
    WORMHOLE = "wormhole"
    BLACK_HOLE = "black hole"
    TRADER = "trader"
    PIRATES = "pirates"
    MERCENARIES = "mercenaries"


class UnitKind(Enum):
    """The kind of a unit, which decides its shape."""

    FLEET = "fleet"
    SHIP = "ship"
    BASE = "base"
    GARRISON = "garrison"
    """Ships that stay with their place."""
    MERCENARY = "mercenary"
    UNKNOWN = "unknown"
    """Ships of which the reader knows only that they are there."""
    TREASURE = "treasure"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit at a place: its name as one types it in orders, its owner, and a line about it.

    *force* is so short that a picture shows it after the name: ``2T1C``. *reach* is how far it
    can move in a turn, in hexes or gates: 0 if it cannot, or nobody knows.
    *spot* is where it is if that is not the middle of its place.
    """

    key: str
    owner: str
    kind: UnitKind
    text: str = ""
    reach: int = 0
    spot: Spot | None = None
    force: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A place on a map: its name, the lines in it, and its owner (empty: none).

    *since* is the turn in which the reader learned that the place exists. *spot* is None if the
    rules know no coordinates. *details* are more lines, which a picture has no room for.
    """

    key: str
    lines: tuple[str, ...]
    owner: str = ""
    sighting: Sighting = Sighting.SEEN
    since: int = 0
    spot: Spot | None = None
    marks: tuple[Mark, ...] = ()
    units: tuple[Unit, ...] = ()
    details: tuple[str, ...] = ()


class LinkKind(Enum):
    """The kind of a link."""

    WAY = "way"
    """A way that the rules know, in both directions: a gate, a transport line."""
    NEAR = "near"
    """Places that lie near each other. It is not drawn where places have spots."""
    JUMP = "jump"
    """A way from *one* to *other* only, however far that is."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two places, by their keys; *since* is the turn in which it became known."""

    one: str
    other: str
    since: int = 0
    kind: LinkKind = LinkKind.WAY


@dataclass(frozen=True, slots=True)
class Ground:
    """A hex that the reader knows, with its name as one types it, with a place or without."""

    spot: Spot
    name: str = ""
    sighting: Sighting = Sighting.SEEN


@dataclass(frozen=True, slots=True)
class Range:
    """All that is at most *reach* from one of some places, such as where colonies supply fleets."""

    title: str
    reach: int
    around: tuple[str, ...]
    """The keys of the places."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A map: places and the links between them.

    Without a grid it is drawn turn by turn, so that a place stays where it was first drawn. With
    one, each node has a spot, and *ground* has the hexes that are drawn below. *owners* get their
    letters in this sequence, the reader first. New ones come last, so that all keep theirs. A map
    of nobody has none.
    """

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    title: str = ""
    owners: tuple[str, ...] = ()
    grid: Grid = Grid.NONE
    panels: tuple[Panel, ...] = ()
    ground: tuple[Ground, ...] = ()
    ranges: tuple[Range, ...] = ()

    def is_of_reader(self, owner: str) -> bool:
        """Return whether *owner* is the reader of the map."""
        return bool(owner) and self.owners[:1] == (owner,)

    def neighbours(self, key: str) -> frozenset[str]:
        """Return the keys of the places that are linked with a place."""
        return frozenset(
            link.other if link.one == key else link.one
            for link in self.links
            if key in (link.one, link.other)
        )


Block = Prose | Table | Verbatim | Sentences | Chart
View = tuple[Block, ...]
