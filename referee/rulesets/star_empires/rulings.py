"""Rulings before the deadline: each order against a scratch copy of what its empire knows.

The orders are checked in the sequence of the turn, whatever their sequence on the sheet, and the
expected effect of each is applied to the copy before the next is checked. So a class can be
designed and built in one sheet, and a damaged ship moves with the engines that it has repaired.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.rules.ruleset import Ruling, RulingKind, Seat
from referee.rules.wording import accepted, listed
from referee.rulesets.star_empires import production
from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.knowledge import Sighted, knows_class, scene, sighted
from referee.rulesets.star_empires.lookup import (
    class_called,
    one_sector,
    other_case,
    sector_of,
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
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.scratch import Rejected, Scratch
from referee.rulesets.star_empires.sectors import Sector, distance, written
from referee.rulesets.star_empires.ships import with_cargo
from referee.rulesets.star_empires.state import Empire, Portal, Ship, State, World
from referee.rulesets.star_empires.steps.combat import objection_to_destruct
from referee.rulesets.star_empires.steps.logistics import (
    objection_to_deploy,
    objection_to_load,
)
from referee.rulesets.star_empires.steps.movement import objection_to_distance
from referee.rulesets.star_empires.steps.ownership import BLOCKADE
from referee.rulesets.star_empires.turn_state import NO_ALLIANCES, sentences


@dataclass(frozen=True, slots=True)
class Loss:
    """A world that is lost, the words about it, and the places of the orders that lose it."""

    world: str
    words: str
    causes: frozenset[int]
    is_final: bool
    """Whether no own ship arrives to take it again in the same turn."""


def _guards_of(scratch: Scratch) -> dict[str, list[Ship]]:
    """Return the ships that hold each own world now."""
    return {
        world.name: list(_holding(scratch, world.at))
        for world in scratch.state.worlds_of(scratch.seat)
    }


def _losses(scratch: Scratch, guards: dict[str, list[Ship]]) -> list[Loss]:
    """Return the worlds that the orders so far lose, after combat or all moves (R6.3.6, R6.4.7)."""
    fleet = scratch.roster.fleet(scratch.seat)
    arrived = {_end(scratch, ship) for ship in fleet if _holds(scratch, ship)}
    found = []
    for name, before in guards.items():
        world = scratch.state.worlds[name]
        causes = frozenset(scratch.used[s.number] for s in before if s.number in scratch.used)
        is_final = world.at not in arrived
        if causes and (is_final or not any(_holding(scratch, world.at))):
            found.append(Loss(name, _words(world, is_final=is_final), causes, is_final))
    return found


def _holding(scratch: Scratch, at: Sector) -> Iterator[Ship]:
    """Return the own ships that hold a world in a sector before any ship moves."""
    for ship in scratch.roster.at(at):
        if ship.owner == scratch.seat and _holds(scratch, ship):
            yield ship


def _holds(scratch: Scratch, ship: Ship) -> bool:
    return scratch.state.conquers(ship) and ship.number not in scratch.gone


def _end(scratch: Scratch, ship: Ship) -> Sector | None:
    """Return where the journey of a ship ends, or None if that is random."""
    to = scratch.journeys.get(ship.number, ship.at)
    return ship.at if to is None and ship.number not in scratch.traversing else to


def _risks(scratch: Scratch, guards: dict[str, list[Ship]]) -> Iterator[Loss]:
    """Yield the worlds that others seen there could get once the own ships have left."""
    for name, before in guards.items():
        causes = frozenset(scratch.used[s.number] for s in before if s.number in scratch.used)
        if causes and scratch.state.worlds[name].at in scratch.endangered:
            words = f"the ships seen at {name} could take or blockade it once yours leave"
            yield Loss(name, words, causes, is_final=False)


_ANY_FIRE: Final = 10**6
"""The fire of a ship whose guns, or whose missiles aboard, the empire does not know."""


def _endangered(
    known: State, seat: Seat, seen: Iterable[Sighted], away: Container[int]
) -> set[Sector]:
    """Return the sectors whose worlds the foreign ships seen there could take or blockade.

    The worlds are held by the own armed ships that are not *away*, after all fire of the others
    and the storms as they are now (R6.3.6, R6.4.5, R6.4.9).
    """
    fire, dp = Counter[Sector](), Counter[Sector]()
    for ship in (each.ship for each in seen):
        surprising = not knows_class(known, seat, ship) or known.kind(ship).ratings.racks
        fire[ship.at] += _ANY_FIRE if surprising else known.guns(ship)
    for ship in known.fleet(seat):
        if known.conquers(ship) and ship.number not in away:
            storm = sum(each.intensity for each in known.storms_at(ship.at))
            dp[ship.at] += max(0, ship.dp - storm)
    return {at for at, guns in fire.items() if guns > BLOCKADE * (dp[at] - guns)}


def _words(world: World, *, is_final: bool) -> str:
    name = f"your homeworld {world.name}" if world.homeworld else world.name
    why = "because no ship with guns stays there"
    if not is_final:
        return f"you lose {name} until other ships arrive, {why}. It builds nothing this turn"
    stock = f" and its {world.stockpile} RU" if world.stockpile else ""
    return f"you lose {name}{stock}, {why}"


def _last_declarations(orders: Iterable[Order]) -> Mapping[str, type[Ally | Unally]]:
    """Return the kind of the last declaration about each empire, by its name, casefolded."""
    return {
        name.casefold(): type(order)
        for order in orders
        if isinstance(order, Ally | Unally)
        for name in order.empires
    }


def _declare(scratch: Scratch, order: Ally | Unally) -> None:
    """Check a declaration, and warn if it has no effect or a later one takes it back."""
    if isinstance(order, Ally) and scratch.state.alliance_size < 2:
        raise Rejected(NO_ALLIANCES)
    change = _ally if isinstance(order, Ally) else _unally
    for other in {each.seat: each for each in scratch.met(order.empires)}.values():
        change(scratch, other)


def _ally(scratch: Scratch, other: Empire) -> None:
    scratch.empire.allies.add(other.seat)
    if scratch.declarations[other.name.casefold()] is Unally:
        scratch.warn(f"a later order ends the alliance with {other.name}")
    elif _would_all_win(scratch):
        scratch.warn("with it you have declared every other empire an ally")
        scratch.warn(
            "if all do, the game ends in a draw when together they make at least half of the "
            "galaxy's production"
        )


def _would_all_win(scratch: Scratch) -> bool:
    """Return whether the empire has declared all others allies, and all can win together (R1.0)."""
    others = [each for seat, each in scratch.state.empires.items() if seat != scratch.seat]
    return len(others) < scratch.state.alliance_size and all(
        each.seat in scratch.empire.allies
        and scratch.declarations.get(each.name.casefold()) is not Unally
        for each in others
    )


def _unally(scratch: Scratch, other: Empire) -> None:
    if other.seat in scratch.empire.allies:
        scratch.empire.allies.discard(other.seat)
        scratch.ended.add(other.seat)
        if scratch.declarations[other.name.casefold()] is Ally:
            scratch.warn(f"a later order declares the alliance with {other.name} again")
    elif other.seat in scratch.ended:
        scratch.warn(f"an earlier order already ends the alliance with {other.name}")
    else:
        scratch.warn(f"you have no alliance with {other.name}")


def _warn_of_allies(scratch: Scratch, targets: Iterable[str]) -> None:
    """Warn about fire at declared allies, which are not spared, with the order that ends it."""
    wanted = {name.casefold() for name in targets}
    names = sorted(scratch.state.empires[seat].name for seat in scratch.empire.allies)
    allies = [name for name in names if name.casefold() in wanted]
    if allies:
        scratch.warn(f"you have declared an alliance with {listed(allies)}")
        scratch.warn("the guns fire all the same, and the declaration stays")
        scratch.warn(f"UNALLY {' '.join(allies)} ends it")


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Return the rulings on a whole sheet, in its order, from what the empire knows."""
    return _checked(state, seat, orders)[1]


