"""The sheet template of an empire, and the ships and worlds a sheet leaves unused."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.fleets import callsigns
from referee.rulesets.star_empires.knowledge import sighted
from referee.rulesets.star_empires.names import natural
from referee.rulesets.star_empires.orders import Order, Pool, Repair
from referee.rulesets.star_empires.rulings import after_orders, named_ships
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.state import Empire, State


def template(state: State, seat: Seat) -> Sequence[str]:
    """Return the template of an order sheet: orders to complete, each as a comment."""
    return [
        "# To use an order, complete it and delete the # in front of it.",
        *(f"# {line}" for line in _suggested(state, state.empires[seat])),
    ]


def _suggested(state: State, empire: Empire) -> Iterator[str]:
    """Return suggested orders in the sequence of the turn: fire, move, traverse, build.

    None fires at an empire with which this one has declared an alliance.
    """
    local, seat = empire.frame.local, empire.seat
    fleet = [ship for ship in state.fleet(seat) if not ship.loaded]
    fleet.sort(key=lambda ship: (local(ship.at), natural(ship.callsign)))
    places = [(at, list(ships)) for at, ships in groupby(fleet, key=lambda ship: ship.at)]
    foes = [each.ship for each in sighted(state, seat) if each.close]
    foes = [foe for foe in foes if foe.owner not in empire.allies]
    for at, ships in places:
        names = sorted({state.empires[foe.owner].name for foe in foes if foe.at == at})
        if names and any(map(state.conquers, ships)):
            yield f"FIRE {written(local(at))} AT {' '.join(names)}"
    for at, ships in places:
        able = [ship for ship in ships if state.engines_to_move(ship)]
        if able:
            yield f"MOVE {callsigns(able, ' ')} TO {written(local(at))}"
        for portal in sorted(empire.portals.values(), key=lambda portal: portal.name):
            if able and portal.at == at:
                yield f"TRAVERSE {callsigns(able, ' ')} THROUGH {portal.name}"
    for world in state.worlds_of(seat):
        if world.stockpile:
            yield f"BUILD {world.name} max probe   ({world.stockpile} RU)"


def unused(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Return the ships that could move but have no order, and the worlds that keep RU."""
    named, after = named_ships(state, seat, orders), after_orders(state, seat, orders)
    waiting = [
        ship
        for ship in state.fleet(seat)
        if not ship.loaded and state.engines_to_move(ship) and ship.number not in named | after.gone
    ]
    waiting.sort(key=lambda ship: natural(ship.callsign))
    stay = "They stay where they are" if len(waiting) > 1 else "It stays where it is"
    lines = [f"{callsigns(waiting)}: no order. {stay}."] if waiting else []
    lines += [
        f"{world.name} keeps its {world.stockpile} RU."
        for world in state.worlds_of(seat)
        if world.stockpile and world.name not in after.lost
        if not any(_spends(order, world.name) for order in orders)
    ]
    return lines


def _spends(order: Order, world: str) -> bool:
    """Return whether an order spends RU of a world, or pools all RU there."""
    if isinstance(order, Pool):
        return world not in order.excepted
    if isinstance(order, Repair):
        return world in order.worlds
    return world in (getattr(order, "world", ""), getattr(order, "origin", ""))
