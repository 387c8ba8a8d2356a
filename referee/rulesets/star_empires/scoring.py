"""Victory: at least half of the galaxy's production, alone or with declared allies (R1.0)."""

from collections.abc import Iterator
from itertools import combinations

from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Prose, Table, View
from referee.rulesets.star_empires.state import State


def verdict(state: State) -> Verdict | None:
    """Return the winners, or None: the smallest alliance with enough, of those the richest.

    If several alliances are equal in both, all of them have won.
    """
    total = sum(world.production for world in state.worlds.values())
    incomes = {seats: _income(state, seats) for seats in _alliances(state)}
    enough = {seats: income for seats, income in incomes.items() if 2 * income >= total > 0}
    if not enough:
        return None
    best = max((-len(seats), income) for seats, income in enough.items())
    first = [seats for seats, income in enough.items() if (-len(seats), income) == best]
    winners = tuple(sorted({seat for seats in first for seat in seats}))
    return Verdict(frozenset(winners), _result(state, winners, total))


def _alliances(state: State) -> Iterator[tuple[Seat, ...]]:
    """Return all sets of empires that can win together: each has declared all others allies."""
    seats = sorted(state.empires)
    for size in range(1, state.alliance_size + 1):
        for group in combinations(seats, size):
            if all(set(group) <= state.empires[seat].allies | {seat} for seat in group):
                yield group


def _income(state: State, seats: tuple[Seat, ...]) -> int:
    return sum(world.production for world in state.worlds.values() if world.owner in seats)


def _result(state: State, winners: tuple[Seat, ...], total: int) -> View:
    names = " and ".join(state.empires[seat].name for seat in winners)
    share = 100 * _income(state, winners) // max(1, total)
    return (
        Prose(
            f"{names} {'has' if len(winners) == 1 else 'have'} won with {share} % of the "
            f"galaxy's production."
        ),
        *standing(state),
    )


def standing(state: State) -> View:
    """Return all empires with what they have, the richest first, however the game ended."""
    rows = [
        (
            empire.name,
            str(_income(state, (seat,))),
            str(len(state.worlds_of(seat))),
            str(len(state.fleet(seat))),
            f"{empire.dedication:+d}",
        )
        for seat, empire in state.empires.items()
    ]
    rows.sort(key=lambda row: (-int(row[1]), row[0]))
    return (Table(("Empire", "RU a turn", "Worlds", "Ships", "Dedication"), tuple(rows)),)
