"""The guide for newcomers: points, planet and neighbours, and orders with the reasons."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from referee.rules.ruleset import Guide, Seat, Suggestion
from referee.rules.wording import counted, listed
from referee.rulesets.singularity.board import COLOURS, Space
from referee.rulesets.singularity.economy import UPKEEP, damage, value
from referee.rulesets.singularity.knowledge import known_state
from referee.rulesets.singularity.orders import (
    Build,
    FireArmed,
    FireWeakest,
    FirstTypes,
    Hide,
    Move,
    Order,
    Repair,
    Scrap,
    SetAlliance,
    Vector,
    Warp,
)
from referee.rulesets.singularity.sections import ACCEPTED, TITLES
from referee.rulesets.singularity.state import Planet, Ship, State
from referee.rulesets.singularity.units import (
    DRIVE,
    JUMP,
    NAMES,
    SENSOR,
    SLIP,
    TERRAFORM,
    WEAPON,
    ShipType,
)

_VECTORS: Final = [Vector(*each) for each in product(range(7), (0, 1, -1)) if each != (0, 0)]


_ABILITIES: Final = {
    WEAPON: "fights and takes planets",
    SLIP: "slips several spaces at once",
    JUMP: "jumps far",
    SENSOR: "sees farther",
    TERRAFORM: "changes the colour of a planet",
}
"""The ability that a unit gives its ship."""


def guide(state: State, seat: Seat) -> Guide:
    """Return the guide of a player, from what they know."""
    known = known_state(state, seat)
    allowed = ACCEPTED[state.section]
    all_ = (
        *_guarding(known, seat),
        *_building(known, seat),
        *_ships(known, seat),
        *_others(known, seat),
    )
    suggestions = tuple(s for s in all_ if isinstance(s.orders[-1], allowed))
    # Where nothing but building is possible, the points of the first turn pay for one ship or two.
    alternatives = SetAlliance not in allowed and Build in allowed
    chapters = ("START", "ECONOMY", "MOVEMENT")
    return Guide(_position(known, seat), suggestions, chapters, alternatives=alternatives)


def _position(state: State, seat: Seat) -> str:
    player, planets = state.players[seat], state.planets_of(seat)
    places = listed(f"W{planet.column}" for planet in planets) or "no planet"
    near = [f"W{planet.column} ({COLOURS[planet.colour]})" for planet in _free(state, planets)[:3]]
    next_ = f" The nearest free planets are {listed(near)}." if near else ""
    return (
        f"You are {player.name}, player {seat}, {COLOURS[player.colour]}. You hold {places} and "
        f"have {counted(_points(state, seat), 'point')} to spend.{next_} This part of the turn is "
        f'"{TITLES[state.section]}".'
    )


def _points(state: State, seat: Seat) -> int:
    """Return the points a player has, with the income and upkeep of a turn that begins."""
    player = state.players[seat]
    if Build not in ACCEPTED[state.section]:
        return player.points
    income = sum(value(state, player, planet.colour) for planet in state.planets_of(seat))
    have = player.points + income
    return have - min(UPKEEP * len(state.fleet(seat)), have)


def _free(state: State, planets: list[Planet]) -> list[Planet]:
    """Return the planets without a known owner, the nearest to *planets* first."""
    free = [planet for planet in state.planets.values() if planet.owner is None]
    apart = state.rules.board.distance
    key = {p.column: min((apart(p.at, own.at) for own in planets), default=0) for p in free}
    return sorted(free, key=lambda planet: (key[planet.column], planet.column))


def _guarding(state: State, seat: Seat) -> Iterator[Suggestion]:
    """Yield repairs, and a guard of the home planet: others can be there on the first turn."""
    for ship in state.fleet(seat):
        if missing := len(damage(state, ship)):
            yield Suggestion((Repair(ship.number, missing),), "It repairs all damage.")
    home, kinds = _home(state, seat), _affordable(state, seat)
    if home is not None and kinds and _guards(state, seat, home) < _needed(state, seat):
        kind = max(kinds, key=lambda kind: (kind.undamaged().get(WEAPON, 0), -kind.cost))
        why = (
            f"The {NAMES[kind.letter]} costs {counted(kind.cost, 'point')} and stays to guard "
            f"W{home.column}, your home: others can be there this turn."
        )
        yield Suggestion((Build(home.column, ((1, kind.letter),)),), why)


def _affordable(state: State, seat: Seat) -> list[ShipType]:
    """Return the types of ships that a player can pay, the cheapest with weapons first."""
    kinds = [kind for kind in state.rules.types.values() if kind.cost <= _points(state, seat)]
    return sorted(kinds, key=lambda kind: (not kind.undamaged().get(WEAPON), kind.cost))


def _needed(state: State, seat: Seat) -> int:
    """Return the weapons that should stay at home: one for each turn, and those in sight."""
    seen = sum(ship.weapons for ship in state.ships.values() if ship.owner != seat)
    return 1 + state.turn + seen


def _building(state: State, seat: Seat) -> Iterator[Suggestion]:
    """Yield ships to build, the first with a flight to a free planet if that is possible now."""
    kinds = _affordable(state, seat)
    for planet in state.planets_of(seat):
        for kind in kinds[:1]:
            way = _way(state, planet.at, kind.undamaged().get(DRIVE, 0))
            if way is not None and Move in ACCEPTED[state.section]:
                to, segments = way
                ship = state.next_number(seat)
                why = (
                    f"The {NAMES[kind.letter]} costs {counted(kind.cost, 'point')} and becomes "
                    f"S{ship}. It flies to W{to.column} at once and takes the planet if nobody "
                    "stronger comes; a planet brings points every turn."
                )
                build = Build(planet.column, ((1, kind.letter),))
                yield Suggestion((build, Move(ship, segments)), why)
        for kind in (*kinds[1:], *kinds[:1]):
            cost = counted(kind.cost, "point")
            can = listed((able for unit, able in _ABILITIES.items() if unit in kind.units), "flies")
            why = f"The {NAMES[kind.letter]} costs {cost}. It {can}."
            yield Suggestion((Build(planet.column, ((1, kind.letter),)),), why)


def _home(state: State, seat: Seat) -> Planet | None:
    """Return the home planet of a player, or None if it is lost."""
    wedge = state.rules.wheel.index(state.players[seat].colour)
    home = state.planets[state.rules.board.home(wedge)]
    return home if home.owner == seat else None


def _guards(state: State, seat: Seat, planet: Planet) -> int:
    """Return the weapons of a player at a planet."""
    return sum(ship.weapons for ship in state.fleet(seat) if ship.at == planet.at and not ship.dark)


def _way(
    state: State, at: Space, drive: int, *, most: int = 2
) -> tuple[Planet, tuple[Warp, ...]] | None:
    """Return the nearest free planet that warps reach, with the warps, or None."""
    free = {planet.at: planet for planet in state.planets.values() if planet.owner is None}
    ways: dict[Space, tuple[Warp, ...]] = {at: ()}
    for _ in range(min(drive, most)):
        for here, way in [*ways.items()]:
            for vector in _VECTORS:
                to = state.rules.board.moved(here, vector.direction, vector.up, 1)
                if to is not None:
                    ways.setdefault(to, (*way, Warp(vector)))
                if to in free:
                    return free[to], (*way, Warp(vector))
    return None


def _ships(state: State, seat: Seat) -> Iterator[Suggestion]:
    for ship in _free_ships(state, seat):
        way = _way(state, ship.at, 0 if ship.dark else ship.drive)
        if way is not None:
            to, segments = way
            why = f"It flies to W{to.column}. A planet without other ships is yours then."
            yield Suggestion((Move(ship.number, segments),), why)
        yield Suggestion((Hide(ship.number),), "Nobody sees a dark ship or fires at it.")
        yield Suggestion((Scrap(ship.number),), "You save its upkeep of a point a turn.")


def _free_ships(state: State, seat: Seat) -> list[Ship]:
    """Return the ships of a player that the home planet does not need."""
    home = _home(state, seat)
    if home is None:
        return state.fleet(seat)
    spare = _guards(state, seat, home) - _needed(state, seat)
    return [s for s in state.fleet(seat) if s.at != home.at or s.weapons <= spare]


def _others(state: State, seat: Seat) -> Iterator[Suggestion]:
    wanted = {seat, *state.players[seat].votes}
    for other, player in state.players.items():
        if other not in wanted and not (player.resigned or player.lost):
            why = f"If {player.name} wants the same, you are allies and do not fight."
            yield Suggestion((SetAlliance(other, yes=True),), why)
    orders: tuple[tuple[Order, str], ...] = (
        (FireArmed(), "Ships with weapons are the danger, so they come first."),
        (FireWeakest(), "The weakest ships are destroyed soonest."),
        (FirstTypes(("B", "C")), "The largest ships of others are fired at first."),
    )
    yield from (Suggestion((order,), why) for order, why in orders)
