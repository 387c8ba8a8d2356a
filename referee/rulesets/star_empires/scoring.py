"""Victory: at least half of the galaxy's production, alone or with declared allies (R1.0)."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Prose, Table, View
from referee.rules.wording import listed
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
    allied = len(first) == 1 < len(winners)
    won = _won(state, winners, total, allied=allied)
    return Verdict(frozenset(winners), (won, *standing(state)))


def victory(state: State) -> tuple[Prose, ...]:
    """Return who has won, and why, as one paragraph; nothing while the game continues."""
    over = verdict(state)
    return tuple(each for each in over.standing if isinstance(each, Prose)) if over else ()


def _alliances(state: State) -> Iterator[tuple[Seat, ...]]:
    """Return all sets of empires that can win together: each has declared all others allies."""
    seats = sorted(state.empires)
    for size in range(1, state.alliance_size + 1):
        for group in combinations(seats, size):
            if all(set(group) <= state.empires[seat].allies | {seat} for seat in group):
                yield group


def _income(state: State, seats: tuple[Seat, ...]) -> int:
    return sum(world.production for world in state.worlds.values() if world.owner in seats)


def _won(state: State, winners: tuple[Seat, ...], total: int, *, allied: bool) -> Prose:
    names = listed(sorted(state.empires[seat].name for seat in winners))
    have = "has" if len(winners) == 1 else "have"
    together = " as allies" if allied else ""
    share = 100 * _income(state, winners) // max(1, total)
    said = f"{names} {have} won{together} with {share} % of the galaxy's production."
    drawn = " All empires have won, so the game is a draw."
    everyone = len(winners) == len(state.empires)
    return Prose(f"{said} At least half of it wins.{drawn if everyone else ''}")


def scores(state: State) -> Mapping[Seat, int]:
    """Return the RU that every empire makes in a turn."""
    return {seat: _income(state, (seat,)) for seat in state.empires}


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
