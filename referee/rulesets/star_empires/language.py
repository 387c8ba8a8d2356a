"""The order language of Star Empires: grammar, text, typical mistakes, meaning and forms."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.ruleset import Example, Grammar, Seat, Separator, UserError
from referee.rules.views import UnitKind
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
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.state import State

ALL: Final = "ALL"
BETWEEN: Final = frozenset({"AT", "FROM", "ONTO", "THROUGH", "TO"})
"""The words between the parts of an order, which are no names."""
_MAX: Final = "max"


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


def _names(*names: str) -> tuple[str, ...]:
    """Return the names. Raises UserError for a word of the language where none belongs."""
    for name in names:
        if name.upper() in BETWEEN:
            raise UserError(f"{name} is not a name here. Write the order without it.")
    return names


def _sole(part: Any) -> Any:
    return part


def _fire(*parts: Any) -> Fire:
    *direction, ships, targets = parts
    return Fire(ships, targets, ascending=direction == ["ASC"])


def _build(world: str, count: int | None, kind: str, *names: str) -> Build:
    """Return the order. Raises UserError for a prefix with a star next to other names."""
    stars = [name for name in names if name.endswith("*")]
    if len(stars) > 1:
        raise UserError(f"{listed(stars)} are {len(stars)} prefixes. Only one can name the ships.")
    if stars and len(names) > 1:
        raise UserError(f"{stars[0]} names all the ships. Write it without names, or only names.")
    if stars:
        return Build(world, count, kind, prefix=stars[0].removesuffix("*"))
    return Build(world, count, kind, _names(*names))


def _identify(items: tuple[str | ClassName, ...] | str, empires: tuple[str, ...]) -> Identify:
    if isinstance(items, str):
        return Identify((), empires, everything=True)
    return Identify(items, empires)


def _transfer(origin: str, amount: int | None, to: str, empire: str = "") -> Transfer:
    _names(origin, to, empire)
    return Transfer(origin, amount, to, empire)


def _scope(part: str | tuple[Any, ...]) -> Scope:
    if isinstance(part, str):
        return Scope(everything=True)
    if part and isinstance(part[0], str):
        return Scope(ships=part)
    return Scope(places=part)


def _coordinate(text: str) -> Sector:
    oblique, y = re.findall("-?[0-9]+", text)
    return int(oblique), int(y)


def _mastery(word: str, rest: str = "") -> Order:
    """Raise UserError, because players cannot use the orders of the GM."""
    del rest
    raise UserError(f"{word.upper()} is an order of the GM, for use in CORRECT.")


BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "unload": Unload,
    "deploy": Deploy,
    "load": Load,
    "destruct": Destruct,
    "fire": _fire,
    "transmit": Transmit,
    "move": Move,
    "traverse": Traverse,
    "design": Design,
    "give": Give,
    "build": _build,
    "repair": Repair,
    "toggle": lambda mode, items: Toggle(mode == "PUBLIC", items),
    "conceal": Conceal,
    "identify": _identify,
    "pool": Pool,
    "transfer": _transfer,
    "deny": Deny,
    "authorize": Authorize,
    "ally": Ally,
    "unally": Unally,
    "mastery": _mastery,
    "names": _names,
    "numbers": _tuple,
    "ship_set": _sole,
    "place_set": lambda place, excepted=(): ShipSet(place, (), excepted),
    "name_set": lambda ships, excepted=(): ShipSet(None, ships, excepted),
    "place": _sole,
    "destination": lambda to: to.name if isinstance(to, Named) else to,
    "items": _tuple,
    "item": lambda item: ClassName(item.name) if isinstance(item, Named) else item,
    "scope": _scope,
    "places": _tuple,
}

TERMINALS: Final[dict[str, Callable[[str], Any]]] = {
    "COORDINATE": _coordinate,
    "LOCATION": lambda text: Named(text[1:]),
    "AMOUNT": lambda text: None if text.casefold() == _MAX else int(text),
    "HULL": str.lower,
    "DIRECTION": str.upper,
    "MODE": str.upper,
    "ALL": str.upper,
    "NUMBER": int,
}

EXAMPLES: Final = (
    Example("UNLOAD", "Expected ships after UNLOAD. UNLOAD f1 f2 takes two ships off carriers."),
    Example("LOAD f1", "Expected ONTO and a carrier. Write LOAD f1 ONTO c1."),
    Example("LOAD f1 TO c1", "Expected ONTO before the carrier. Write LOAD f1 ONTO c1."),
    Example("FIRE f1", "Expected AT and an empire. Write FIRE f1 AT Red."),
    Example("FIRE f1 TO Red", "Expected AT before the empire. Write FIRE f1 AT Red."),
    Example("MOVE f1", "Expected TO and a place. Write MOVE f1 TO (1,0) or MOVE f1 TO Vega."),
    Example("MOVE f1 AT (1,0)", "Expected TO before the place. Write MOVE f1 TO (1,0)."),
    Example(
        "TRAVERSE f1 TO Gate1", "Expected THROUGH and a portal. Write TRAVERSE f1 THROUGH Gate1."
    ),
    Example(
        "DESIGN Earth lander scout",
        "Expected five numbers after the hull. They are guns, DP, engines, scan and racks; "
        "for a missile, guns and tonnage.",
    ),
    Example(
        "DESIGN Earth lander cruiser",
        "Expected a hull. The hulls are capital_ship, gunship, missile, orbital, transport, "
        "scout, wing and device.",
    ),
    Example(
        "BUILD Earth probe",
        "Expected the number of ships. Write BUILD Earth 2 probe or BUILD Earth max probe.",
    ),
    Example(
        "REPAIR f1 Earth",
        "Expected the number of DP. Write REPAIR f1 5 Earth or REPAIR f1 max Earth.",
    ),
    Example("REPAIR f1 5", "Expected the world that pays. Write REPAIR f1 5 Earth."),
    Example("TOGGLE f1", "Expected public or private. Write TOGGLE public f1."),
    Example("CONCEAL f1 TO Red", "Expected FROM before the empire. Write CONCEAL f1 FROM Red."),
    Example("IDENTIFY f1 FROM Red", "Expected TO before the empire. Write IDENTIFY f1 TO Red."),
    Example("DENY ALL FROM Red", "Expected TO before the empire. Write DENY ALL TO Red."),
    Example(
        "TRANSFER Earth Mars",
        "Expected the number of RU. Write TRANSFER Earth 5 Mars or TRANSFER Earth max Mars.",
    ),
    Example("TRANSFER Earth 5", "Expected the other world. Write TRANSFER Earth 5 Mars."),
)
"""Typical mistakes, each with its advice."""

HINTS: Final = {
    "ATTACK": "FIRE f1 AT Red fires at the ships of Red.",
    "EXPLORE": "MOVE f1 TO (1,0) moves f1 there, and it sees what is there.",
    "JUMP": "TRAVERSE f1 THROUGH Gate1 sends f1 through a portal.",
    "SEND": "MOVE f1 TO (1,0) moves a ship, TRANSFER Earth 5 Mars sends RU.",
    "WARP": "MOVE f1 TO (1,0) moves f1 within its engine range.",
}
"""Words that players type instead of an order, each with one that it may mean."""

GRAMMAR: Final = Grammar(
    source="star_empires.lark",
    orders=BUILDERS,
    terminals=TERMINALS,
    examples=EXAMPLES,
    hints=HINTS,
    separator=Separator.LINES,
)


def render(order: Order) -> str:
    """Return the canonical text of *order*; parsing it returns an equal order."""
    return " ".join(part for part in TEXTS[type(order)](order) if part)


def _fired(order: Fire) -> tuple[str, ...]:
    direction = "asc" if order.ascending else ""
    return "FIRE", direction, _set(order.ships), "AT", *order.targets


def _moved(order: Move) -> tuple[str, ...]:
    to = order.to if isinstance(order.to, str) else written(order.to)
    return "MOVE", _set(order.ships), "TO", to


def _designed(order: Design) -> tuple[str, ...]:
    return "DESIGN", order.world, order.name, order.hull, *map(str, order.numbers)


def _built(order: Build) -> tuple[str, ...]:
    names = (f"{order.prefix}*",) if order.prefix else order.names
    return "BUILD", order.world, _number(order.count), order.kind, *names


def _toggled(order: Toggle) -> tuple[str, ...]:
    return "TOGGLE", "public" if order.public else "private", *order.items


def _identified(order: Identify) -> tuple[str, ...]:
    what = (ALL,) if order.everything else tuple(map(_written_item, order.items))
    return "IDENTIFY", *what, "TO", *order.empires


def _set(ships: ShipSet) -> str:
    what = ships.ships if ships.place is None else (_place(ships.place),)
    return " ".join((*what, *_except(ships.excepted)))


def _except(names: tuple[str, ...]) -> tuple[str, ...]:
    return ("EXCEPT", *names) if names else ()


def _place(place: Place) -> str:
    return f"@{place.name}" if isinstance(place, Named) else written(place)


def _written_item(item: str | ClassName) -> str:
    return f"@{item.name}" if isinstance(item, ClassName) else item


def _written_scope(scope: Scope) -> tuple[str, ...]:
    if scope.everything:
        return (ALL,)
    return tuple(map(_place, scope.places)) or scope.ships


def _number(number: int | None) -> str:
    return _MAX if number is None else str(number)


TEXTS: Final[Mapping[type[Order], Callable[[Any], tuple[str, ...]]]] = {
    Unload: lambda order: ("UNLOAD", *order.ships),
    Deploy: lambda order: ("DEPLOY", *order.ships),
    Load: lambda order: ("LOAD", *order.ships, "ONTO", order.carrier),
    Destruct: lambda order: ("DESTRUCT", _set(order.ships)),
    Fire: _fired,
    Transmit: lambda order: ("TRANSMIT", *order.portals, "TO", *order.empires),
    Move: _moved,
    Traverse: lambda order: (
        *("TRAVERSE", _set(order.ships), "THROUGH", order.entry),
        order.exit or "",
    ),
    Design: _designed,
    Give: lambda order: ("GIVE", *order.classes, "TO", *order.empires),
    Build: _built,
    Repair: lambda order: ("REPAIR", order.ship, _number(order.dp), *order.worlds),
    Toggle: _toggled,
    Conceal: lambda order: ("CONCEAL", *map(_written_item, order.items), "FROM", *order.empires),
    Identify: _identified,
    Pool: lambda order: ("POOL", order.world, *_except(order.excepted)),
    Transfer: lambda order: (
        *("TRANSFER", order.origin, _number(order.amount), order.destination),
        order.empire,
    ),
    Deny: lambda order: ("DENY", *_written_scope(order.scope), "TO", *order.empires),
    Authorize: lambda order: ("AUTHORIZE", *_written_scope(order.scope), "TO", *order.empires),
    Ally: lambda order: ("ALLY", *order.empires),
    Unally: lambda order: ("UNALLY", *order.empires),
}
"""The words of each order's canonical text; empty words are left out."""


