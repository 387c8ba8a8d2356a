"""The forecast: what an empire's worlds and ships will be like if nobody else acts."""

from collections.abc import Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rules.views import Prose, Table, View
from referee.rulesets.star_empires.knowledge import believed
from referee.rulesets.star_empires.orders import Destruct, Fire, Order, Traverse
from referee.rulesets.star_empires.report import ledger
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.turn import resolve

_UNKNOWN = Dice(b"nobody knows what will be drawn")


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Show the RU ledger and where the ships will be, from what the empire knows alone.

    Combat is not guessed, nor where an unknown portal leads, nor what worlds of others would give.
    """
    before = believed(state, seat)
    for world in before.worlds.values():
        if world.owner not in (seat, None):
            # Who is there may defend it; nothing that it has is counted on.
            world.stockpile = world.production = 0
    certain = [order for order in orders if not _is_uncertain(before, seat, order)]
    after = resolve(before, {seat: certain}, frozenset(), _UNKNOWN).state
    return (
        _ledger(before, after, seat),
        *_fleet(before, after, seat),
        *_losses(before, after, seat),
        *_limits(orders),
    )


def _is_uncertain(state: State, seat: Seat, order: Order) -> bool:
    if isinstance(order, Traverse):
        return not {order.entry, order.exit} <= state.empires[seat].navigation
    return isinstance(order, Fire | Destruct)


def _ledger(before: State, after: State, seat: Seat) -> Table:
    accounts = sorted(after.empires[seat].ledger, key=lambda account: account.world)
    counted = [each for each in accounts if before.worlds[each.world].owner in (seat, None)]
    return ledger(counted, ("World", "RU now", "Spent", "Made", "Moved", "RU then"))


def _losses(before: State, after: State, seat: Seat) -> tuple[Prose, ...]:
    """Say which worlds are given up because nobody who can hold them stays (R6.3.6)."""
    kept = {world.name for world in after.worlds_of(seat)}
    lost = sorted({world.name for world in before.worlds_of(seat)} - kept)
    if not lost:
        return ()
    names = " and ".join(filter(None, (", ".join(lost[:-1]), lost[-1])))
    what = "it: no ship with guns stays" if len(lost) == 1 else "them: no ships with guns stay"
    return (Prose(f"You have {names} now, and lose {what} there."),)


def _fleet(before: State, after: State, seat: Seat) -> tuple[Table, ...]:
    """Return the ships that are new, gone or elsewhere; the others stay as they are."""
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
