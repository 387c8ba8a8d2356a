"""A new galaxy: the web of its worlds, their riches, home worlds, keys and artifacts (s2).

Its riches are strewn, and then evened out between the surroundings of the home worlds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import UserError
from referee.rulesets.starweb.artifacts import ARTIFACTS
from referee.rulesets.starweb.orders import FleetNumber, WorldNumber
from referee.rulesets.starweb.state import MOST, Fleet, World

SIDE: Final = 10_000
"""The side of the square with the places. Opposite sides meet, so there is no border."""
FEWEST_GATES, MOST_GATES = 2, 5
_MOST_TREE_GATES: Final = 4
_WANTED_GATES: Final = (2, 3, 3, 3, 3, 4, 4, 4, 4, 5)
"""The numbers of gates to draw from for each place."""
_REACH: Final = 5
"""A gate is at most as long as the square root of this number of mean areas of a place."""


@dataclass(frozen=True, slots=True)
class Web:
    """Places, from 0, each with the places next door, ascending. All gates lead both ways."""

    gates: tuple[tuple[int, ...], ...]

    def jumps(self, start: int, closed: Iterable[int] = ()) -> dict[int, int]:
        """Return the number of jumps from *start* to each place within reach.

        Places that are *closed* cannot be passed or reached.
        """
        jumps = {start: 0}
        barred = set(closed)
        edge = [start]
        while edge:
            edge = list(self._beyond(edge, jumps, barred))
        return jumps

    def _beyond(self, edge: list[int], jumps: dict[int, int], barred: set[int]) -> Iterator[int]:
        for place in edge:
            for gate in self.gates[place]:
                if gate not in jumps and gate not in barred:
                    jumps[gate] = jumps[place] + 1
                    yield gate

    def is_whole(self, closed: Iterable[int] = ()) -> bool:
        """Return whether every place that is not *closed* can be reached from every other."""
        barred = set(closed)
        start = next(place for place in range(len(self.gates)) if place not in barred)
        return len(self.jumps(start, barred)) == len(self.gates) - len(barred)


def spin(count: int, dice: Dice) -> Web:
    """Return a connected Web of *count* places with 2 to 5 gates each, mostly 3 or 4."""
    pairs = sorted(_pairs(_places(count, dice.at("places"))))
    weaver = _Weaver(count)
    weaver.connect(pairs)
    draw = dice.at("gates")
    wanted = [draw.pick(_WANTED_GATES) for _ in range(count)]
    reach = _REACH * SIDE * SIDE // count
    for far, one, other in pairs:
        if far > reach:
            break
        if weaver.has_fewer(one, wanted[one]) and weaver.has_fewer(other, wanted[other]):
            weaver.link(one, other)
    weaver.give_each(FEWEST_GATES, pairs)
    return Web(tuple(tuple(sorted(gates)) for gates in weaver.gates))


class _Weaver:
    """A Web under construction."""

    def __init__(self, count: int) -> None:
        self.gates: list[set[int]] = [set() for _ in range(count)]
        self._group = list(range(count))

    def link(self, one: int, other: int) -> None:
        """Link two places."""
        self.gates[one].add(other)
        self.gates[other].add(one)

    def has_fewer(self, place: int, count: int) -> bool:
        """Return whether a place has fewer gates than *count*."""
        return len(self.gates[place]) < count

    def connect(self, pairs: list[tuple[int, int, int]]) -> None:
        """Connect all places by a minimal number of short gates (Kruskal)."""
        for _, one, other in pairs:
            if self._root(one) == self._root(other):
                continue
            if self.has_fewer(one, _MOST_TREE_GATES) and self.has_fewer(other, _MOST_TREE_GATES):
                self._group[self._root(one)] = self._root(other)
                self.link(one, other)

    def give_each(self, fewest: int, pairs: list[tuple[int, int, int]]) -> None:
        """Link places that have too few gates with the nearest ones that can take one more."""
        for _, one, other in pairs:
            lacking = self.has_fewer(one, fewest) or self.has_fewer(other, fewest)
            spare = self.has_fewer(one, MOST_GATES) and self.has_fewer(other, MOST_GATES)
            if lacking and spare:
                self.link(one, other)

    def _root(self, place: int) -> int:
        while self._group[place] != place:
            self._group[place] = self._group[self._group[place]]
            place = self._group[place]
        return place


def _places(count: int, dice: Dice) -> list[tuple[int, int]]:
    """Return evenly spread places: in rows, each one moved a little at random."""
    rows = isqrt(count)
    places = []
    for row in range(rows):
        in_row = count // rows + (row < count % rows)
        for column in range(in_row):
            down = (row * SIDE + _aside(dice)) // rows
            right = (column * SIDE + _aside(dice)) // in_row
            places.append((right, down))
    return places


def _aside(dice: Dice) -> int:
    return dice.below(SIDE * 7 // 10)


def _pairs(places: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield each pair of places once, with the square of its distance first."""
    for one, (right, down) in enumerate(places):
        for other in range(one + 1, len(places)):
            across = abs(right - places[other][0])
            along = abs(down - places[other][1])
            across, along = min(across, SIDE - across), min(along, SIDE - along)
            yield across * across + along * along, one, other