def after_orders(state: State, seat: Seat, orders: Sequence[Order]) -> Scratch:
    """Return the scratch copy after all orders, with the ships and worlds that they lose."""
    return _checked(state, seat, orders)[0]


def _checked(state: State, seat: Seat, orders: Sequence[Order]) -> tuple[Scratch, list[Ruling]]:
    seen = list(sighted(state, seat))
    known = scene(state, seat, seen)
    close: defaultdict[Sector, set[Seat]] = defaultdict(set)
    for each in seen:
        if each.close:
            close[each.ship.at].add(each.ship.owner)
    said = _last_declarations(orders)
    scratch = Scratch(Roster(known), known.empires[seat], close, declarations=said)
    guards, lost = _guards_of(scratch), list[Loss]()
    _unload_to_use(scratch, orders)

    def end_moves() -> None:
        lost.extend(_losses(scratch, guards))
        scratch.lost = {loss.world for loss in lost if loss.is_final}
        away = scratch.used.keys() | scratch.journeys.keys()
        scratch.endangered = _endangered(known, seat, seen, away)
        risks = [each for each in _risks(scratch, guards) if each.world not in scratch.lost]
        scratch.risked = {each.world for each in risks}
        lost.extend(risks)

    ends = [(_STEPS[Transmit], scratch.end_combat), (_STEPS[Design], end_moves)]
    rulings: dict[int, Ruling] = {}
    for place in sorted(range(len(orders)), key=lambda place: _STEPS[type(orders[place])]):
        while ends and _STEPS[type(orders[place])] >= ends[0][0]:
            ends.pop(0)[1]()
        scratch.place = place
        rulings[place] = _ruling(scratch, orders[place])
    for _, end in ends:
        end()
    return scratch, [
        _too_early(scratch, order) or rulings[place]
        if rulings[place].kind is RulingKind.REJECTED
        else _with_losses(rulings[place], [each.words for each in lost if place in each.causes])
        for place, order in enumerate(orders)
    ]


