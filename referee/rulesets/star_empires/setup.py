"""The setup of a game: empires, each with a homeworld and a starbase, in a new galaxy.

Homes and codes are drawn, so that they tell an empire nothing about those that it has not met
(RULES 2.0, 3.0, 4.4).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import SignUp, UserError
from referee.rulesets.star_empires.hulls import STARBASE, Table, start_classes
from referee.rulesets.star_empires.names import NEBULAE, PORTALS, STORMS, WORLDS, drawn
from referee.rulesets.star_empires.options import (
    ABANDONED,
    ALLIANCE_SIZE,
    DEVICES,
    FEWEST_EMPIRES,
    HULLS,
    INFO,
    LOCAL_FRAMES,
    MOST_EMPIRES,
    NEBULA_DENSITY,
    NEVER,
    RADIUS,
    STORM_DENSITY,
    STORM_INTENSITY,
    WORLD_DENSITY,
    WORMNET_PORTALS,
    WORMNETS,
)
from referee.rulesets.star_empires.sectors import CENTRE, Frame, Sector, disk, distance, ring
from referee.rulesets.star_empires.ships import commission
from referee.rulesets.star_empires.state import Empire, Portal, State, Storm, World
from referee.rulesets.star_empires.steps.scanning import look_around

HOME_PRODUCTION: Final = 12
NEARBY_PRODUCTION: Final = 10
"""The total production of all worlds near a homeworld."""
NEARBY_WORLDS: Final = 2
NEARBY: Final = 2
"""The distance up to which a sector is near a homeworld."""
WORLD_PRODUCTION: Final = 8
"""The production that every other world stays below."""
PORTAL_TO_PORTAL: Final = 3
PORTAL_TO_HOME: Final = 2
STORM_TO_HOME: Final = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """The options of a galaxy; densities are per hundred sectors."""

    radius: int
    world_density: int
    wormnets: int
    wormnet_portals: int
    storm_density: int
    nebula_density: int
    storm_intensity: int


@dataclass(slots=True)
class Galaxy:
    """A new galaxy, with its homeworlds in the order of the seats."""

    homes: list[World]
    worlds: dict[str, World]
    portals: dict[str, Portal]
    storms: dict[str, Storm]


class Maker:
    """The galaxy generator; each choice has its own place in the dice, so none affects another."""

    def __init__(self, homes: Sequence[Sector], shape: Shape, dice: Dice) -> None:
        self._shape, self._dice = shape, dice
        self._sectors = list(disk(CENTRE, shape.radius))
        self._free = set(self._sectors)
        self._names: set[str] = set()
        self._home_sectors = homes

    def make(self) -> Galaxy:
        """Return the galaxy; worlds other than the homeworlds have no owner."""
        names = drawn(WORLDS, self._dice.at("world names"), self._names)
        homes = [
            World(next(names), at, HOME_PRODUCTION, HOME_PRODUCTION, homeworld=True)
            for at in self._home_sectors
        ]
        self._free -= set(self._home_sectors)
        places = [*self._nearby(), *self._scattered()]
        worlds = [*homes, *(World(next(names), at, production) for at, production in places)]
        return Galaxy(
            homes=homes,
            worlds={world.name: world for world in worlds},
            portals={portal.name: portal for portal in self._portals()},
            storms={storm.name: storm for storm in self._storms()},
        )

    def _nearby(self) -> Iterable[tuple[Sector, int]]:
        """Return the worlds near each homeworld; their total production is the same for all."""
        for number, home in enumerate(self._home_sectors):
            dice = self._dice.at("nearby", number)
            free = sorted(s for s in self._free if distance(home, s) <= NEARBY)
            if len(free) < NEARBY_WORLDS:
                continue
            left = NEARBY_PRODUCTION
            for others, at in enumerate(reversed(dice.shuffled(free)[:NEARBY_WORLDS])):
                worlds = NEARBY_WORLDS - others
                swing = dice.below(3) - 1 if worlds > 1 else 0
                production = max(1, left // worlds + swing)
                left -= production
                self._free.discard(at)
                yield at, production

    def _scattered(self) -> Iterable[tuple[Sector, int]]:
        """Return the worlds far from all homes."""
        for at in self._sectors:
            dice = self._dice.at("world", *at)
            near = at not in self._free or self._nearest_home(at) <= NEARBY
            if not near and dice.chance(self._shape.world_density, 100):
                self._free.discard(at)
                yield at, 1 + dice.below(WORLD_PRODUCTION - 1)

    def _portals(self) -> Iterable[Portal]:
        """Return the portals of all wormnets; in a wormnet, each leads to every other."""
        names = drawn(PORTALS, self._dice.at("portal names"), self._names)
        for number in range(self._shape.wormnets):
            dice = self._dice.at("wormnet", number)
            most = self._shape.wormnet_portals
            size = 2 + (dice.below(most - 2) if most > 2 else 0)
            net = [Portal(next(names), at) for at in self._net(size, dice)]
            for portal in net:
                portal.exits = {other.name for other in net if other is not portal}
                yield portal

    def _net(self, size: int, dice: Dice) -> list[Sector]:
        """Return the sectors of a wormnet's portals, or none if fewer than two fit."""
        net: list[Sector] = []
        for at in dice.shuffled(sorted(self._free)):
            apart = all(distance(at, other) >= PORTAL_TO_PORTAL for other in net)
            if len(net) < size and apart and self._nearest_home(at) >= PORTAL_TO_HOME:
                net.append(at)
        if len(net) < 2:
            return []
        self._free -= set(net)
        return net

    def _storms(self) -> Iterable[Storm]:
        """Return the storms and nebulae; they can share a sector with worlds and portals."""
        storms = drawn(STORMS, self._dice.at("storm names"), self._names)
        nebulae = drawn(NEBULAE, self._dice.at("nebula names"), self._names)
        for at in self._sectors:
            dice = self._dice.at("storm", *at)
            if self._nearest_home(at) < STORM_TO_HOME:
                continue
            most = self._shape.storm_intensity
            if dice.chance(self._shape.storm_density, 100):
                intensity = 1 + dice.below(most) if most else 0
                yield Storm(next(storms), at, intensity, initial=intensity)
            elif dice.chance(self._shape.nebula_density, 100):
                yield Storm(next(nebulae), at, 0)

    def _nearest_home(self, at: Sector) -> int:
        return min(distance(at, home) for home in self._home_sectors)


