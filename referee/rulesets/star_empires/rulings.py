"""Rulings before the deadline: each order against a scratch copy of what its empire knows.

What an order will do is pencilled in, so that the orders after it see it: a class can be designed
and built in one sheet, a ship moved and then sent through a portal.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruling, RulingKind, Seat, UserError
from referee.rules.rulings import accepted
from referee.rulesets.star_empires.hulls import Hull, ShipClass
from referee.rulesets.star_empires.knowledge import believed, sighted
from referee.rulesets.star_empires.lookup import (
    class_called,
    sector_of,
    ship_called,
    ships_called,
    ships_of,
    ships_or_classes,
)
from referee.rulesets.star_empires.orders import (
    Ally,
    Authorize,
    Build,
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
    Pool,
    Repair,
    ShipSet,
    Toggle,
    Transfer,
    Transmit,
    Traverse,
    Unally,
    Unload,
)
from referee.rulesets.star_empires.scratch import Refused, Scratch
from referee.rulesets.star_empires.sectors import Sector, distance
from referee.rulesets.star_empires.ships import Shipyard
from referee.rulesets.star_empires.state import Portal, Ship, State, World
from referee.rulesets.star_empires.steps.combat import objection_to_destruct
from referee.rulesets.star_empires.steps.logistics import (
    objection_to_deploy,
    objection_to_load,
)
from referee.rulesets.star_empires.steps.maintenance import new_names, pay_for_repair
from referee.rulesets.star_empires.steps.research import drafted
from referee.rulesets.star_empires.turn_state import EmpireOrder, sentence


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Rule on a whole sheet in the sequence it was typed, from what the empire knows."""
    scene = believed(state, seat)
    seen: defaultdict[Sector, set[Seat]] = defaultdict(set)
    for each in sighted(state, seat):
        if each.close:
            seen[each.ship.at].add(each.ship.owner)
    scratch = Scratch(scene, scene.empires[seat], seen)
    return [_ruling(scratch, order) for order in orders]


def _ruling(scratch: Scratch, order: Order) -> Ruling:
    scratch.cautions = []
    try:
        CHECKS[type(order)](scratch, order)
    except Refused as refused:
        return Ruling(RulingKind.REFUSED, sentence(str(refused)))
    if scratch.cautions:
        return Ruling(RulingKind.WARNED, sentence("; ".join(scratch.cautions)))
    return accepted()


def _unload(scratch: Scratch, order: Unload) -> None:
    def objection(ship: Ship) -> str:
        return "" if ship.loaded else f"{ship.callsign} is not loaded"

    ships = scratch.found(ships_called(scratch.state, scratch.seat, order.ships))
    for ship in scratch.able(ships, objection):
        ship.carrier = None
        scratch.unloaded.add(ship.number)


def _deploy(scratch: Scratch, order: Deploy) -> None:
    ships = scratch.found(ships_called(scratch.state, scratch.seat, order.ships))
    for ship in scratch.able(ships, lambda ship: objection_to_deploy(scratch.state, ship)):
        if ship.loaded:
            scratch.caution(f"{ship.callsign} is unloaded first")
        del scratch.state.ships[ship.number]


def _load(scratch: Scratch, order: Load) -> None:
    ships = scratch.found(ships_called(scratch.state, scratch.seat, order.ships))
    carrier = ship_called(scratch.state, scratch.seat, order.carrier)
    if carrier is None:
        raise Refused(f"you have no ship {order.carrier}")
    able = []
    for ship in ships:
        # One after the other, because each takes racks that the next one then lacks.
        if reason := objection_to_load(scratch.state, ship, carrier):
            scratch.caution(reason)
        else:
            ship.carrier = carrier.number
            able.append(ship)
    if not able:
        raise Refused("; ".join(scratch.cautions))


def _destruct(scratch: Scratch, order: Destruct) -> None:
    ships = scratch.found(ships_of(scratch.state, scratch.empire, order.ships))
    scratch.able(ships, lambda ship: objection_to_destruct(scratch.state, ship))


