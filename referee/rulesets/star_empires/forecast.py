"""The forecast: what an empire's worlds and ships will be like if nobody else acts."""

from collections.abc import Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rules.views import Prose, Table, View
from referee.rulesets.star_empires.knowledge import believed
from referee.rulesets.star_empires.orders import Destruct, Fire, Order, Traverse
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.turn import resolve

_UNKNOWN = Dice(b"nobody knows what will be drawn")


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Show the RU ledger and where the ships will be, from what the empire knows alone.

    Combat is not guessed, nor where an unknown portal leads.
    """
    before = believed(state, seat)
    certain = [order for order in orders if not _is_uncertain(before, seat, order)]
    after = resolve(before, {seat: certain}, frozenset(), _UNKNOWN).state
    return (_ledger(before, after, seat), *_fleet(before, after, seat), *_limits(orders))


def _is_uncertain(state: State, seat: Seat, order: Order) -> bool:
    if isinstance(order, Traverse):
        return not {order.entry, order.exit} <= state.empires[seat].navigation
    return isinstance(order, Fire | Destruct)


def _ledger(before: State, after: State, seat: Seat) -> Table:
    rows = []
    for name, world in sorted(after.worlds.items()):
        was = before.worlds[name]
        if seat in (world.owner, was.owner):
            made = world.production if world.owner == seat else 0
            moved = world.stockpile - was.stockpile - made
            rows.append((name, str(was.stockpile), str(made), f"{moved:+d}", str(world.stockpile)))
    columns = ("World", "RU now", "Made", "Spent, sent", "RU then")
    return Table(columns, tuple(rows), "Resource units")


def _fleet(before: State, after: State, seat: Seat) -> tuple[Table, ...]:
    """Give the ships that are new, gone or elsewhere; the others stay as they are."""
    frame = before.empires[seat].frame
    rows = []
    for number in sorted({s.number for s in (*before.fleet(seat), *after.fleet(seat))}):
        was, will = before.ships.get(number), after.ships.get(number)
        if will is None:
            assert was is not None
            rows.append((was.callsign, was.kind, written(frame.local(was.at)), "gone"))
        elif was is None:
            # A new ship's serial number is drawn when it is built.
            what = will.name or f"a new {will.kind}"
            rows.append((what, will.kind, "new", written(frame.local(will.at))))
        elif was.at != will.at:
            places = written(frame.local(was.at)), written(frame.local(will.at))
            rows.append((will.callsign, will.kind, *places))
    if not rows:
        return ()
    return (Table(("Ship", "Class", "From", "To"), tuple(rows), "Ships that change"),)


def _limits(orders: Sequence[Order]) -> tuple[Prose, ...]:
    if any(isinstance(order, Fire | Destruct) for order in orders):
        return (Prose("What your combat does is not foretold."),)
    return ()
