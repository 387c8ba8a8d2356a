"""What an order means, in one plain English line."""

from collections.abc import Iterable

from referee.rules.ruleset import Seat
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
    """Say in one line what *order* means; nothing but its own words is needed for that."""
    del state, seat
    return _sentence(order)


def _sentence(order: Order) -> str:  # noqa: C901 - a table of sentences
    match order:
        case Unload(ships):
            return f"Unload {_and(ships)}."
        case Deploy(ships):
            return f"Deploy {_and(ships)}."
        case Load(ships, carrier):
            return f"Load {_and(ships)} onto {carrier}."
        case Destruct(ships):
            return f"Blow up {_set(ships)}."
        case Fire(ships, targets, ascending):
            first = "smallest" if ascending else "largest"
            return f"Fire with {_set(ships)} at {_and(targets)}, at the {first} ships first."
        case Transmit(portals, empires):
            return f"Send the navigation data of {_and(portals)} to {_and(empires)}."
        case Move(ships, to):
            return f"Move {_set(ships)} to {to if isinstance(to, str) else written(to)}."
        case Traverse(ships, entry, out):
            where = f"to {out}" if out else "to a random exit"
            return f"Send {_set(ships)} through {entry} {where}."
        case Design(world, name, hull, numbers):
            return f"Design at {world} the {hull.replace('_', ' ')} {name}: {_ratings(numbers)}."
        case Give(classes, empires):
            return f"Give the design of {_and(classes)} to {_and(empires)}."
        case Build():
            return _building(order)
        case Repair(ship, dp, worlds):
            much = "all damage" if dp is None else f"{dp} DP"
            return f"Repair {much} of {ship} for RU of {_and(worlds)}."
        case Toggle(public, items):
            return f"Make the transponders of {_and(items)} {'public' if public else 'private'}."
        case Conceal(items, empires):
            return f"Conceal {_items(items)} from {_and(empires)}."
        case Identify(items, empires, everything):
            return f"Identify {'all ships' if everything else _items(items)} to {_and(empires)}."
        case Pool(world, excepted):
            but = f", but those of {_and(excepted)}" if excepted else ""
            return f"Bring all stockpiles together at {world}{but}."
        case Transfer(origin, amount, to, empire):
            much = "all RU" if amount is None else f"{amount} RU"
            whom = f" of {empire}" if empire else ""
            return f"Send {much} from {origin} to {to}{whom}."
        case Deny(scope, empires):
            return f"No longer share {_scope(scope)} with {_and(empires)}."
        case Authorize(scope, empires):
            return f"Share {_scope(scope)} with {_and(empires)}."
        case Ally(empires):
            return f"Call {_and(empires)} allied."
        case Unally(empires):
            return f"Call {_and(empires)} allied no longer."
    raise TypeError(f"{order!r} is no order of Star Empires")


def _building(order: Build) -> str:
    count = "as many as can be paid" if order.count is None else str(order.count)
    names = f"{order.prefix}1, {order.prefix}2 and so on" if order.prefix else _and(order.names)
    called = f", called {names}" if names else ""
    return f"Build {count} {order.kind} at {order.world}{called}."


def _and(names: Iterable[str]) -> str:
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _set(ships: ShipSet) -> str:
    what = _and(ships.ships) if ships.place is None else f"all ships at {_place(ships.place)}"
    return f"{what} except {_and(ships.excepted)}" if ships.excepted else what


def _place(place: Place) -> str:
    return place.name if isinstance(place, Named) else written(place)


def _items(items: Iterable[str | ClassName]) -> str:
    return _and(f"every {item.name}" if isinstance(item, ClassName) else item for item in items)


def _scope(scope: Scope) -> str:
    if scope.everything:
        return "all scans"
    return f"the scans of {_and([*map(_place, scope.places), *scope.ships])}"


def _ratings(numbers: tuple[int, ...]) -> str:
    names = ("guns", "tonnes") if len(numbers) == 2 else ("guns", "DP", "engines", "scan", "racks")
    return ", ".join(f"{number} {name}" for number, name in zip(numbers, names, strict=False))
