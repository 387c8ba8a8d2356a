"""The hex map as text, in an empire's own coordinates, 78 columns wide at most (RULES 3.0)."""

from collections.abc import Iterator
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.knowledge import chart_of, sighted, strangers
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.state import Empire, Sighting, State

CELL: Final = 4
"""The text columns of one oblique column of the map."""
COLUMNS: Final = 16
"""The oblique columns on one sheet of the map, after labels of at most 14 characters."""

LEGEND: Final = (
    "H homeworld, W your world, w foreign world, o free world, P portal, S storm,\n"
    "N nebula; * your ships, ! foreign ships, ? unidentified ships; . seen now,\n"
    ": seen earlier. The label of a row is its first sector. One step to the right\n"
    "is (+2,+1). The neighbour half a step right is (+1,+1) up and (+1,+0) down."
)


def hex_map(state: State, seat: Seat) -> Iterator[str]:
    """Return the sheets of the map from west to east, and the key to its signs."""
    cells = _cells(state, seat)
    if cells:
        west = min(at[0] for at in cells)
        # Skip empty sheets and rows, because a map can reach very far.
        for first in sorted({at[0] - (at[0] - west) % COLUMNS for at in cells}):
            sheet = {at: s for at, s in cells.items() if first <= at[0] < first + COLUMNS}
            yield "\n".join(_rows(sheet, first))
    yield LEGEND


def _rows(cells: dict[Sector, str], first: int) -> Iterator[str]:
    """Return the rows from north to south; a sector's row is its oblique minus twice its y."""
    ranks = {at[0] - 2 * at[1] for at in cells}
    label = max(len(written(at)) for at in cells) + 1
    for rank in sorted(ranks):
        here = sorted(at for at in cells if at[0] - 2 * at[1] == rank)
        line = f"{written(here[0]):>{label - 1}} "
        for at in here:
            line = line.ljust(label + (at[0] - first) * CELL) + cells[at]
        yield line.rstrip()


def _cells(state: State, seat: Seat) -> dict[Sector, str]:
    """Return three characters for each known sector: object, own ships, foreign ships."""
    empire = state.empires[seat]
    objects = dict(_objects(empire))
    own = {ship.at for ship in state.fleet(seat)}
    foreign = {each.ship.at for each in sighted(state, seat)}
    unknown = set(strangers(state, seat))
    cells = {}
    for at, seen in chart_of(empire).items():
        ground = ":" if seen.status is Sighting.STALE else "."
        others = "!" if at in foreign else "?" if at in unknown else ""
        mine = "*" if at in own else ""
        cells[empire.frame.local(at)] = objects.get(at, ground) + mine + others
    return cells


def _objects(empire: Empire) -> Iterator[tuple[Sector, str]]:
    """Return the sectors of known objects with their signs; later ones take precedence."""
    for storm in empire.storms.values():
        yield storm.at, "S" if storm.intensity else "N"
    for portal in empire.portals.values():
        yield portal.at, "P"
    for world in empire.worlds.values():
        if world.name == empire.homeworld:
            yield world.at, "H"
        elif world.owner is None:
            yield world.at, "o"
        else:
            yield world.at, "W" if world.owner == empire.seat else "w"