def _fire(scratch: Scratch, order: Fire) -> None:
    state = scratch.state

    def objection(ship: Ship) -> str:
        if state.kind(ship).hull is Hull.MISSILE:
            ready = ship.loaded or ship.number in scratch.unloaded
            return "" if ready else f"{ship.callsign} must be on a carrier before it is fired"
        if ship.loaded:
            return f"{ship.callsign} is loaded"
        return "" if state.guns(ship) else f"{ship.callsign} has no gun that works"

    ships = scratch.able(scratch.group(order.ships), objection)
    names = {empire.name.casefold(): empire for empire in state.empires.values()}
    seats = {ship.owner for ship in state.ships_at(ships[0].at)}
    seats |= scratch.seen.get(ships[0].at, set())
    targets = [
        name
        for name in order.targets
        if name.casefold() in names and names[name.casefold()].seat in seats
    ]
    for name in order.targets:
        if name not in targets:
            what = "has no ship there" if name.casefold() in names else "is no empire"
            scratch.caution(f"{name} {what}")
    if not targets:
        raise Refused("; ".join(scratch.cautions))
    scratch.firing |= {ship.number for ship in ships}
    for ship in ships:
        if ship.loaded:
            # A missile that is fired comes off by itself, which frees its racks.
            ship.carrier = None
            scratch.unloaded.add(ship.number)
        if ship.number in scratch.journeys:
            scratch.caution(f"{ship.callsign} does not move if it fires")


def _transmit(scratch: Scratch, order: Transmit) -> None:
    for name in order.portals:
        if name not in scratch.empire.navigation:
            scratch.caution(f"you have no navigation data of {name}")
    if len(scratch.cautions) == len(set(order.portals)):
        raise Refused("; ".join(scratch.cautions))
    scratch.met(order.empires)


def _move(scratch: Scratch, order: Move) -> None:
    state = scratch.state
    to = sector_of(scratch.empire, order.to)
    if to is None:
        raise Refused(f"you know no place called {order.to}")

    def objection(ship: Ship) -> str:
        far, engines = distance(ship.at, to), state.engines(ship)
        if ship.loaded:
            return f"{ship.callsign} is loaded; it goes where its carrier goes"
        if ship.number in scratch.journeys:
            return f"{ship.callsign} moves already"
        if not engines:
            return f"{ship.callsign} has no engine that works"
        return f"{ship.callsign} can move {engines} sectors, not {far}" if far > engines else ""

    for ship in scratch.able(scratch.group(order.ships), objection):
        if ship.number in scratch.firing:
            scratch.caution(f"{ship.callsign} does not move if it fires")
        scratch.journeys[ship.number] = to
    for storm in state.storms_at(to):
        if storm.intensity:
            scratch.caution(f"the storm {storm.name} does {storm.intensity} DP of damage there")


def _traverse(scratch: Scratch, order: Traverse) -> None:
    state = scratch.state
    if order.entry not in state.portals:
        raise Refused(f"you know no portal {order.entry}")
    entry = state.portals[order.entry]

    def objection(ship: Ship) -> str:
        if ship.loaded:
            return f"{ship.callsign} is loaded; it goes where its carrier goes"
        if ship.number in scratch.traversing:
            return f"{ship.callsign} goes through a portal already"
        if not state.engines(ship):
            return f"{ship.callsign} has no engine that works"
        return "" if ship.at == entry.at else f"{ship.callsign} is not at {entry.name}"

    with scratch.arrived():
        ships = scratch.able(scratch.group(order.ships), objection)
    exit_ = _known_exit(scratch, entry, order.exit)
    for ship in ships:
        if ship.number in scratch.firing:
            scratch.caution(f"{ship.callsign} does not go if it fires")
        scratch.traversing.add(ship.number)
        scratch.journeys[ship.number] = None if exit_ is None else exit_.at


