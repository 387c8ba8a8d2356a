"""The orders of The Singularity Trap, a class for each kind."""

from dataclasses import dataclass

from referee.rules.ruleset import Seat

ShipNumber = int


@dataclass(frozen=True, slots=True)
class Order:
    """The base class of all orders."""


@dataclass(frozen=True, slots=True)
class Scrap(Order):
    """``S17X``: scrap the ship (rule 7)."""

    ship: ShipNumber


@dataclass(frozen=True, slots=True)
class Repair(Order):
    """``S17R3``, ``S17RSWD``: repair this many points, or these units (rule 8)."""

    ship: ShipNumber
    points: int = 0
    units: str = ""


@dataclass(frozen=True, slots=True)
class Hide(Order):
    """``S17H``: make the ship dark (rule 9)."""

    ship: ShipNumber


@dataclass(frozen=True, slots=True)
class Build(Order):
    """``W12B2F1C``: build ships at planet 12 (rule 10)."""

    planet: int
    ships: tuple[tuple[int, str], ...]
    """Number and type of each part."""


@dataclass(frozen=True, slots=True)
class Vector:
    """A board direction, 0 for none, with a step up (1), level (0) or down (-1) (rule 14)."""

    direction: int
    up: int


@dataclass(frozen=True, slots=True)
class Slipstream:
    """``V2+3``: a slipstream along a vector. It comes first (rule 13)."""

    vector: Vector
    steps: int


@dataclass(frozen=True, slots=True)
class Warp:
    """``W4=``: one step along a vector."""

    vector: Vector


@dataclass(frozen=True, slots=True)
class Jump:
    """``J``: a jump to the fixed goal of this space (rule 15)."""


Segment = Slipstream | Warp | Jump


@dataclass(frozen=True, slots=True)
class Move(Order):
    """``S17V2+3W4=W0-``: move the ship, segment by segment (rule 11)."""

    ship: ShipNumber
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """``12D``: a space as orders write it, the column and the letter of the level."""

    column: int
    level: str


@dataclass(frozen=True, slots=True)
class FirstPlayers(Order):
    """``KP3,P2``, ``12DKP3``: fire at these players first, in all spaces or in one (T15)."""

    players: tuple[Seat, ...]
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class FirstTypes(Order):
    """``KB,C,F``, ``12DKB``: fire at these types first."""

    types: tuple[str, ...]
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class FireArmed(Order):
    """``KT``, ``12DKT``: fire at armed ships first."""

    place: Place | None = None


@dataclass(frozen=True, slots=True)
class FireWeakest(Order):
    """``KW``, ``12DKW``: fire at the weakest ships first."""

    place: Place | None = None


@dataclass(frozen=True, slots=True)
class FireAtShip(Order):
    """``S17KS40``, ``S17KS40,S50``: fire the ship's shots at these in turn while they are there."""

    ship: ShipNumber
    targets: tuple[ShipNumber, ...]


@dataclass(frozen=True, slots=True)
class Terraform(Order):
    """``W12TB``: choose colour B for planet 12, if it has a choice (rule 23)."""

    planet: int
    colour: str


@dataclass(frozen=True, slots=True)
class SetAlliance(Order):
    """``L3Y``, ``L3N``: want player 3 as an ally, or not (rule 24)."""

    player: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class Declare(Order):
    """``FAC3``, ``FAC3,5``, ``EMP3,5``: declare a faction or an empire with these (rule 2)."""

    members: tuple[Seat, ...]
    empire: bool = False


@dataclass(frozen=True, slots=True)
class Resign(Order):
    """``Q``: leave the war (rule 25)."""
