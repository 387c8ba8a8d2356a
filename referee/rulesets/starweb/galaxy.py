"""A new galaxy: its worlds, home worlds, black holes, loose keys and artifacts (s2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import UserError
from referee.rulesets.starweb.artifacts import ARTIFACTS
from referee.rulesets.starweb.fairness import (
    MOST_PERCENT,
    NEAR,
    Riches,
    Spread,
    even_out,
    strew,
)
from referee.rulesets.starweb.orders import FleetNumber, WorldNumber
from referee.rulesets.starweb.state import MOST, Fleet, World
from referee.rulesets.starweb.web import Web, spin

FEWEST_WORLDS: Final = 12
"""For each player. With fewer, home worlds would be too close to each other."""
USUAL_WORLDS: Final = 17
HOME_KEYS: Final = 5
_MOST_TRIES: Final = 60
_PLACINGS: Final = 8
"""The attempts to place home worlds before they are placed closer together."""


@dataclass(frozen=True, slots=True)
class Galaxy:
    """Neutral worlds and keys, the home worlds, and how evenly riches are spread around these.

    The home worlds are in random sequence, with five keys each.
    """

    worlds: dict[WorldNumber, World]
    fleets: dict[FleetNumber, Fleet]
    homes: tuple[WorldNumber, ...]
    spreads: tuple[Spread, ...]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A galaxy in which the places do not have world numbers yet."""

    web: Web
    homes: tuple[int, ...]
    holes: frozenset[int]
    riches: Riches
    spreads: tuple[Spread, ...]


def make_galaxy(players: int, worlds: int, dice: Dice) -> Galaxy:
    """Return a galaxy with this number of *worlds* that is fair to this number of *players*.

    Raises UserError if the players do not fit into the worlds.
    """
    if not players * FEWEST_WORLDS <= worlds <= MOST:
        raise UserError(
            f"{players} players need {players * FEWEST_WORLDS} to {MOST} worlds, not {worlds}."
        )
    for number in range(_MOST_TRIES):
        draft = _drafted(players, worlds, dice.at("galaxy", number))
        if draft and all(spread.within(MOST_PERCENT) for spread in draft.spreads):
            return _numbered(draft, dice)
    raise UserError(f"No galaxy of {worlds} worlds was fair to {players} players. Try more worlds.")


def _drafted(players: int, count: int, dice: Dice) -> _Draft | None:
    web = spin(count, dice.at("web"))
    homes = _placed_homes(web, players, dice.at("homes"))
    if homes is None:
        return None
    holes = _placed_holes(web, homes, dice.at("holes"))
    if holes is None:
        return None
    surroundings = tuple(
        frozenset(place for place, far in web.jumps(home).items() if 0 < far <= NEAR)
        for home in homes
    )
    barren = frozenset(homes) | holes
    riches = strew(count, barren, dice.at("riches"))
    spreads = even_out(riches, surroundings, barren, dice.at("swaps"))
    return _Draft(web, homes, holes, riches, spreads)


def _placed_homes(web: Web, players: int, dice: Dice) -> tuple[int, ...] | None:
    """Return places for the home worlds, with separate surroundings if possible, or None."""
    fit = [place for place, gates in enumerate(web.gates) if len(gates) in (3, 4)]
    jumps = {place: web.jumps(place) for place in fit}
    for apart in range(NEAR + 1, 1, -1):
        near = {place: {other for other in fit if jumps[place][other] < apart} for place in fit}
        for place_homes in (_strewn, _packed):
            for _ in range(_PLACINGS):
                homes = place_homes(dice.shuffled(fit), near, players)
                if len(homes) == players:
                    return homes
    return None


def _strewn(places: Sequence[int], near: dict[int, set[int]], most: int) -> tuple[int, ...]:
    """Return the first places that are not near each other."""
    homes: list[int] = []
    for place in places:
        if len(homes) < most and not near[place].intersection(homes):
            homes.append(place)
    return tuple(homes)


def _packed(places: Sequence[int], near: dict[int, set[int]], most: int) -> tuple[int, ...]:
    """Return places that are not near each other, always the one that leaves most room."""
    left = list(places)
    homes: list[int] = []
    while left and len(homes) < most:
        home = min(left, key=lambda place: len(near[place].intersection(left)))
        homes.append(home)
        left = [place for place in left if place not in near[home]]
    return tuple(homes)


