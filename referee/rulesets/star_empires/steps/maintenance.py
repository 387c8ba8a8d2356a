"""Maintenance: building, repairs and transponders (RULES 6.6)."""

from collections.abc import Iterable, Iterator
from typing import Final

from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.lookup import class_called, ships_or_classes
from referee.rulesets.star_empires.names import LONGEST
from referee.rulesets.star_empires.orders import Build, Conceal, Identify, Repair, Toggle
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.ships import Shipyard, cargo_by_carrier
from referee.rulesets.star_empires.state import Ship, State, World
from referee.rulesets.star_empires.turn_state import EmpireOrder, Stage, Turn, named

RATE: Final = 2
"""The DP that one RU repairs."""
ORBITAL_RATE: Final = 3


def build(turn: Turn) -> None:
    """Build new ships, one by one, while the world can pay (R6.6.1)."""
    yards = {seat: Shipyard(turn.roster, seat) for seat in turn.state.empires}
    for given in turn.given(Build):
        _build(turn, given, yards[given.seat])


def _build(turn: Turn, given: EmpireOrder[Build], yard: Shipyard) -> None:
    order, state = given.order, turn.state
    world = turn.workshop(given, order.world)
    if world is None:
        return
    kind = class_called(state, turn.empire(given.seat), order.kind)
    if kind is None or not kind.buildable:
        unknown = f"you do not know a class called {order.kind}"
        given.note(f"a {order.kind} cannot be built" if kind else unknown)
        return
    names, built = new_names(turn.roster, given), 0
    seers = turn.witnesses(world.at)
    while (order.count is None or built < order.count) and kind.cost <= world.stockpile:
        world.stockpile -= kind.cost
        turn.built[given.seat] += 1
        dice = turn.dice.at("serial", given.seat, turn.built[given.seat])
        ship = yard.commission(kind.name, world.at, dice, next(names, ""))
        ship.did.append("built")
        built += 1
        text = f"{turn.name(given.seat)} builds at %s"
        turn.tell_of(Stage.MAINTENANCE, seers, text, named(ship), world.at)
    given.done = built > 0
    if order.count is None and not built:
        given.note(f"{world.name} cannot pay {kind.cost} RU")
    elif order.count is not None and built < order.count:
        given.note(f"{world.name} could pay for only {built} of {order.count}")


def new_names(roster: Roster, given: EmpireOrder[Build]) -> Iterator[str]:
    """Return the names for the ships of an order, "" for a name that is in use or too long."""
    order = given.order
    fleet = roster.fleet(given.seat) if order.prefix or order.names else ()
    taken = {ship.callsign.casefold() for ship in fleet}
    for name in numbered(order.prefix, taken) if order.prefix else order.names:
        if len(name) > LONGEST:
            given.note(f"{name} is too long. A name has at most {LONGEST} characters")
            yield ""
        elif name.casefold() in taken:
            given.note(f"you already have a ship called {name}")
            yield ""
        else:
            taken.add(name.casefold())
            yield name


def numbered(prefix: str, taken: Iterable[str]) -> Iterator[str]:
    """Return prefix and number, starting after the highest number in use."""
    small = prefix.casefold()
    ends = (name[len(small) :] for name in taken if name.startswith(small))
    number = max((int(end) for end in ends if end.isdecimal()), default=0)
    while True:
        number += 1
        yield f"{prefix}{number}"


def repair_cargo(turn: Turn) -> None:
    """Repair the cargo of every orbital for nothing (R6.6.2)."""
    cargo = cargo_by_carrier(turn.state)
    for carrier in turn.state.ships.values():
        if turn.state.kind(carrier).hull is Hull.ORBITAL:
            for ship in cargo.get(carrier.number, ()):
                _repair_free(turn, carrier, ship)


def _repair_free(turn: Turn, carrier: Ship, ship: Ship) -> None:
    missing = turn.state.kind(ship).ratings.dp - ship.dp
    if missing == 0:
        return
    ship.dp += missing
    # Nobody else sees loaded ships.
    text, part = "Your %s repairs its cargo at %s for nothing", named(ship, f"by {missing} DP")
    seers = {ship.owner}
    turn.tell_of(Stage.MAINTENANCE, seers, text, part, named(carrier), carrier.at)