def _known_exit(scratch: Scratch, entry: Portal, name: str | None) -> Portal | None:
    """Return where a traversal will end, if that is known. Raises Refused when it cannot be."""
    if name is None:
        return None
    if not {entry.name, name} <= scratch.empire.navigation:
        scratch.caution("without navigation data of both portals by then the exit is a random one")
        return None
    if name not in entry.exits:
        raise Refused(f"there is no way from {entry.name} to {name}")
    return scratch.state.portals[name]


def _design(scratch: Scratch, order: Design) -> None:
    world = scratch.workshop(order.world)
    if any(order.name.casefold() == name.casefold() for name in scratch.state.classes):
        raise Refused(f"there is a class called {order.name} already")
    try:
        kind = drafted(scratch.state, order)
    except UserError as mistake:
        raise Refused(str(mistake)) from mistake
    if kind.fee > world.stockpile:
        raise Refused(f"{world.name} has {world.stockpile} RU, and the fee is {kind.fee}")
    world.stockpile -= kind.fee
    scratch.state.classes[kind.name] = kind
    scratch.empire.classes.add(kind.name)


def _give(scratch: Scratch, order: Give) -> None:
    known = [class_called(scratch.state, scratch.empire, name) for name in order.classes]
    for name, kind in zip(order.classes, known, strict=True):
        if kind is None:
            scratch.caution(f"you know no class {name}")
    if not any(known):
        raise Refused("; ".join(scratch.cautions))
    scratch.met(order.empires)


def _build(scratch: Scratch, order: Build) -> None:
    world = scratch.workshop(order.world)
    if order.count == 0:
        raise Refused("build one at least")
    kind = class_called(scratch.state, scratch.empire, order.kind)
    if kind is None:
        # Who is given a design can build by it in the same turn (R6.5.3).
        scratch.caution(f"you know no class {order.kind}, and build it only if you learn it first")
        return
    if not kind.buildable:
        raise Refused(f"a {kind.name} cannot be built")
    count = _payable(world, kind, order.count)
    names = _names(scratch, order, count)
    world.stockpile -= count * kind.cost
    yard = Shipyard(scratch.state, scratch.seat)
    for number, name in enumerate(names):
        dice = Dice(b"scratch").at(scratch.state.commissioned, number)
        ship = yard.commission(kind.name, world.at, dice, name)
        scratch.built.add(ship.number)


def _payable(world: World, kind: ShipClass, wanted: int | None) -> int:
    """Return how many ships will be built. Raises Refused when the world cannot pay for them."""
    payable = world.stockpile // kind.cost
    number = wanted or 1
    if payable < number:
        several = f", {number} of them {number * kind.cost}" if number > 1 else ""
        price = f"a {kind.name} costs {kind.cost}{several}"
        raise Refused(f"{world.name} has {world.stockpile} RU, and {price}")
    return payable if wanted is None else wanted


def _names(scratch: Scratch, order: Build, count: int) -> list[str]:
    """Return a name or none for each new ship. Raises Refused when a ship has one already."""
    if len(order.names) > count:
        scratch.caution(f"{len(order.names) - count} of the names are not needed")
    given = EmpireOrder(scratch.seat, order)
    names = list(islice(new_names(scratch.state, given), count))
    if given.remarks:
        raise Refused("; ".join(given.remarks))
    return names + [""] * (count - len(names))


def _repair(scratch: Scratch, order: Repair) -> None:
    ship = ship_called(scratch.state, scratch.seat, order.ship)
    if ship is None:
        raise Refused(f"you have no ship {order.ship}")
    if order.dp == 0:
        raise Refused("repair one DP at least")
    payers = []
    for name in order.worlds:
        world = scratch.world(name)
        if world.owner != scratch.seat:
            scratch.caution(f"{name} is not yours")
        elif world.stockpile < 1:
            scratch.caution(f"{name} has no RU left")
        else:
            payers.append(world)
    if not payers:
        raise Refused("; ".join(scratch.cautions))
    missing = scratch.state.kind(ship).ratings.dp - ship.dp
    if missing == 0:
        scratch.caution(f"{ship.callsign} is not damaged now")
    wanted = missing if order.dp is None else min(order.dp, missing)
    pay_for_repair(scratch.state, ship, payers, wanted)