def explain(state: State, seat: Seat, order: Order) -> str:
    """Return the meaning of *order* in one line; it depends only on the order's own words."""
    del state, seat
    return SENTENCES[type(order)](order)


def _moving(order: Move) -> str:
    to = order.to if isinstance(order.to, str) else written(order.to)
    return f"Move {_ships_meant(order.ships)} to {to}."


def _firing(order: Fire) -> str:
    first = "smallest" if order.ascending else "largest"
    at = listed(order.targets)
    return f"Fire with {_ships_meant(order.ships)} at {at}, the {first} ships first."


def _traversing(order: Traverse) -> str:
    where = f"to {order.exit}" if order.exit else "to a random exit"
    return f"Send {_ships_meant(order.ships)} through {order.entry} {where}."


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


def _ships_meant(ships: ShipSet) -> str:
    what = (
        listed(ships.ships) if ships.place is None else f"all ships at {_place_meant(ships.place)}"
    )
    return f"{what} except {listed(ships.excepted)}" if ships.excepted else what


def _place_meant(place: Place) -> str:
    return place.name if isinstance(place, Named) else written(place)


def _items(items: Iterable[str | ClassName]) -> str:
    return listed(f"every {item.name}" if isinstance(item, ClassName) else item for item in items)


def _scope_meant(scope: Scope) -> str:
    if scope.everything:
        return "all scans"
    return f"the scans of {listed([*map(_place_meant, scope.places), *scope.ships])}"


