"""The scene of a game: the map as text, and the list of stars."""

from collections.abc import Iterable

from referee.rules.ruleset import Seat
from referee.rules.views import Table, Verbatim
from referee.rulesets.fistful.cluster import COLUMNS, ROWS
from referee.rulesets.fistful.knowledge import believed
from referee.rulesets.fistful.state import LINE, REACH, Star, State


def map_of(state: State, seat: Seat) -> Verbatim:
    """Return the map, with four text columns per hex and every second row shifted half a hex."""
    known = believed(state, seat)
    stars = {(star.row, star.column): star for star in known.stars.values()}
    mine = {fleet.star for fleet in known.fleets_of(seat)}
    theirs = {fleet.star for fleet in known.fleets_of(state.other(seat))}
    lines = []
    for row in range(1, ROWS + 1):
        cells = [_cell(stars.get((row, column)), mine, theirs, seat)
                 for column in range(1, COLUMNS + 1)]  # fmt: skip
        lines.append(f"{row:2} {'  ' if row % 2 == 0 else ''}{''.join(cells)}".rstrip())
    legend = "Star numbers; + your colony, - enemy colony, ' your fleets, ! enemy fleets."
    return Verbatim("\n".join([*lines, legend]), "Map")


def _cell(star: Star | None, mine: set[int], theirs: set[int], seat: Seat) -> str:
    """Return a hex in four columns: owner of the colony, number, owner of the fleets."""
    if star is None:
        return " .  "
    owner = " " if star.owner is None else "+" if star.owner == seat else "-"
    fleet = "!" if star.number in theirs else "'" if star.number in mine else " "
    return f"{owner}{star.number:02}{fleet}"


def stars_of(state: State) -> Table:
    """Return the list of stars: row and column, capacity and colour, and the stars nearby."""
    rows = tuple(
        (
            f"W{star.number}",
            f"{star.row},{star.column}",
            f"{star.capacity} {state.rules.colours[star.capacity - 1]}",
            _around(state, star, range(1, LINE + 1)),
            _around(state, star, range(LINE + 1, REACH)),
            _around(state, star, range(REACH, REACH + 1)),
        )
        for star in state.stars.values()
    )
    columns = ("Star", "Hex", "Most", "3 hexes or less", "4 hexes", "5 hexes")
    return Table(columns, rows, "Stars")


def _around(state: State, star: Star, distances: range) -> str:
    return numbers(to for to in state.stars if state.apart(star.number, to) in distances)


def numbers(stars: Iterable[int]) -> str:
    """Return stars as ``W3 8 12``; a cell with only numbers would be aligned to the right."""
    listed = " ".join(map(str, stars))
    return listed and f"W{listed}"