def _with_losses(ruling: Ruling, words: Sequence[str]) -> Ruling:
    """Return a ruling with warnings about the worlds that its order gives up."""
    if not words:
        return ruling
    return Ruling(RulingKind.WARNED, " ".join(filter(None, (ruling.reason, sentences(words)))))


def _too_early(scratch: Scratch, order: Order) -> Ruling | None:
    """Return the warning about ships that the sheet builds, but only later in the turn, or None."""
    if not isinstance(order, Fire | Move | Traverse):
        return None
    built = {scratch.state.ships[number].callsign.casefold() for number in scratch.built}
    early = [name for name in order.ships.ships if name.casefold() in built]
    remarks = [f"{name} is built only after all ships have moved" for name in early]
    return Ruling(RulingKind.WARNED, sentences(remarks)) if remarks else None


def _unload_to_use(scratch: Scratch, orders: Sequence[Order]) -> None:
    """Unload the missiles to be fired and the devices to be deployed, as the turn does (R6.2.1)."""
    state = scratch.state
    for order in orders:
        hull, ships = Hull.DEVICE, tuple[Ship, ...]()
        if isinstance(order, Fire):
            hull, ships = Hull.MISSILE, ships_of(scratch.roster, scratch.empire, order.ships).ships
            at = one_sector(ships)
            if at is None or not _targets(scratch, order, at):
                continue
        elif isinstance(order, Deploy) and state.devices:
            ships = ships_called(scratch.roster, scratch.seat, order.ships).ships
        for ship in ships:
            if ship.loaded and state.kind(ship).hull is hull:
                ship.carrier = None
                scratch.unloaded.add(ship.number)
                scratch.automatic.add(ship.number)