def _ratings(numbers: tuple[int, ...]) -> str:
    names = ("guns", "tonnes") if len(numbers) == 2 else COMPONENTS
    return ", ".join(some(number, name) for number, name in zip(numbers, names, strict=False))


SENTENCES: Final[Mapping[type[Order], Callable[[Any], str]]] = {
    Unload: lambda order: f"Unload {listed(order.ships)}.",
    Deploy: lambda order: f"Deploy {listed(order.ships)}.",
    Load: lambda order: f"Load {listed(order.ships)} onto {order.carrier}.",
    Destruct: lambda order: f"Blow up {_ships_meant(order.ships)}.",
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
    Deny: lambda order: (
        f"No longer share {_scope_meant(order.scope)} with {listed(order.empires)}."
    ),
    Authorize: lambda order: f"Share {_scope_meant(order.scope)} with {listed(order.empires)}.",
    Ally: lambda order: f"Declare an alliance with {listed(order.empires)}.",
    Unally: lambda order: f"End the alliance with {listed(order.empires)}.",
}
"""The meaning of each order."""


_SHIP, _BASE = UnitKind.SHIP, UnitKind.BASE

FORMS: Final = (
    OrderForm("Move", "MOVE {key} TO {target}", _SHIP, Target.PLACE),
    OrderForm("Go through a portal", "TRAVERSE {key} THROUGH {target}", _SHIP, Target.PLACE),
    OrderForm("Load onto a carrier", "LOAD {key} ONTO {target}", _SHIP, Target.UNIT),
    OrderForm("Take off its carrier", "UNLOAD {key}", _SHIP),
    OrderForm("Use the device", "DEPLOY {key}", _SHIP),
    OrderForm("Blow up", "DESTRUCT {key}", _SHIP),
    *(
        form
        for kind in (_SHIP, _BASE)
        for form in (
            OrderForm("Fire", "FIRE {key} AT {owner}", kind, Target.OWNER),
            OrderForm("Repair, paid by a world", "REPAIR {key} max {target}", kind, Target.PLACE),
            OrderForm("Identify to an empire", "IDENTIFY {key} TO {owner}", kind, Target.OWNER),
            OrderForm("Conceal from an empire", "CONCEAL {key} FROM {owner}", kind, Target.OWNER),
            OrderForm("Switch transponder", "TOGGLE {choice} {key}", kind,
                      choices=("public", "private")),
        )
    ),
    OrderForm("Build ships", "BUILD {key} {amount} {word}",
              asks="Class, as in your designs: probe"),
    OrderForm("Send RU to a world of yours", "TRANSFER {key} {amount} {target}",
              target=Target.PLACE),
    OrderForm("Collect all RU here", "POOL {key}"),
)  # fmt: skip
"""The orders that a player can compose on the map: none of designs, alliances or a whole empire."""
