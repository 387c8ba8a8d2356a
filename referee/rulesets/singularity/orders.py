"""The orders of The Singularity Trap, one class for each form."""

from dataclasses import dataclass

ShipNumber = int
PlayerNumber = int


@dataclass(frozen=True, slots=True)
class Order:
    """Any order of a player."""


@dataclass(frozen=True, slots=True)
class Scrap(Order):
    """``S17X``: the ship is given up (rule 7)."""

    ship: ShipNumber


@dataclass(frozen=True, slots=True)
class Repair(Order):
    """``S17R3``, ``S17RSWD``: so many points, or these units, are repaired (rule 8)."""

    ship: ShipNumber
    points: int = 0
    units: str = ""


@dataclass(frozen=True, slots=True)
class Hide(Order):
    """``S17H``: the ship goes dark (rule 9)."""

    ship: ShipNumber


@dataclass(frozen=True, slots=True)
class Build(Order):
    """``W12B2F1C``: planet 12 builds ships (rule 10)."""

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
    """``V2+3``: a slipstream along a vector; it stands first (rule 13)."""

    vector: Vector
    steps: int


@dataclass(frozen=True, slots=True)
class Warp:
    """``W4=``: one step along a vector."""

    vector: Vector


@dataclass(frozen=True, slots=True)
class Jump:
    """``J``: a jump to wherever this space leads (rule 15)."""


Segment = Slipstream | Warp | Jump


@dataclass(frozen=True, slots=True)
class Move(Order):
    """``S17V2+3W4=W0-``: the ship moves, segment by segment (rule 11)."""

    ship: ShipNumber
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """``12D``: a space as it is written, its column and the letter of its level."""

    column: int
    level: str


@dataclass(frozen=True, slots=True)
class FirstPlayers(Order):
    """``KP3,P2``, ``12DKP3``: fire at these players first, everywhere or in one space (T15)."""

    players: tuple[PlayerNumber, ...]
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
    """``S17KS40``, ``S17KS40,S50``: the ship's shots go to these in turn, while they are there."""

    ship: ShipNumber
    targets: tuple[ShipNumber, ...]


@dataclass(frozen=True, slots=True)
class Terraform(Order):
    """``W12TB``: where there is a choice, planet 12 becomes B (rule 23)."""

    planet: int
    colour: str


@dataclass(frozen=True, slots=True)
class SetAlliance(Order):
    """``L3Y``, ``L3N``: whether player 3 is to be an ally (rule 24)."""

    player: PlayerNumber
    yes: bool


@dataclass(frozen=True, slots=True)
class Declare(Order):
    """``FAC3``, ``FAC3,5``, ``EMP3,5``: a faction of these and oneself, if one may (rule 2)."""

    members: tuple[PlayerNumber, ...]
    empire: bool = False


@dataclass(frozen=True, slots=True)
class Resign(Order):
    """``Q``: the player leaves the war (rule 25)."""