def _ruling(scratch: Scratch, order: Order) -> Ruling:
    scratch.warnings = []
    try:
        CHECKS[type(order)](scratch, order)
    except Rejected as rejected:
        return Ruling(RulingKind.REJECTED, sentences(rejected.args))
    if scratch.warnings:
        return Ruling(RulingKind.WARNED, sentences(scratch.warnings))
    return accepted()


def _unload(scratch: Scratch, order: Unload) -> None:
    def objection(ship: Ship) -> str:
        aboard = ship.loaded or ship.number in scratch.unloaded
        return "" if aboard else f"{ship.callsign} is not loaded"

    ships = scratch.found(ships_called(scratch.roster, scratch.seat, order.ships))
    for ship in scratch.able(ships, objection):
        ship.carrier = None
        scratch.unloaded.add(ship.number)


def _deploy(scratch: Scratch, order: Deploy) -> None:
    ships = scratch.found(ships_called(scratch.roster, scratch.seat, order.ships))
    for ship in scratch.able(ships, lambda ship: objection_to_deploy(scratch.state, ship)):
        if ship.loaded or ship.number in scratch.automatic:
            scratch.warn(f"{ship.callsign} is unloaded first")
        scratch.roster.remove(ship)


def _load(scratch: Scratch, order: Load) -> None:
    ships = scratch.found(ships_called(scratch.roster, scratch.seat, order.ships))
    carrier = scratch.roster.called(scratch.seat, order.carrier)
    if carrier is None:
        raise Rejected(f"you have no ship {order.carrier}")
    able = []
    for ship in ships:
        # Load one after the other, because each uses racks that the next could need.
        if reason := objection_to_load(scratch.state, ship, carrier):
            scratch.warn(reason)
        else:
            ship.carrier = carrier.number
            scratch.used[ship.number] = scratch.place
            able.append(ship)
    if not able:
        raise Rejected(*scratch.warnings)


def _destruct(scratch: Scratch, order: Destruct) -> None:
    ships = scratch.found(ships_of(scratch.roster, scratch.empire, order.ships))
    for ship in scratch.able(ships, lambda ship: objection_to_destruct(scratch.state, ship)):
        cargo = [each.callsign for each in scratch.state.cargo(ship)]
        scratch.warn(f"you lose {ship.callsign}{f' with {listed(cargo)}' if cargo else ''}")
        for each in with_cargo(scratch.state, [ship]):
            scratch.exploding.add(each.number)
        scratch.used[ship.number] = scratch.place
    for ship in scratch.casualties():
        scratch.warn(f"the explosion destroys {ship.callsign}")
        scratch.used[ship.number] = scratch.place


def _fire(scratch: Scratch, order: Fire) -> None:
    state = scratch.state

    def objection(ship: Ship) -> str:
        if state.kind(ship).hull is Hull.MISSILE:
            ready = ship.loaded or ship.number in scratch.unloaded
            return "" if ready else f"{ship.callsign} must be on a carrier before it is fired"
        if ship.loaded:
            return f"{ship.callsign} is loaded"
        return "" if state.guns(ship) else f"{ship.callsign} has no working gun"

    ships = scratch.able(scratch.group(order.ships), objection)
    targets = _targets(scratch, order, ships[0].at)
    _warn_of_targets(scratch, order, targets)
    if not targets:
        raise Rejected(*scratch.warnings)
    scratch.firing |= {ship.number for ship in ships}
    for ship in ships:
        if ship.loaded:
            # A missile that is fired leaves its carrier automatically, which frees the racks.
            ship.carrier = None
            scratch.unloaded.add(ship.number)


