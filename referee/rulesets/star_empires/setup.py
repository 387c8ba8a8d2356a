"""The setup of a game: empires, each with a homeworld and a starbase, in a new galaxy.

Homes and codes are drawn, so that they tell an empire nothing about those that it has not met
(RULES 2.0, 3.0, 4.4).
"""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import SignUp, UserError
from referee.rulesets.star_empires.galaxy import Maker, Shape
from referee.rulesets.star_empires.hulls import STARBASE, Table, start_classes
from referee.rulesets.star_empires.options import (
    ALLIANCE_SIZE,
    DEVICES,
    FEWEST_EMPIRES,
    HULLS,
    INFO,
    LOCAL_FRAMES,
    MOST_EMPIRES,
    NEBULA_DENSITY,
    RADIUS,
    STORM_DENSITY,
    STORM_INTENSITY,
    WORLD_DENSITY,
    WORMNET_PORTALS,
    WORMNETS,
)
from referee.rulesets.star_empires.sectors import Frame, Sector, distance, ring
from referee.rulesets.star_empires.ships import commission
from referee.rulesets.star_empires.state import Empire, State, World
from referee.rulesets.star_empires.steps.scanning import look_around

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
        radius=int(chosen[RADIUS]),
        game=str(options.get("game", "SE")),
    )
    for signup, home, code in zip(seats, galaxy.homes, codes, strict=True):
        frame = _frame(home, dice.at("frame", signup.seat)) if chosen[LOCAL_FRAMES] else Frame()
        _settle(state, signup, home, Empire(signup.seat, signup.name, code, frame), dice)
    look_around(state)
    return state.copy()


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
