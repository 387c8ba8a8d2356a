"""The orders of Starfarers, each declared once.

A new order is one class here, and its rule in ``grammars/starfarers.lark``.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.rules import order_forms
from referee.rules.order_forms import OrderForm
from referee.rules.order_table import OrderTable
from referee.rules.views import UnitKind
from referee.rulesets.starfarers.goods import Goods, in_words


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


ORDERS: Final = OrderTable[Order]()

_PLACE, _UNIT = order_forms.Target.PLACE, order_forms.Target.UNIT
_BUILD: Final = ("turn", "build")
_DIRECTIONS: Final = (
    "1 north-east", "2 east", "3 south-east", "4 south-west", "5 west", "6 north-west",
)  # fmt: skip
_KINDS: Final = ("T trade port", "C colony", "P spaceport")


def _of_ships(
    label: str,
    pattern: str,
    target: order_forms.Target = order_forms.Target.NONE,
    aims: tuple[str, ...] = (),
    choices: tuple[str, ...] = (),
    unit: UnitKind = UnitKind.SHIP,
) -> OrderForm:
    """Return an order form of starships, or of mercenaries."""
    return OrderForm(
        label, pattern, unit, target, aims=aims, choices=choices, phases=("turn", "travel")
    )


@ORDERS.order(
    "S{ship}{hexes:H*}",
    "S{ship} moves to {hexes:way}.",
    _of_ships("Travel", "{key}{path}", _PLACE),
)
@dataclass(frozen=True, slots=True)
class Travel(Order):
    """``S3H14H17``: move through explored space (rule 11)."""

    ship: int
    hexes: tuple[int, ...]


@ORDERS.order(
    "S{ship}E{direction}",
    "S{ship} explores to the {direction:direction}.",
    _of_ships("Explore", "{key}E{choice}", choices=_DIRECTIONS),
)
@dataclass(frozen=True, slots=True)
class Explore(Order):
    """``S3E2``: explore in a direction, 1 to 6 (rule 10)."""

    ship: int
    direction: int


@ORDERS.order(
    "S{ship}J{to}{number}",
    "S{ship} teleports to {to,number:place}.",
    _of_ships("Teleport to a hex", "{key}J{target}", _PLACE),
)
@dataclass(frozen=True, slots=True)
class Teleport(Order):
    """``S3JH40``, ``S3JM2``: jump to a node (rule 14)."""

    ship: int
    to: Target
    number: int


@ORDERS.order(
    "S{ship}A{target}{number}",
    "S{ship} attacks {target,number:target}.",
    _of_ships("Attack a ship or a base", "{key}A{target}", _UNIT, aims=("S", "B")),
    _of_ships("Attack pirates or aliens", "{key}A{target}", _PLACE),
)
@dataclass(frozen=True, slots=True)
class Attack(Order):
    """``S3AB12``: attack a neighbour (rule 32)."""

    ship: int
    target: Target
    number: int


@ORDERS.order(
    "S{ship}W{base:B/S}",
    "If S{ship} wins, {base:a base is taken/a ship is destroyed}.",
    _of_ships("Take a base if it wins", "{key}WB"),
    _of_ships("Destroy a ship if it wins", "{key}WS"),
    rules={"want_base": {"base": True}, "want_ship": {"base": False}},
)
@dataclass(frozen=True, slots=True)
class Want(Order):
    """``S3WB``, ``S3WS``: after a victory, take a base or destroy a ship (rule 35)."""

    ship: int
    base: bool


@ORDERS.order(
    "S{ship}N",
    "S{ship} does not support other ships this round.",
    _of_ships("Support no other ships", "{key}N"),
    _of_ships("Support no other ships", "{key}N", unit=UnitKind.MERCENARY),
)
@dataclass(frozen=True, slots=True)
class StandBack(Order):
    """``S5N``: do not support other ships this round."""

    ship: int


@ORDERS.order(
    "S{ship}FS{leader}",
    "S{ship} goes where S{leader} goes.",
    _of_ships("Go with a starship", "{key}F{target}", _UNIT, aims=("S",), unit=UnitKind.MERCENARY),
)
@dataclass(frozen=True, slots=True)
class Escort(Order):
    """``S7FS3``: a mercenary goes with a chosen starship this round (rule 21)."""

    ship: int
    leader: int


@ORDERS.order(
    "S{ship}Q",
    "S{ship} stops before it enters an enemy's range.",
    _of_ships("Stop before enemies", "{key}Q"),
)
@dataclass(frozen=True, slots=True)
class Avoid(Order):
    """``S3Q``: stop before the range of an enemy."""

    ship: int


@ORDERS.order(
    "S{ship}{answer}{payment}",
    "S{ship} {deed} if it meets somebody.",
    _of_ships("Accept an encounter", "{key}Y"),
    _of_ships("Refuse an encounter", "{key}V"),
    rules={"accept": {"yes": True}, "refuse": {"yes": False}, "pay": {"yes": True}},
)
@dataclass(frozen=True, slots=True)
class EncounterAnswer(Order):
    """``S3Y``, ``S3V``, ``S3K1C``: accept, refuse or pay in an encounter (rule 19)."""

    ship: int
    yes: bool
    payment: Goods | None = None

    @property
    def answer(self) -> str:
        """The letter of the answer."""
        return "K" if self.payment else "Y" if self.yes else "V"

    @property
    def deed(self) -> str:
        """The answer in words."""
        paid = f"pays {in_words(self.payment)}" if self.payment else ""
        return paid or ("accepts" if self.yes else "refuses")


@ORDERS.order(
    "S{ship}I{number}:{payment}", "S{ship} hires {number:mercenaries} for {payment:cards}."
)
@dataclass(frozen=True, slots=True)
class Hire(Order):
    """``S3I2:3O3G``: hire mercenaries for these cards (rule 21)."""

    ship: int
    number: int
    payment: Goods


@ORDERS.order("S{ship}T{give}>{take}", "S{ship} swaps {give:cards} for {take:cards} with a trader.")
@dataclass(frozen=True, slots=True)
class Barter(Order):
    """``S3T2F1O>3C``: swap cards with a trader (rule 20)."""

    ship: int
    give: Goods
    take: Goods


@ORDERS.order("B{base}T{give}>{take}", "B{base} swaps {give:cards} for {take:cards}.")
@dataclass(frozen=True, slots=True)
class PortTrade(Order):
    """``B8T2O>1C1G``: swap the resource of a planet at its trade port (rule 25)."""

    base: int
    give: Goods
    take: Goods


@ORDERS.order("X{player}:{give}>{take}", "You offer {player:player} {give:cards} for {take:cards}.")
@dataclass(frozen=True, slots=True)
class Offer(Order):
    """``X2:2O>1U``: offer cards to a player for others (rule 24)."""

    player: int
    give: Goods
    take: Goods


@ORDERS.order(
    "H{hex}B{kind}{corner}",
    "A {kind.called} is built {hex,corner:site}.",
    OrderForm("Build a base", "{key}B{choice}", own=False, choices=_KINDS, phases=_BUILD),
    rules={"build_base": {}, "build_orbital": {}},
)
@dataclass(frozen=True, slots=True)
class BuildBase(Order):
    """``H14BT``, ``H14BTc``: build a base on a planet, or in orbit at a corner (rules 27, 28)."""

    hex: int
    kind: BaseKind
    corner: str = ""


@ORDERS.order(
    "B{base}R",
    "B{base} builds its ring and becomes a spaceport.",
    OrderForm("Build a teleport ring", "{key}R", UnitKind.BASE, prefix="B", phases=_BUILD),
)
@dataclass(frozen=True, slots=True)
class BuildRing(Order):
    """``B9R``: build a ring that makes a colony a spaceport (rule 27)."""

    base: int


@ORDERS.order(
    "{at}{number}BS",
    "A starship is built at {at,number:place}.",
    OrderForm("Build a starship", "{key}BS", UnitKind.BASE, phases=_BUILD),
)
@dataclass(frozen=True, slots=True)
class BuildShip(Order):
    """``B9BS``, ``M1BS``: build a starship at a spaceport or mothership (rule 27)."""

    at: Target
    number: int


@ORDERS.order("E{typed}", "You build {parts:parts}.")
@dataclass(frozen=True, slots=True)
class Enhance(Order):
    """``E2C1B1R``: build cannons, boosters and freight rings (rule 8)."""

    parts: tuple[tuple[int, Enhancement], ...]

    @property
    def typed(self) -> str:
        """The parts as they are typed: ``2C1B1R``."""
        return "".join(f"{number}{part.value}" for number, part in self.parts)


@ORDERS.order(
    "P{player}{hostile:H/P}",
    "You are {hostile:hostile/peaceful} to {player:player} from the next round.",
    rules={"hostile": {"hostile": True}, "peaceful": {"hostile": False}},
)
@dataclass(frozen=True, slots=True)
class SetStance(Order):
    """``P2H``, ``P2P``: become hostile or peaceful to a player from the next round (G14)."""

    player: int
    hostile: bool


@ORDERS.order(
    "P{player}{yes:L/D}",
    "You {yes:offer/end the alliance with} {player:player}{yes: an alliance, or accept it/}.",
    rules={"ally": {"yes": True}, "end_alliance": {"yes": False}},
)
@dataclass(frozen=True, slots=True)
class SetAlliance(Order):
    """``P2L``, ``P2D``: offer, accept or end an alliance (rule 39)."""

    player: int
    yes: bool


@ORDERS.order("Q", "You leave the game.")
@dataclass(frozen=True, slots=True)
class Resign(Order):
    """``Q``: leave the game."""
