"""The forecast: an empire's worlds and ships after the turn, if no other player interferes."""

from collections.abc import Container, Iterable, Iterator, Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rules.views import Prose, Table, View
from referee.rules.wording import left_out, listed
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.hulls import STARBASE, ShipClass
from referee.rulesets.star_empires.knowledge import believed, others_by_sector
from referee.rulesets.star_empires.orders import Fire, Order, Traverse
from referee.rulesets.star_empires.report import ledger
from referee.rulesets.star_empires.rulings import after_orders
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.state import Ship, State, World
from referee.rulesets.star_empires.turn import resolve

_UNKNOWN = Dice(b"nobody knows what will be drawn")


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Return the RU ledger and the ships' places, computed only from what the empire knows.

    It does not predict combat, random exits of portals, or the RU of other empires. It counts on no
    world that the empire does not hold yet: anybody can come there, also from out of sight.
    """
    before, others = believed(state, seat), [*others_by_sector(state, seat)]
    safe = {world.at for world in before.worlds_of(seat)}
    safe -= after_orders(state, seat, orders).endangered
    held = {at for at, _ in others} - safe
    held |= {world.at for world in before.worlds.values() if world.owner != seat}
    for world in before.worlds.values():
        if world.at in held:
            # Others could hold it, so none of its RU are expected.
            world.stockpile = world.production = 0
        if world.owner not in (None, seat):
            _guard(before, world, state.classes[STARBASE])
    certain = [order for order in orders if not _is_uncertain(before, seat, order)]
    after = resolve(before, {seat: certain}, frozenset(), _UNKNOWN).state
    return (
        _ledger(before, after, seat, held),
        *_fleet(before, after, seat),
        *_changes(before, after, seat),
        *_limits(orders),
        *_left_out(before, after, seat, others, held),
    )


def _guard(before: State, world: World, base: ShipClass) -> None:
    """Add a base to a foreign world, so that its owner keeps it although no ship is seen there."""
    assert world.owner is not None
    before.classes[base.name] = base
    number = min(before.ships, default=0) - 1
    ship = Ship(number, world.owner, "", "", base.name, world.at, base.ratings.dp)
    before.ships[number] = ship


def _left_out(
    before: State,
    after: State,
    seat: Seat,
    others: Iterable[tuple[Sector, str]],
    held: Container[Sector],
) -> View:
    """Return the part about others in the sectors where the empire has ships."""
    frame, worlds = before.empires[seat].frame, before.worlds.values()
    names = {world.at: f"{world.name} " for world in worlds}

    def called(at: Sector) -> str:
        return names.get(at, "") + written(frame.local(at))

    own = {ship.at for state in (before, after) for ship in state.fleet(seat)}
    here = sorted((frame.local(at), called(at), unit) for at, unit in others if at in own)
    uncounted = {called(world.at) for world in worlds if world.at in held}
    return left_out(((place, unit) for _, place, unit in here), uncounted)


def _is_uncertain(state: State, seat: Seat, order: Order) -> bool:
    if isinstance(order, Traverse):
        return not {order.entry, order.exit} <= state.empires[seat].navigation
    return isinstance(order, Fire)


def _ledger(before: State, after: State, seat: Seat, held: Container[Sector]) -> Table:
    accounts = sorted(after.empires[seat].ledger, key=lambda account: account.world)
    sure = [each for each in accounts if before.worlds[each.world].at not in held]
    return ledger(sure, ("World", "RU now", "Spent", "Made", "Moved", "RU after"))


def _changes(before: State, after: State, seat: Seat) -> Iterator[Prose]:
    """Yield the worlds that are lost because no armed ship stays, and those to take (R6.3.6)."""
    was, will = ({world.name for world in s.worlds_of(seat)} for s in (before, after))
    if lost := sorted(was - will):
        yield Prose(f"You lose {listed(lost)}, because no ship with guns stays there.")
    if taken := sorted(will - was):
        yield Prose(f"You take {listed(taken)} if nobody else comes there. No RU are counted on.")


def _fleet(before: State, after: State, seat: Seat) -> tuple[Table, ...]:
    """Return the table of ships that are new, gone or moved, if there are any."""
    frame = before.empires[seat].frame
    rows = []

    def kind(ship: Ship) -> str:
        return class_name(after.empires[seat], ship.kind)

    for number in sorted({s.number for s in (*before.fleet(seat), *after.fleet(seat))}):
        was, will = before.ships.get(number), after.ships.get(number)
        if will is None:
            assert was is not None
            rows.append((was.callsign, kind(was), written(frame.local(was.at)), "gone"))
        elif was is None:
            # The serial number of a new ship is not known before the deadline.
            what = will.name or f"a new {kind(will)}"
            rows.append((what, kind(will), "new", written(frame.local(will.at))))
        elif was.at != will.at:
            places = written(frame.local(was.at)), written(frame.local(will.at))
            rows.append((will.callsign, kind(will), *places))
    if not rows:
        return ()
    return (Table(("Ship", "Class", "From", "To"), tuple(rows), "Ships that change"),)


def _limits(orders: Sequence[Order]) -> tuple[Prose, ...]:
    if any(isinstance(order, Fire) for order in orders):
        return (Prose("The forecast does not include fire."),)
    return ()
