"""The orders of Star Empires, one class for each form, with all names as typed."""

from dataclasses import dataclass
from typing import Final

from referee.rulesets.star_empires.sectors import Sector

MOST: Final = None
"""An amount; None means ``max``."""


@dataclass(frozen=True, slots=True)
class Order:
    """Any order of an empire."""


@dataclass(frozen=True, slots=True)
class Named:
    """``@Vega``: the sector of a world, else a portal, else a storm that the empire knows."""

    name: str


Place = Sector | Named


@dataclass(frozen=True, slots=True)
class ShipSet:
    """Ships by name, or all unloaded ones at a place, except those in *excepted*."""

    place: Place | None
    ships: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassName:
    """``@probe``: every ship of a class."""

    name: str


@dataclass(frozen=True, slots=True)
class Unload(Order):
    """``UNLOAD f1 f2``: take ships off their carriers (R6.2.1)."""

    ships: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deploy(Order):
    """``DEPLOY hammer1``: use devices."""

    ships: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Load(Order):
    """``LOAD f1 f2 ONTO c1``: load ships onto a carrier in their sector (R6.2.2)."""

    ships: tuple[str, ...]
    carrier: str


@dataclass(frozen=True, slots=True)
class Destruct(Order):
    """``DESTRUCT (0,0) EXCEPT base``: blow up own ships (R6.3.1)."""

    ships: ShipSet


@dataclass(frozen=True, slots=True)
class Fire(Order):
    """``FIRE asc f1 f2 AT Red``: fire at empires in the same sector (R6.3.2)."""

    ships: ShipSet
    targets: tuple[str, ...]
    ascending: bool = False


@dataclass(frozen=True, slots=True)
class Transmit(Order):
    """``TRANSMIT Gate1 TO Red``: send navigation data for portals (R6.4.1)."""

    portals: tuple[str, ...]
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move(Order):
    """``MOVE f1 f2 TO Vega``: move ships to a sector (R6.4.2)."""

    ships: ShipSet
    to: Sector | str


@dataclass(frozen=True, slots=True)
class Traverse(Order):
    """``TRAVERSE p1 THROUGH Gate1 Gate2``: send ships through a wormnet (R6.4.3)."""

    ships: ShipSet
    entry: str
    exit: str | None = None


@dataclass(frozen=True, slots=True)
class Design(Order):
    """``DESIGN Earth lander scout 1 1 3 3 1``: design a ship class (R6.5.2)."""

    world: str
    name: str
    hull: str
    numbers: tuple[int, ...]
    """Five ratings, or the guns and tonnage of a missile."""


@dataclass(frozen=True, slots=True)
class Give(Order):
    """``GIVE lander TO Red``: give designs away (R6.5.3)."""

    classes: tuple[str, ...]
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Build(Order):
    """``BUILD Earth 2 probe alpha beta``: build ships (R6.6.1); None for as many as possible."""

    world: str
    count: int | None
    kind: str
    names: tuple[str, ...] = ()
    prefix: str = ""
    """``pr*`` names the ships pr1, pr2 and so on."""


@dataclass(frozen=True, slots=True)
class Repair(Order):
    """``REPAIR f1 max Earth``: repair a ship, paid by worlds (R6.6.2); None for all damage."""

    ship: str
    dp: int | None
    worlds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Toggle(Order):
    """``TOGGLE public scout1``: switch transponders of ships or of classes (R6.6.3)."""

    public: bool
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conceal(Order):
    """``CONCEAL f1 @probe FROM Red``: hide private transponders from an empire (R6.6.4)."""

    items: tuple[str | ClassName, ...]
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Identify(Order):
    """``IDENTIFY f1 TO Red``: let an empire read private transponders (R6.6.5)."""

    items: tuple[str | ClassName, ...]
    empires: tuple[str, ...]
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Pool(Order):
    """``POOL Earth EXCEPT Mars``: send all stockpiles to one world (R6.7.2)."""

    world: str
    excepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transfer(Order):
    """``TRANSFER Earth 5 Mars Red``: send RU to another world (R6.7.3); None for all of them."""

    origin: str
    amount: int | None
    destination: str
    empire: str = ""
    """The recipient; empty for the sender's own world."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The scan data of DENY or AUTHORIZE: everything, sectors, ships or classes."""

    everything: bool = False
    places: tuple[Place, ...] = ()
    ships: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deny(Order):
    """``DENY ALL TO Red``: stop sharing scan data (R6.8.1)."""

    scope: Scope
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Authorize(Order):
    """``AUTHORIZE (0,0) (1,0) TO Red``: share scan data from now on (R6.8.2)."""

    scope: Scope
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ally(Order):
    """``ALLY Red Blue``: declare alliances; they count if both sides declare them (R6.0)."""

    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unally(Order):
    """``UNALLY Red``: end an alliance."""

    empires: tuple[str, ...]