NEAR: Final = 3
"""The number of jumps from home that are its surroundings."""
MOST_PERCENT: Final = 15
"""The most that the best surroundings can have over the worst."""
_ENOUGH_PERCENT: Final = 5
_MOST_SWAPS: Final = 3000
_OFTEN: Final = (6, 12, 22, 24, 18, 9, 5, 3, 1)
_MINES: Final = tuple(mines for mines, often in enumerate(_OFTEN) for _ in range(often))
"""The mines of a hundred worlds."""


@dataclass(frozen=True, slots=True)
class Riches:
    """The riches of the places of a galaxy. Homes and black holes have none."""

    mines: list[int]
    limit: list[int]
    industry: list[int]

    def kinds(self) -> tuple[list[int], ...]:
        """Return the three kinds of riches."""
        return self.mines, self.limit, self.industry


@dataclass(frozen=True, slots=True)
class Spread:
    """The least and the most of one kind of riches in the surroundings of a home world."""

    kind: str
    least: int
    most: int

    def within(self, percent: int) -> bool:
        """Return whether the richest have at most this much more than the poorest."""
        return 100 * (self.most - self.least) <= percent * self.least

    def __str__(self) -> str:
        """Return ``mines 61 to 66 (8.1 %)``."""
        thousandths = 1000 * (self.most - self.least) // max(self.least, 1)
        return f"{self.kind} {self.least} to {self.most} ({thousandths // 10}.{thousandths % 10} %)"


def strew(count: int, barren: frozenset[int], dice: Dice) -> Riches:
    """Draw the riches of *count* places, none for the *barren*."""
    riches = Riches([0] * count, [0] * count, [0] * count)
    for place in range(count):
        if place not in barren:
            riches.mines[place] = dice.pick(_MINES)
            riches.limit[place] = 25 + dice.below(50) + dice.below(50)
            if dice.chance(1, 2):
                riches.limit[place] += dice.below(68)
            if dice.chance(2, 5):
                riches.industry[place] = 2 if dice.chance(1, 6) else 1
    return riches


def spreads(riches: Riches, surroundings: Sequence[frozenset[int]]) -> tuple[Spread, ...]:
    """Return the spread of each kind of riches over the surroundings of the homes."""
    names = ("mines", "population limit", "industry")
    sums = [
        [sum(kind[place] for place in near) for near in surroundings] for kind in riches.kinds()
    ]
    return tuple(Spread(name, min(s), max(s)) for name, s in zip(names, sums, strict=True))


def even_out(
    riches: Riches,
    surroundings: Sequence[frozenset[int]],
    barren: frozenset[int],
    dice: Dice,
) -> tuple[Spread, ...]:
    """Swap riches between places until the surroundings of the homes have nearly the same.

    Swaps keep the total riches. They stop after a fixed number, even if the result is uneven.
    """
    places = [place for place in range(len(riches.mines)) if place not in barren]
    homes_near = [
        frozenset(home for home, near in enumerate(surroundings) if place in near)
        for place in range(len(riches.mines))
    ]
    for kind in riches.kinds():
        _even_out_kind(kind, surroundings, homes_near, places, dice)
    return spreads(riches, surroundings)


def _even_out_kind(
    kind: list[int],
    surroundings: Sequence[frozenset[int]],
    homes_near: list[frozenset[int]],
    places: list[int],
    dice: Dice,
) -> None:
    sums = [sum(kind[place] for place in near) for near in surroundings]
    for _ in range(_MOST_SWAPS):
        if Spread("", min(sums), max(sums)).within(_ENOUGH_PERCENT):
            return
        one, other = dice.pick(places), dice.pick(places)
        more = kind[other] - kind[one]
        changed = list(sums)
        for home in homes_near[one] - homes_near[other]:
            changed[home] += more
        for home in homes_near[other] - homes_near[one]:
            changed[home] -= more
        if _unevenness(changed) < _unevenness(sums):
            kind[one], kind[other] = kind[other], kind[one]
            sums = changed


def _unevenness(sums: list[int]) -> int:
    """Return the variance of the sums, times a constant."""
    return len(sums) * sum(s * s for s in sums) - sum(sums) ** 2


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