def _warn_of_targets(scratch: Scratch, order: Fire, there: Sequence[str]) -> None:
    """Warn about targets without a ship *there*, and about fire at oneself and at allies."""
    own = scratch.empire.name.casefold()
    for name in order.targets:
        if name not in there:
            # These words are the same for an empire that was never met and for a name of nobody.
            scratch.warn(f"{name} has no ship there")
        elif name.casefold() == own:
            scratch.warn(f"{name} is your own empire")
    _warn_of_allies(scratch, there)


def _targets(scratch: Scratch, order: Fire, at: Sector) -> list[str]:
    """Return the names of the targets that have a ship in a sector where the empire sees it."""
    state = scratch.state
    seats = {ship.owner for ship in scratch.roster.at(at)} | scratch.seen.get(at, set())
    there = {state.empires[seat].name.casefold() for seat in seats}
    return [name for name in order.targets if name.casefold() in there]


def _transmit(scratch: Scratch, order: Transmit) -> None:
    for name in order.portals:
        if name not in scratch.empire.navigation:
            meant = other_case(name, scratch.empire.navigation)
            scratch.warn(f"you have no navigation data for {name}{meant}")
    if len(scratch.warnings) == len(set(order.portals)):
        raise Rejected(*scratch.warnings)
    scratch.met(order.empires)


def _move(scratch: Scratch, order: Move) -> None:
    state = scratch.state
    to = sector_of(scratch.empire, order.to)
    if to is None:
        raise Rejected(f"you do not know a place called {order.to}")

    def objection(ship: Ship) -> str:
        far, engines = distance(ship.at, to), state.engines(ship)
        if ship.loaded:
            return f"{ship.callsign} is loaded and goes where its carrier goes"
        if ship.number in scratch.journeys:
            return f"{ship.callsign} already moves by an earlier order"
        if not engines:
            return f"{ship.callsign} has no working engine"
        return objection_to_distance(ship, engines, far)

    for ship in scratch.able(scratch.group(order.ships), objection):
        if ship.number in scratch.firing:
            scratch.warn(f"{ship.callsign} does not move if it fires")
        scratch.journeys[ship.number] = to
        scratch.used[ship.number] = scratch.place
    for storm in state.storms_at(to):
        if storm.intensity:
            scratch.warn(f"the storm {storm.name} does {storm.intensity} DP of damage there")


def _traverse(scratch: Scratch, order: Traverse) -> None:
    state = scratch.state
    entry = state.portals.get(order.entry)
    if entry is None:
        _traverse_unknown(scratch, order)
        return

    def objection(ship: Ship) -> str:
        if ship.loaded:
            return f"{ship.callsign} is loaded and goes where its carrier goes"
        if ship.number in scratch.traversing:
            return f"{ship.callsign} already goes through a portal"
        if not state.engines(ship):
            return f"{ship.callsign} has no working engine"
        return "" if ship.at == entry.at else f"{ship.callsign} is not at {entry.name}"

    with scratch.arrived():
        ships = scratch.able(scratch.group(order.ships), objection)
    exit_ = _known_exit(scratch, entry, order.exit)
    for ship in ships:
        if ship.number in scratch.firing:
            scratch.warn(f"{ship.callsign} does not go through if it fires")
        scratch.traversing.add(ship.number)
        scratch.journeys[ship.number] = None if exit_ is None else exit_.at
        scratch.used[ship.number] = scratch.place


def _traverse_unknown(scratch: Scratch, order: Traverse) -> None:
    """Check a traversal through a portal whose data can arrive this turn (R6.4.1, R6.4.3)."""
    unknown = f"you do not know a portal called {order.entry}"
    if meant := other_case(order.entry, scratch.state.portals):
        raise Rejected(f"{unknown}{meant}")
    with scratch.arrived():
        ships = scratch.group(order.ships)
    for ship in ships:
        scratch.journeys.setdefault(ship.number, None)
    scratch.warn(unknown)
    scratch.warn("the ships go through only if you get its navigation data this turn")


