"""The meaning of an order, in one plain English line."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.wording import counted, listed
from referee.rulesets.star_empires.hulls import COMPONENTS, some
from referee.rulesets.star_empires.orders import (
    Ally,
    Authorize,
    Build,
    ClassName,
    Conceal,
    Deny,
    Deploy,
    Design,
    Destruct,
    Fire,
    Give,
    Identify,
    Load,
    Move,
    Named,
    Order,
    Place,
    Pool,
    Repair,
    Scope,
    ShipSet,
    Toggle,
    Transfer,
    Transmit,
    Traverse,
    Unally,
    Unload,
)
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.state import State


def explain(state: State, seat: Seat, order: Order) -> str:
    """Return the meaning of *order* in one line; it depends only on the order's own words."""
    del state, seat
    return SENTENCES[type(order)](order)


def _moving(order: Move) -> str:
    to = order.to if isinstance(order.to, str) else written(order.to)
    return f"Move {_set(order.ships)} to {to}."


def _firing(order: Fire) -> str:
    first = "smallest" if order.ascending else "largest"
    at = listed(order.targets)
    return f"Fire with {_set(order.ships)} at {at}, the {first} ships first."


def _traversing(order: Traverse) -> str:
    where = f"to {order.exit}" if order.exit else "to a random exit"
    return f"Send {_set(order.ships)} through {order.entry} {where}."


def _designing(order: Design) -> str:
    hull, ratings = order.hull.replace("_", " "), _ratings(order.numbers)
    return f"Design at {order.world} the {hull} {order.name}: {ratings}."


def _repairing(order: Repair) -> str:
    much = "all damage" if order.dp is None else f"{order.dp} DP"
    return f"Repair {much} of {order.ship}, paid by {listed(order.worlds)}."


def _toggling(order: Toggle) -> str:
    mode = "public" if order.public else "private"
    return f"Make the transponders of {listed(order.items)} {mode}."


def _identifying(order: Identify) -> str:
    what = "all ships" if order.everything else _items(order.items)
    return f"Identify {what} to {listed(order.empires)}."


def _pooling(order: Pool) -> str:
    but = f", except those of {listed(order.excepted)}" if order.excepted else ""
    return f"Send all stockpiles to {order.world}{but}."


def _transferring(order: Transfer) -> str:
    much = "all RU" if order.amount is None else f"{order.amount} RU"
    owner = f" of {order.empire}" if order.empire else ""
    return f"Send {much} from {order.origin} to {order.destination}{owner}."


def _building(order: Build) -> str:
    ships = counted(order.count or 0, "ship")
    what = "as many ships as the RU allow" if order.count is None else ships
    names = f"{order.prefix}1, {order.prefix}2 and so on" if order.prefix else listed(order.names)
    called = f", named {names}" if names else ""
    return f"Build {what} of class {order.kind} at {order.world}{called}."


def _set(ships: ShipSet) -> str:
    what = listed(ships.ships) if ships.place is None else f"all ships at {_place(ships.place)}"
    return f"{what} except {listed(ships.excepted)}" if ships.excepted else what


def _place(place: Place) -> str:
    return place.name if isinstance(place, Named) else written(place)


def _items(items: Iterable[str | ClassName]) -> str:
    return listed(f"every {item.name}" if isinstance(item, ClassName) else item for item in items)


def _scope(scope: Scope) -> str:
    if scope.everything:
        return "all scans"
    return f"the scans of {listed([*map(_place, scope.places), *scope.ships])}"


def _ratings(numbers: tuple[int, ...]) -> str:
    names = ("guns", "tonnes") if len(numbers) == 2 else COMPONENTS
    return ", ".join(some(number, name) for number, name in zip(numbers, names, strict=False))


SENTENCES: Final[Mapping[type[Order], Callable[[Any], str]]] = {
    Unload: lambda order: f"Unload {listed(order.ships)}.",
    Deploy: lambda order: f"Deploy {listed(order.ships)}.",
    Load: lambda order: f"Load {listed(order.ships)} onto {order.carrier}.",
    Destruct: lambda order: f"Blow up {_set(order.ships)}.",
    Fire: _firing,
    Transmit: lambda order: (
        f"Send the navigation data for {listed(order.portals)} to {listed(order.empires)}."
    ),
    Move: _moving,
    Traverse: _traversing,
    Design: _designing,
    Give: lambda order: f"Give the design of {listed(order.classes)} to {listed(order.empires)}.",
    Build: _building,
    Repair: _repairing,
    Toggle: _toggling,
    Conceal: lambda order: f"Conceal {_items(order.items)} from {listed(order.empires)}.",
    Identify: _identifying,
    Pool: _pooling,
    Transfer: _transferring,
    Deny: lambda order: f"No longer share {_scope(order.scope)} with {listed(order.empires)}.",
    Authorize: lambda order: f"Share {_scope(order.scope)} with {listed(order.empires)}.",
    Ally: lambda order: f"Declare an alliance with {listed(order.empires)}.",
    Unally: lambda order: f"End the alliance with {listed(order.empires)}.",
}
"""The meaning of each order."""
