"""The printout as values: what a player's report says, before it is text (s27)."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from referee.rulesets.starweb.orders import ArtifactNumber, FleetNumber, WorldNumber
from referee.rulesets.starweb.state import Character


class Relation(Enum):
    """What a player whom one has met is to oneself (s13, s17)."""

    MET = "Met"
    ALLY = "Ally"
    LOADER = "Loader"
    ALLY_LOADER = "Ally/Loader"


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A player one has met, and what he is to oneself."""

    relation: Relation
    name: str


# Dozens of these two are made for every letter with orders, and a tuple is made most quickly.
class FleetRecord(NamedTuple):
    """A key with its ships as it stands under its world; an empty name is nobody's."""

    number: FleetNumber
    owner: str = ""
    ships: int = 0
    captured: bool = False
    lost_by: str = ""
    gift_from: str = ""
    did: tuple[str, ...] = ()
    """What it did: ``Moved``, ``AF37``, ``D``, ``R``, ``N``, ``Ambush`` or the like."""
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
    """A world with its fleets and departures; an empty name is nobody's."""

    number: WorldNumber
    gates: tuple[WorldNumber, ...] | None = None
    """The worlds next door; None where a record leaves them out."""
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
    """What a player has in sum: ships on fleets and home fleets, people without robots."""

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
    """The orders as they were read: their number, and each word or ``<comment>`` of the echo."""

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
    """When orders are due; empty when none are."""
