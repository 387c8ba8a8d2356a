"""Maps of galaxies as text in the report."""

from collections.abc import Iterator, Sequence
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Verbatim
from referee.rules.wording import counted
from referee.rulesets.starfarers.goods import NAMES
from referee.rulesets.starfarers.state import Hex, Kind, State, next_to

_SIGNS: Final = {
    Kind.MOTHERSHIP: "M",
    Kind.EMPTY: ".",
    Kind.PIRATES: "!",
    Kind.TRADER: "$",
    Kind.MERCENARIES: "+",
    Kind.TELEPORTER: "T",
    Kind.WORMHOLE: "@",
}
LEGEND: Final = (
    "Rows begin with the second number of At. Direction 1 is north-east, 2 east. F C G O U planets "
    "of food, carbon, goods, ore, fuel; small letters: occupied. M mothership, . empty, ! pirates, "
    "$ trader, + mercenaries, T teleporter, @ wormhole. After the number: s ships, b bases, x both."
)
_HALF: Final = 3
"""The columns of half a hex."""
_STRIP: Final = 22 * _HALF
"""The width of a part of the map. A wider galaxy has several parts."""


def content(place: Hex, *, met: bool) -> str:
    """Return the content of a hex in words, an encounter only to those who have met it."""
    if place.kind is Kind.PIRATES:
        return f"pirates, {counted(place.cannons, 'cannon')}"
    if place.kind is not Kind.PLANET:
        return str(place.kind.value)
    planet = f"{NAMES[place.resource]} planet"
    if place.quarantined_until:
        planet += f", closed before round {place.quarantined_until}"
    if not place.occupied:
        return planet
    return f"{planet}, {place.card.value if met and place.card is not None else 'occupied'}"


def ways(state: State, place: Hex) -> Iterator[tuple[int, int]]:
    """Yield the directions of explored neighbours of a hex, and their numbers."""
    for direction in range(1, 7):
        other = state.hex_at(place.galaxy, next_to(place.at, direction))
        if other is not None:
            yield direction, other.number


def drawing(state: State, galaxy: Seat) -> Sequence[Verbatim]:
    """Return the map of a galaxy with the number of each hex. Each row is shifted by half a hex.

    A row begins with its number, the second one of ``At``. So a corrected report shows the changed
    rows, and does not take the first hex of a row for its name.
    """
    places = [each for each in state.hexes.values() if each.galaxy == galaxy]
    west = min(map(_left, places))
    rows = range(min(each.at[1] for each in places), max(each.at[1] for each in places) + 1)
    strips = sorted({(_left(each) - west) * _HALF // _STRIP for each in places})
    drawn = []
    for number, strip in enumerate(strips, 1):
        part = "" if len(strips) == 1 else f", part {number} of {len(strips)} from west to east"
        lines = [_row(state, places, row, west + strip * _STRIP // _HALF) for row in rows]
        title = f"Map of the galaxy of {state.players[galaxy].name}{part}"
        drawn.append(Verbatim("\n".join(lines), title))
    return drawn


def _left(place: Hex) -> int:
    return 2 * place.at[0] + place.at[1]


def _row(state: State, places: Sequence[Hex], row: int, west: int) -> str:
    line = ""
    for each in sorted((place for place in places if place.at[1] == row), key=_left):
        column = (_left(each) - west) * _HALF
        if 0 <= column < _STRIP:
            line = line.ljust(column) + f"{_sign(each)}{each.number}{_mark(state, each.number)}"
    return f"{row:>3}  {line}".rstrip()


def _sign(place: Hex) -> str:
    if place.kind is Kind.PLANET:
        return place.resource.lower() if place.occupied else place.resource
    return _SIGNS[place.kind]


def _mark(state: State, number: int) -> str:
    ships = any(ship.hex == number for ship in state.ships.values())
    bases = any(base.hex == number for base in state.bases.values())
    return "x" if ships and bases else "s" if ships else "b" if bases else ""
