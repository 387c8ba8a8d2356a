"""The printout as values: the content of a player's report before it is text (s27)."""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from referee.rulesets.starweb.orders import ArtifactNumber, FleetNumber, WorldNumber
from referee.rulesets.starweb.state import Character


class Relation(Enum):
    """The relation of a player to one whom they have met (s13, s17)."""

    MET = "Met"
    ALLY = "Ally"
    LOADER = "Loader"
    ALLY_LOADER = "Ally/Loader"


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A player who has been met, and the relation to them."""

    relation: Relation
    name: str


# Every letter with orders makes dozens of these two records, and tuples are made quickest.
class FleetRecord(NamedTuple):
    """A key with its ships, listed under its world; an empty name means no player."""

    number: FleetNumber
    owner: str = ""
    ships: int = 0
    captured: bool = False
    lost_by: str = ""
    gift_from: str = ""
    did: tuple[str, ...] = ()
    """The acts of the fleet: ``Moved``, ``AF37``, ``D``, ``R``, ``N``, ``Ambush`` or the like."""
    cargo: int = 0
    at_peace: bool = False
    bomb: bool = False
    bomb_built: bool = False
    artifacts: tuple[ArtifactNumber, ...] = ()


@dataclass(frozen=True, slots=True)
class DepartureRecord:
    """A fleet that left for the world *to*."""

    fleet: FleetNumber
    owner: str
    to: WorldNumber


class WorldRecord(NamedTuple):
    """A world with its fleets and departures; an empty name means no player."""

    number: WorldNumber
    gates: tuple[WorldNumber, ...] | None = None
    """The worlds next door, or None if a record leaves them out."""
    owner: str = ""
    apostle: str = ""
    black_hole: bool = False
    captured: bool = False
    lost_by: str = ""
    gift_from: str = ""
    busted: bool = False
    industry: int = 0
    usable: int = 0
    metal: int = 0
    mines: int = 0
    population: int = 0
    robots: bool = False
    converts: int = 0
    limit: int = 0
    turns: int = 0
    iships: int = 0
    iships_did: str = ""
    pships: int = 0
    pships_did: str = ""
    deaths: int = 0
    convert_deaths: int = 0
    plunders: int = 0
    recovery: int = 0
    goods: int = 0
    artifacts: tuple[ArtifactNumber, ...] = ()
    fleets: tuple[FleetRecord, ...] = ()
    departures: tuple[DepartureRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Holdings:
    """The totals of a player: ships include home fleets, people do not include robots."""

    score: int = 0
    worlds: int = 0
    keys: int = 0
    ships: int = 0
    industry: int = 0
    mines: int = 0
    people: int = 0
    converts: int = 0
    robots: int = 0
    artifacts: int = 0


@dataclass(frozen=True, slots=True)
class Sign:
    """The sign of a player, one or two lines (s26)."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderEcho:
    """The orders as they were read: their number, and the words and comments of the echo."""

    count: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Printout:
    """A whole report to a player."""

    game: str
    turn: int
    name: str
    character: Character
    holdings: Holdings
    acquaintances: tuple[Acquaintance, ...] = ()
    worlds: tuple[WorldRecord, ...] = ()
    seen: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    signs: tuple[Sign, ...] = ()
    echo: OrderEcho | None = None
    """None in the report before the first orders."""
    due: str = ""
    """The deadline for orders; empty if there is none."""


_LABELS: Final = {
    "iships": "I-Ships",
    "iships_did": "what the I-Ships did",
    "pships": "P-Ships",
    "pships_did": "what the P-Ships did",
    "did": "what it did",
}


def label(name: str) -> str:
    """Return the words for the value called *name* in a record."""
    return _LABELS.get(name, name.replace("_", " "))


def in_words(value: Any) -> str:
    """Return a value of a record in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return " ".join(in_words(part) for part in value) or "none"
    if isinstance(value, DepartureRecord):
        return f"F{value.fleet}[{value.owner}]-->W{value.to}"
    return str(value) or "none"
