"""The orders of Star Empires, one class for each form; everything in them is as it was typed."""

from dataclasses import dataclass
from typing import Final

from referee.rulesets.star_empires.sectors import Sector

MOST: Final = None
"""Stands for ``max`` where a number could stand."""


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
    """Ships by name, or all unloaded ones in a place, but for those excepted."""

    place: Place | None
    ships: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassName:
    """``@probe``: every ship of a class."""

    name: str


@dataclass(frozen=True, slots=True)
class Unload(Order):
    """``UNLOAD f1 f2``: ships leave their carriers (R6.2.1)."""

    ships: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deploy(Order):
    """``DEPLOY hammer1``: devices are set to work."""

    ships: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Load(Order):
    """``LOAD f1 f2 ONTO c1``: ships go aboard a carrier in their sector (R6.2.2)."""

    ships: tuple[str, ...]
    carrier: str


@dataclass(frozen=True, slots=True)
class Destruct(Order):
    """``DESTRUCT (0,0) EXCEPT base``: own ships blow themselves up (R6.3.1)."""

    ships: ShipSet


@dataclass(frozen=True, slots=True)
class Fire(Order):
    """``FIRE asc f1 f2 AT Red``: ships fire at empires in their sector (R6.3.2)."""

    ships: ShipSet
    targets: tuple[str, ...]
    ascending: bool = False


@dataclass(frozen=True, slots=True)
class Transmit(Order):
    """``TRANSMIT Gate1 TO Red``: navigation data of portals is given away (R6.4.1)."""

    portals: tuple[str, ...]
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move(Order):
    """``MOVE f1 f2 TO Vega``: ships jump to a sector (R6.4.2)."""

    ships: ShipSet
    to: Sector | str


@dataclass(frozen=True, slots=True)
class Traverse(Order):
    """``TRAVERSE p1 THROUGH Gate1 Gate2``: ships go through a wormnet (R6.4.3)."""

    ships: ShipSet
    entry: str
    exit: str | None = None


@dataclass(frozen=True, slots=True)
class Design(Order):
    """``DESIGN Earth lander scout 1 1 3 3 1``: a new ship class (R6.5.2)."""

    world: str
    name: str
    hull: str
    numbers: tuple[int, ...]
    """Five ratings, or the guns and the tonnage of a missile."""


@dataclass(frozen=True, slots=True)
class Give(Order):
    """``GIVE lander TO Red``: designs are given away (R6.5.3)."""

    classes: tuple[str, ...]
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Build(Order):
    """``BUILD Earth 2 probe alpha beta``: new ships (R6.6.1); None for as many as one can pay."""

    world: str
    count: int | None
    kind: str
    names: tuple[str, ...] = ()
    prefix: str = ""
    """``pr*`` names them pr1, pr2 and so on."""


@dataclass(frozen=True, slots=True)
class Repair(Order):
    """``REPAIR f1 max Earth``: DP for RU of the worlds (R6.6.2); None for all that is missing."""

    ship: str
    dp: int | None
    worlds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Toggle(Order):
    """``TOGGLE public scout1``: transponders of ships, or of all ships of a class (R6.6.3)."""

    public: bool
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conceal(Order):
    """``CONCEAL f1 @probe FROM Red``: an empire no longer reads a transponder (R6.6.4)."""

    items: tuple[str | ClassName, ...]
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Identify(Order):
    """``IDENTIFY f1 TO Red``: an empire reads a private transponder (R6.6.5); ALL for all ships."""

    items: tuple[str | ClassName, ...]
    empires: tuple[str, ...]
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Pool(Order):
    """``POOL Earth EXCEPT Mars``: all stockpiles go to one world (R6.7.2)."""

    world: str
    excepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transfer(Order):
    """``TRANSFER Earth 5 Mars Red``: RU go to another world (R6.7.3); None for all of them."""

    origin: str
    amount: int | None
    destination: str
    empire: str = ""
    """Empty for oneself."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What scan data a DENY or an AUTHORIZE is about: everything, sectors, ships or classes."""

    everything: bool = False
    places: tuple[Place, ...] = ()
    ships: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deny(Order):
    """``DENY ALL TO Red``: scan data is no longer shared (R6.8.1)."""

    scope: Scope
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Authorize(Order):
    """``AUTHORIZE (0,0) (1,0) TO Red``: scan data is shared from now on (R6.8.2)."""

    scope: Scope
    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ally(Order):
    """``ALLY Red Blue``: those empires are allies; it counts where they say so too (R6.0)."""

    empires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unally(Order):
    """``UNALLY Red``: that empire is an ally no longer."""

    empires: tuple[str, ...]