def repair(turn: Turn) -> None:
    """Repair ships, paid by the RU of worlds (R6.6.2)."""
    for given in turn.given(Repair):
        _repair(turn, given)


def _repair(turn: Turn, given: EmpireOrder[Repair]) -> None:
    state, order = turn.state, given.order
    ship = turn.roster.called(given.seat, order.ship)
    if ship is None:
        given.note(f"you have no ship {order.ship}")
        return
    missing = state.kind(ship).ratings.dp - ship.dp
    left = missing if order.dp is None else min(order.dp, missing)
    if left == 0:
        given.note(f"{ship.callsign} is not damaged")
    if any(w.interdicted and w.owner == given.seat and w.at == ship.at for w in _worlds(state)):
        given.note(f"{ship.callsign} is at an interdicted world of yours")
        return
    for name in order.worlds:
        world = turn.workshop(given, name)
        if world is None or left == 0:
            continue
        if world.blockaded and world.at != ship.at:
            given.note(f"{name} is blockaded and pays only for repairs in its own sector")
            continue
        left -= _pay(turn, given, ship, world, left)


def _pay(turn: Turn, given: EmpireOrder[Repair], ship: Ship, world: World, dp: int) -> int:
    """Repair up to *dp*, paid by a world, and return the DP repaired."""
    rate = rate_of(turn.state, ship)
    fee = -(-dp // rate)
    if fee > world.stockpile:
        given.note(f"{world.name} had only {world.stockpile} RU")
        fee, dp = world.stockpile, world.stockpile * rate
    if dp == 0:
        return 0
    world.stockpile -= fee
    ship.dp += dp
    given.done = True
    text = f"{turn.name(given.seat)} repairs at %s"
    seers = turn.witnesses(ship.at) if not ship.loaded else {given.seat}
    turn.tell_of(Stage.MAINTENANCE, seers, text, named(ship, f"by {dp} DP"), ship.at)
    return dp


def _worlds(state: State) -> Iterable[World]:
    return state.worlds.values()


def pay_for_repair(state: State, ship: Ship, worlds: Iterable[World], dp: int) -> None:
    """Repair up to *dp*, paid by one world after the other, without checking the rules."""
    for world in worlds:
        repaired = min(dp, world.stockpile * rate_of(state, ship))
        world.stockpile -= -(-repaired // rate_of(state, ship))
        ship.dp += repaired
        dp -= repaired


def rate_of(state: State, ship: Ship) -> int:
    """Return the DP of a ship that one RU repairs."""
    return ORBITAL_RATE if state.kind(ship).hull is Hull.ORBITAL else RATE


def toggle(turn: Turn) -> None:
    """Switch transponders to public or private; identifications stay (R6.6.3)."""
    for given in turn.given(Toggle):
        found = ships_or_classes(turn.roster, turn.empire(given.seat), given.order.items)
        given.remarks += found.remarks
        for ship in found.ships:
            ship.public = given.order.public
            given.done = True


def conceal(turn: Turn) -> None:
    """Hide private transponders from empires (R6.6.4)."""
    for given in turn.given(Conceal):
        ships = list(private_ships(turn, given))
        for empire in turn.met(given, given.order.empires):
            for ship in ships:
                ship.identified.discard(empire.seat)
                given.done = True


def identify(turn: Turn) -> None:
    """Identify private transponders to empires (R6.6.5)."""
    for given in turn.given(Identify):
        ships = list(private_ships(turn, given))
        for empire in turn.met(given, given.order.empires):
            for ship in ships:
                ship.identified.add(empire.seat)
                given.done = True


def private_ships(
    turn: Turn, given: EmpireOrder[Conceal] | EmpireOrder[Identify]
) -> Iterator[Ship]:
    """Return the ships of an order with private transponders, and remark on the others."""
    order = given.order
    if isinstance(order, Identify) and order.everything:
        found = [ship for ship in turn.roster.fleet(given.seat) if not ship.public]
        yield from found
        return
    named = ships_or_classes(turn.roster, turn.empire(given.seat), order.items)
    given.remarks += named.remarks
    for ship in named.ships:
        if ship.public:
            given.note(f"the transponder of {ship.callsign} is public")
        else:
            yield ship