def _known_exit(scratch: Scratch, entry: Portal, name: str | None) -> Portal | None:
    """Return the exit of a traversal, or None if random. Raises Rejected if there is no way."""
    if name is None:
        return None
    if meant := other_case(name, scratch.empire.navigation - {name}):
        scratch.warn(f"you have no navigation data for {name}{meant}")
    if not {entry.name, name} <= scratch.empire.navigation:
        scratch.warn("the exit is random unless you get navigation data for both portals")
        return None
    if name not in entry.exits:
        raise Rejected(f"{entry.name} does not lead to {name}")
    return scratch.state.portals[name]


def _toggle(scratch: Scratch, order: Toggle) -> None:
    found = scratch.found(ships_or_classes(scratch.roster, scratch.empire, order.items))
    for ship in scratch.able(found, lambda _ship: ""):
        ship.public = order.public


def _set_private(scratch: Scratch, order: Conceal | Identify) -> None:
    def objection(ship: Ship) -> str:
        fix = f"Change it first: TOGGLE private {ship.callsign}"
        return f"the transponder of {ship.callsign} is public. {fix}" if ship.public else ""

    if isinstance(order, Identify) and order.everything:
        found: Sequence[Ship] = scratch.roster.fleet(scratch.seat)
    else:
        found = scratch.found(ships_or_classes(scratch.roster, scratch.empire, order.items))
    scratch.able(found, objection)
    scratch.met(order.empires)


def _share(scratch: Scratch, order: Deny | Authorize) -> None:
    for place in order.scope.places:
        if (sector := sector_of(scratch.empire, place)) is not None:
            if _is_outside(scratch, sector) and not isinstance(place, Named):
                scratch.warn(f"{written(place)} is outside the galaxy")
        else:
            assert isinstance(place, Named)
            if class_called(scratch.state, scratch.empire, place.name) is None:
                raise Rejected(f"you do not know a place or class called {place.name}")
    ships = scratch.found(ships_called(scratch.roster, scratch.seat, order.scope.ships))
    if order.scope.ships:
        scratch.able(ships, lambda ship: f"{ship.callsign} is loaded" if ship.loaded else "")
    scratch.met(order.empires)


def _is_outside(scratch: Scratch, sector: Sector) -> bool:
    """Return whether a sector is farther from the homeworld than any place in the galaxy."""
    radius = scratch.state.radius
    return radius > 0 and distance(scratch.empire.home, sector) > 2 * radius


CHECKS: Final[dict[type[Order], Callable[[Scratch, Any], None]]] = {
    Ally: _declare,
    Unally: _declare,
    Unload: _unload,
    Load: _load,
    Deploy: _deploy,
    Destruct: _destruct,
    Fire: _fire,
    Transmit: _transmit,
    Move: _move,
    Traverse: _traverse,
    Design: production.design,
    Give: production.give,
    Build: production.build,
    Repair: production.repair,
    Toggle: _toggle,
    Conceal: _set_private,
    Identify: _set_private,
    Pool: production.pool,
    Transfer: production.transfer,
    Deny: _share,
    Authorize: _share,
}
"""The check of each kind of order, in the sequence of the turn."""

_STEPS: Final = {kind: step for step, kind in enumerate(CHECKS)} | {Unally: 0}
"""The place of each kind in the turn. ALLY and UNALLY share one, so the sheet decides."""


def named_ships(state: State, seat: Seat, orders: Sequence[Order]) -> set[int]:
    """Return the numbers of the empire's own ships that any of *orders* concerns."""
    roster, empire, found = Roster(state), state.empires[seat], set[int]()
    for order in orders:
        ships: Any = getattr(order, "ships", ())
        if isinstance(ships, ShipSet):
            found |= {ship.number for ship in ships_of(roster, empire, ships).ships}
        else:
            found |= {ship.number for ship in ships_called(roster, seat, ships).ships}
    return found