def _placed_holes(web: Web, homes: tuple[int, ...], dice: Dice) -> frozenset[int] | None:
    """Return places for 3 to 6 black holes: not next to a home, and not splitting the web."""
    count = len(web.gates)
    wanted = 3 + dice.below(min(4, 1 + count // 60))
    next_to_home = {gate for home in homes for gate in web.gates[home]}
    holes: set[int] = set()
    for place in dice.shuffled(range(count)):
        if len(holes) == wanted:
            break
        if place not in next_to_home and place not in homes and web.is_whole({*holes, place}):
            holes.add(place)
    return frozenset(holes) if len(holes) == wanted else None


def _numbered(draft: _Draft, dice: Dice) -> Galaxy:
    """Return the galaxy with random world numbers, keys and artifacts."""
    count = len(draft.web.gates)
    numbers = dice.at("numbers").shuffled(range(1, count + 1))
    homes = tuple(numbers[place] for place in dice.at("seats").shuffled(draft.homes))
    worlds = {
        numbers[place]: _world(draft, place, numbers, dice.at("world", place))
        for place in range(count)
    }
    worlds = {number: worlds[number] for number in sorted(worlds)}
    neutral = [n for n, world in worlds.items() if not world.black_hole and n not in homes]
    fleets = _keys(homes, neutral, count, dice.at("keys"))
    _spread_artifacts(worlds, fleets, neutral, dice.at("artifacts"))
    return Galaxy(worlds, fleets, homes, draft.spreads)


def _world(draft: _Draft, place: int, numbers: Sequence[WorldNumber], dice: Dice) -> World:
    gates = tuple(sorted(numbers[gate] for gate in draft.web.gates[place]))
    world = World(numbers[place], gates, black_hole=place in draft.holes)
    if place in draft.homes:
        _furnish_home(world)
    elif not world.black_hole:
        _furnish(world, draft.riches, place, dice)
    return world


def _furnish_home(world: World) -> None:
    world.industry = world.usable = world.metal = 30
    world.mines, world.turns = 2, 1
    world.population, world.limit = 50, 100
    world.iships = world.pships = 1


def _furnish(world: World, riches: Riches, place: int, dice: Dice) -> None:
    world.industry = world.usable = riches.industry[place]
    world.mines = world.metal = riches.mines[place]
    world.turns = 1 if world.mines else 0
    world.limit = riches.limit[place]
    world.population = world.limit * (35 + dice.below(31)) // 100
    if dice.chance(1, 6):
        guards = 1 + dice.below(6)
        if world.industry and dice.chance(1, 2):
            world.iships = guards
        else:
            world.pships = guards


def _keys(
    homes: Sequence[WorldNumber], neutral: Sequence[WorldNumber], worlds: int, dice: Dice
) -> dict[FleetNumber, Fleet]:
    """Return five keys on each home world and the others on neutral worlds."""
    at_home = HOME_KEYS * len(homes)
    # There are as many keys as worlds, because the full galaxy has 255 of both.
    numbers = dice.shuffled(range(1, max(worlds, at_home) + 1))
    strewn = dice.shuffled(neutral)
    lie_at = [homes[n // HOME_KEYS] for n in range(at_home)]
    lie_at += [strewn[n % len(strewn)] for n in range(len(numbers) - at_home)]
    keys = {number: Fleet(number, world) for number, world in zip(numbers, lie_at, strict=True)}
    return {number: keys[number] for number in sorted(keys)}


def _spread_artifacts(
    worlds: dict[WorldNumber, World],
    fleets: dict[FleetNumber, Fleet],
    neutral: Sequence[WorldNumber],
    dice: Dice,
) -> None:
    """Spread the artifacts evenly over neutral worlds and loose keys."""
    lie_at = set(neutral)
    holders: list[World | Fleet] = [worlds[number] for number in neutral]
    holders += [fleet for fleet in fleets.values() if fleet.world in lie_at]
    strewn = dice.shuffled(holders)
    for artifact in ARTIFACTS:
        strewn[(artifact - 1) % len(strewn)].artifacts.append(artifact)
