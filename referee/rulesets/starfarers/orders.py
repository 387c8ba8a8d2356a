"""The orders of Starfarers, a class for each kind."""

from dataclasses import dataclass
from enum import Enum

from referee.rulesets.starfarers.goods import Goods


class Target(Enum):
    """The kinds of targets of an attack or a jump."""

    BASE = "B"
    SHIP = "S"
    HEX = "H"
    """The pirates or aliens there."""
    MOTHERSHIP = "M"


class BaseKind(Enum):
    """The kinds of bases (rule 3)."""

    TRADE_PORT = "T"
    COLONY = "C"
    SPACEPORT = "P"

    @property
    def called(self) -> str:
        """The name of the kind: ``trade port``."""
        return self.name.lower().replace("_", " ")


class Enhancement(Enum):
    """An enhancement of a prototype (rule 8)."""

    CANNON = "C"
    BOOSTER = "B"
    RING = "R"

    @property
    def called(self) -> str:
        """The name with its article: ``a cannon``."""
        return {"C": "a cannon", "B": "a booster", "R": "a freight ring"}[self.value]


@dataclass(frozen=True, slots=True)
class Order:
    """The base class of all orders."""


@dataclass(frozen=True, slots=True)
class Explore(Order):
    """``S3E2``: explore in a direction, 1 to 6 (rule 10)."""

    ship: int
    direction: int


@dataclass(frozen=True, slots=True)
class Travel(Order):
    """``S3H14H17``: move through explored space (rule 11)."""

    ship: int
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Teleport(Order):
    """``S3JH40``, ``S3JM2``: jump to a node (rule 14)."""

    ship: int
    to: Target
    number: int


@dataclass(frozen=True, slots=True)
class Attack(Order):
    """``S3AB12``: attack a neighbour (rule 32)."""

    ship: int
    target: Target
    number: int


@dataclass(frozen=True, slots=True)
class Want(Order):
    """``S3WB``, ``S3WS``: after a victory, take a base or destroy a ship (rule 35)."""

    ship: int
    base: bool


@dataclass(frozen=True, slots=True)
class StandBack(Order):
    """``S5N``: do not support other ships this round."""

    ship: int


@dataclass(frozen=True, slots=True)
class Avoid(Order):
    """``S3Q``: stop before the range of an enemy."""

    ship: int


@dataclass(frozen=True, slots=True)
class EncounterAnswer(Order):
    """``S3Y``, ``S3V``, ``S3K2C``: accept, refuse or pay in an encounter (rule 19)."""

    ship: int
    yes: bool
    payment: Goods | None = None


@dataclass(frozen=True, slots=True)
class Hire(Order):
    """``S3I2:3O3G``: hire mercenaries for these cards (rule 21)."""

    ship: int
    number: int
    payment: Goods


@dataclass(frozen=True, slots=True)
class Barter(Order):
    """``S3T2F1O>3C``: swap cards with a trader (rule 20)."""

    ship: int
    give: Goods
    take: Goods


@dataclass(frozen=True, slots=True)
class PortTrade(Order):
    """``B8T2O>1C1G``: swap the resource of a planet at its trade port (rule 25)."""

    base: int
    give: Goods
    take: Goods


@dataclass(frozen=True, slots=True)
class Offer(Order):
    """``X2:2O>1U``: offer cards to a player for others (rule 24)."""

    player: int
    give: Goods
    take: Goods


@dataclass(frozen=True, slots=True)
class BuildBase(Order):
    """``H14BT``, ``H14BTc``: build a base on a planet, or in orbit at a corner (rules 27, 28)."""

    hex: int
    kind: BaseKind
    corner: str = ""


@dataclass(frozen=True, slots=True)
class BuildRing(Order):
    """``B9R``: build a ring that makes a colony a spaceport (rule 27)."""

    base: int


@dataclass(frozen=True, slots=True)
class BuildShip(Order):
    """``B9BS``, ``M1BS``: build a starship at a spaceport or mothership (rule 27)."""

    at: Target
    number: int


@dataclass(frozen=True, slots=True)
class Enhance(Order):
    """``E2C1B1R``: build cannons, boosters and freight rings (rule 8)."""

    parts: tuple[tuple[int, Enhancement], ...]


@dataclass(frozen=True, slots=True)
class SetStance(Order):
    """``P2H``, ``P2P``: become hostile or peaceful to a player from the next round (G14)."""

    player: int
    hostile: bool


@dataclass(frozen=True, slots=True)
class SetAlliance(Order):
    """``P2L``, ``P2D``: offer, accept or end an alliance (rule 39)."""

    player: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Resign(Order):
    """``Q``: leave the game."""