def _toggle(scratch: Scratch, order: Toggle) -> None:
    found = scratch.found(ships_or_classes(scratch.state, scratch.empire, order.items))
    for ship in scratch.able(found, lambda _ship: ""):
        ship.public = order.public


def _set_private(scratch: Scratch, order: Conceal | Identify) -> None:
    def objection(ship: Ship) -> str:
        return f"the transponder of {ship.callsign} is public" if ship.public else ""

    if isinstance(order, Identify) and order.everything:
        found: Sequence[Ship] = scratch.state.fleet(scratch.seat)
    else:
        found = scratch.found(ships_or_classes(scratch.state, scratch.empire, order.items))
    scratch.able(found, objection)
    scratch.met(order.empires)


def _pool(scratch: Scratch, order: Pool) -> None:
    world = scratch.world(order.world)
    if world.owner != scratch.seat:
        scratch.caution(f"{world.name} is not yours now")
    for name in order.excepted:
        scratch.world(name)


def _transfer(scratch: Scratch, order: Transfer) -> None:
    origin, to = scratch.world(order.origin), scratch.world(order.destination)
    if origin is to:
        raise Refused("the RU are there already")
    if order.amount == 0:
        raise Refused("send one RU at least")
    if order.empire and order.empire.casefold() != scratch.empire.name.casefold():
        scratch.met((order.empire,))
    if origin.owner != scratch.seat:
        scratch.caution(f"{origin.name} is not yours now")
    elif origin.blockaded:
        scratch.caution(f"{origin.name} is blockaded now")


def _share(scratch: Scratch, order: Deny | Authorize) -> None:
    for place in order.scope.places:
        if sector_of(scratch.empire, place) is None:
            assert isinstance(place, Named)
            if class_called(scratch.state, scratch.empire, place.name) is None:
                raise Refused(f"you know no place and no class called {place.name}")
    ships = scratch.found(ships_called(scratch.state, scratch.seat, order.scope.ships))
    if order.scope.ships:
        scratch.able(ships, lambda ship: f"{ship.callsign} is loaded" if ship.loaded else "")
    scratch.met(order.empires)


def _ally(scratch: Scratch, order: Ally | Unally) -> None:
    if isinstance(order, Ally) and scratch.state.alliance_size < 2:
        raise Refused("in this game nobody wins with another")
    scratch.met(order.empires)


CHECKS: Final[dict[type[Order], Callable[[Scratch, Any], None]]] = {
    Unload: _unload,
    Deploy: _deploy,
    Load: _load,
    Destruct: _destruct,
    Fire: _fire,
    Transmit: _transmit,
    Move: _move,
    Traverse: _traverse,
    Design: _design,
    Give: _give,
    Build: _build,
    Repair: _repair,
    Toggle: _toggle,
    Conceal: _set_private,
    Identify: _set_private,
    Pool: _pool,
    Transfer: _transfer,
    Deny: _share,
    Authorize: _share,
    Ally: _ally,
    Unally: _ally,
}


def named_ships(state: State, seat: Seat, orders: Sequence[Order]) -> set[int]:
    """Return the numbers of the own ships that *orders* are about, in whatever way."""
    empire, found = state.empires[seat], set[int]()
    for order in orders:
        ships: Any = getattr(order, "ships", ())
        if isinstance(ships, ShipSet):
            found |= {ship.number for ship in ships_of(state, empire, ships).ships}
        else:
            found |= {ship.number for ship in ships_called(state, seat, ships).ships}
    return found