Options = Mapping[str, int | str | bool]
FIRST_TURN = 1


def setup(seats: Sequence[SignUp], options: Options, dice: Dice) -> State:
    """Return the state before the first orders, after every empire has scanned from its homeworld.

    Raises UserError if the number of empires is out of range.
    """
    if not FEWEST_EMPIRES <= len(seats) <= MOST_EMPIRES:
        raise UserError(f"A game has {FEWEST_EMPIRES} to {MOST_EMPIRES} empires, not {len(seats)}.")
    chosen = {option.name: options.get(option.name, option.default) for option in INFO.options}
    shape = _shape(chosen)
    homes = drawn_homes(len(seats), shape.radius, dice.at("homes"))
    codes = drawn_codes([signup.name for signup in seats], dice.at("codes"))
    galaxy = Maker(homes, shape, dice.at("setup")).make()
    devices = bool(chosen[DEVICES])
    state = State(
        turn=FIRST_TURN,
        table=Table(chosen[HULLS]),
        worlds=galaxy.worlds,
        portals=galaxy.portals,
        storms=galaxy.storms,
        ships={},
        classes=start_classes(Table(chosen[HULLS]), devices=devices),
        empires={},
        devices=devices,
        alliance_size=int(chosen[ALLIANCE_SIZE]),
        abandoned=turns_until_abandoned(str(chosen[ABANDONED])),
        radius=int(chosen[RADIUS]),
        game=str(options.get("game", "SE")),
    )
    empires = zip(seats, galaxy.homes, codes, strict=True)
    # News about ships are in the sequence of their numbers, so that must not be that of the seats.
    for signup, home, code in sorted(empires, key=lambda each: each[0].name):
        frame = _frame(home, dice.at("frame", signup.seat)) if chosen[LOCAL_FRAMES] else Frame()
        _settle(state, signup, home, Empire(signup.seat, signup.name, code, frame), dice)
    look_around(state)
    return state.copy()


def turns_until_abandoned(chosen: str) -> int:
    """Return the value of the option ``abandoned`` as a number; 0 is never."""
    return 0 if chosen == NEVER else int(chosen)


def _shape(chosen: Options) -> Shape:
    return Shape(
        radius=int(chosen[RADIUS]),
        world_density=int(chosen[WORLD_DENSITY]),
        wormnets=int(chosen[WORMNETS]),
        wormnet_portals=int(chosen[WORMNET_PORTALS]),
        storm_density=int(chosen[STORM_DENSITY]),
        nebula_density=int(chosen[NEBULA_DENSITY]),
        storm_intensity=int(chosen[STORM_INTENSITY]),
    )


def _settle(state: State, signup: SignUp, home: World, empire: Empire, dice: Dice) -> None:
    seat = signup.seat
    home.owner = seat
    empire.homeworld, empire.home = home.name, home.at
    empire.classes = set(state.classes)
    state.empires[seat] = empire
    commission(state, seat, STARBASE, home.at, dice.at("starbase", seat), name=STARBASE)


def _frame(home: World, dice: Dice) -> Frame:
    """Draw a frame of reference with the homeworld at (0,0)."""
    return Frame(
        -home.at[0],
        -home.at[1],
        rotation=dice.below(6),
        horizontal=dice.chance(1, 2),
        vertical=dice.chance(1, 2),
    )


_APART: Final = 3
"""The distance of neighbouring homes at which no starbase scans the other home."""
_FARTHEST: Final = 2
"""The most sectors by which a home is moved along the rim."""
_UNEVEN: Final = 2
"""The most by which the distances between neighbouring homes differ."""


def drawn_homes(seats: int, radius: int, dice: Dice) -> list[Sector]:
    """Return a sector on the rim for each seat; neighbours are almost equally far apart.

    The places go around the rim from a random sector. Each is moved along it a little, if there is
    room, because equal distances would tell everyone where all the others are.
    """
    rim = ring(radius)
    start = dice.below(len(rim))
    evenly = [start + number * len(rim) // seats for number in range(seats)]
    shift = min(_FARTHEST, max(0, len(rim) // seats - _APART))
    while True:
        places = [place + dice.below(shift + 1) for place in evenly]
        homes = [rim[place % len(rim)] for place in places]
        if _are_fair(homes):
            return dice.shuffled(homes)


def _are_fair(homes: Sequence[Sector]) -> bool:
    gaps = [distance(one, other) for one, other in zip(homes, (*homes[1:], homes[0]), strict=True)]
    return max(gaps) - min(gaps) <= _UNEVEN


def drawn_codes(names: Sequence[str], dice: Dice) -> list[str]:
    """Return two letters for each empire, the first from its name; no two codes are equal."""
    codes: list[str] = []
    for name in names:
        every = [_initial(name) + second for second in ascii_uppercase]
        codes.append(dice.pick([code for code in every if code not in codes]))
    return codes


def _initial(name: str) -> str:
    return next((each for each in name.upper() if each in ascii_uppercase), "X")
