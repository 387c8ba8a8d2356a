"""The forecast: a player's worlds and fleets after the turn if no other player interferes."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rules.views import Verbatim, View
from referee.rulesets.starweb.foresight import foresee
from referee.rulesets.starweb.orders import Order, WorldNumber
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.text import (
    WORLD_FORMS,
    WorldRecord,
    bare_record,
    broken,
    enclosed,
    fleet_lines,
    fleet_record,
    fleets_by_world,
    shown,
)


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Return the seat's worlds and fleets after the turn, only from what the seat can know.

    Results of chance, such as growth, are shown as ranges. Orders, fire and ambushes of other
    players are left out.
    """
    if seat not in state.players:
        return ()
    foreseen = foresee(state, seat, orders)
    low, high = foreseen.resolution.state, foreseen.with_luck()
    lines: list[str] = []
    fleets = fleets_by_world(low)
    for number in _concerned(foreseen.known, low, seat):
        if number in state.players[seat].worlds:
            low_record = bare_record(low, low.worlds[number])
            high_record = bare_record(high, high.worlds[number])
            lines += _world_lines(low_record, high_record)
        else:
            lines.append(f"W{number}: not in your last report")
        for fleet in fleets.get(number, ()):
            lines += fleet_lines(fleet_record(low, fleet))
    return (Verbatim("\n".join(lines)),) if lines else ()


def _concerned(before: State, after: State, seat: Seat) -> list[WorldNumber]:
    """Return the worlds where the seat will have something and those that it loses, ascending."""
    owned = {
        world.number
        for state in (before, after)
        for world in state.worlds.values()
        if world.owner == seat
    }
    held = {fleet.world for fleet in after.fleets.values() if fleet.owner == seat}
    return sorted(owned | held)


def _world_lines(low: WorldRecord, high: WorldRecord) -> list[str]:
    """Return a world's record in the form of the printout, with ranges where the two differ."""
    gates = ",".join(map(str, low.gates or ()))
    apostle = f" C[{low.apostle or high.apostle}]" if low.apostle or high.apostle else ""
    fields = enclosed(_fields(low, high))
    return broken(f"W{low.number} ({gates}) [{low.owner}]{apostle}{fields}", low.artifacts)


def _fields(low: WorldRecord, high: WorldRecord) -> list[str]:
    if low == high:
        return shown(WORLD_FORMS, low)
    ranges = [_range(form.shows(low), form.shows(high)) for form in WORLD_FORMS]
    return [text for text in ranges if text]


def _range(low: str, high: str) -> str:
    """Return the range from one form of a field to the other: ``Population=55-56``."""
    if low == high:
        return low
    name = (low or high).split("=")[0]
    if not low:
        return f"{name}=0-{high.partition('=')[2]}"
    return f"{low}-{high.partition('=')[2] or 0}"
