"""A new war: counts, fairness, requested colours, options, and the seed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp, UserError
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.board import GRAY, Board
from referee.rulesets.singularity.setup import setup
from referee.rulesets.singularity.state import State

NAMES = ("ABBOT", "BISHOP", "CANTOR", "DEAN", "EXARCH", "FRIAR", "GUARDIAN")
ONLY_AT_SETUP = {"jump.type"}
"""The options that no scenario can show."""
BOARD = Board()


def war(wishes: Sequence[Sequence[str]], seed: bytes = b"war", **options: Any) -> State:
    """Return a new war. *wishes* has the colours that each player asks for."""
    signups = [
        SignUp(Seat(number), NAMES[number - 1], {"colour": tuple(wished)})
        for number, wished in enumerate(wishes, 1)
    ]
    return setup(signups, {name.replace("__", "."): v for name, v in options.items()}, Dice(seed))


def colours(state: State) -> str:
    return "".join(player.colour for player in state.players.values())


def homes(state: State) -> list[int]:
    return [p.column for p in state.planets.values() if p.owner is not None]


def test_all_players_begin_with_a_planet_of_their_colour_and_five_points() -> None:
    state = war([()] * 6)
    for seat, player in state.players.items():
        (home,) = state.planets_of(seat)
        assert (home.colour, home.level, player.points) == (player.colour, 0, 5)
    assert state.ships == {}


def test_there_are_five_planets_of_each_colour_and_seven_gray_ones() -> None:
    found = Counter(planet.colour for planet in war([()] * 4).planets.values())
    assert found == {**dict.fromkeys("ROYGBV", 5), GRAY: 7}


def test_with_a_gray_core_there_are_six_of_each_colour_and_one_gray() -> None:
    found = Counter(planet.colour for planet in war([()] * 4, gray_core=True).planets.values())
    assert found == {**dict.fromkeys("ROYGBV", 6), GRAY: 1}


@pytest.mark.parametrize(("radius", "planets", "spaces"), [(2, 19, 95), (3, 37, 185), (4, 61, 305)])
def test_each_column_has_one_planet(radius: int, planets: int, spaces: int) -> None:
    state = war([()] * 6, board__radius=radius)
    assert len({planet.column for planet in state.planets.values()}) == planets
    assert len(list(state.rules.board.spaces())) == spaces == len(state.jumps)


def test_the_wedges_cover_the_board_but_for_its_middle() -> None:
    columns = [column for number in range(6) for column in BOARD.wedge(number)]
    assert sorted([*columns, 19]) == [*BOARD.columns]
    assert [BOARD.home(number) for number in range(6)] == [28, 36, 29, 10, 2, 9]


@pytest.mark.parametrize(
    ("steps", "expected"), [(0, {0, 1}), (1, {2, 3, 4}), (2, {4, 5, 6}), (3, {5, 6})]
)
def test_colours_are_as_far_from_home_as_they_are_worth_little(
    steps: int, expected: set[int]
) -> None:
    state = war([()] * 6)
    home = BOARD.home(0)
    wanted = "ROYGBV"[steps] + "ROYGBV"[-steps]
    far = {BOARD.hexes_apart(home, p.column) for p in state.planets.values() if p.colour in wanted}
    assert far <= expected | {0} - {0 if steps else -1}
    gray = {BOARD.hexes_apart(home, p.column) for p in state.planets.values() if p.colour == GRAY}
    assert gray == {2, 3, 4}


@pytest.mark.parametrize("seed", [b"one", b"two", b"three"])
@pytest.mark.parametrize("radius", [2, 3, 4])
def test_all_wedges_have_the_same_levels_every_other_one_upside_down(
    seed: bytes, radius: int
) -> None:
    state = war([()] * 6, seed, board__radius=radius)
    board = state.rules.board
    levels = [[state.planets[c].level for c in board.wedge(number)] for number in range(6)]
    assert levels[::2] == [levels[0]] * 3
    assert levels[1::2] == [[-level for level in levels[0]]] * 3
    assert sum(map(sum, levels)) == 0


def test_the_levels_next_to_home_are_those_of_the_usual_board() -> None:
    first = [war([()] * 6).planets[column].level for column in BOARD.wedge(0)]
    assert sorted(first) == [-2, -1, -1, 0, 1, 2]


@pytest.mark.parametrize(
    ("players", "apart"), [(2, {(6,)}), (3, {(5, 5)}), (4, {(3, 5, 6)}), (6, {(3, 3, 5, 5, 6)})]
)
def test_all_players_are_equally_far_from_the_others(
    players: int, apart: set[tuple[int, ...]]
) -> None:
    there = homes(war([()] * players))
    found = {
        tuple(sorted(BOARD.hexes_apart(one, other) for other in there if other != one))
        for one in there
    }
    assert found == apart


def test_with_five_players_the_empty_wedge_is_drawn() -> None:
    seeds = [bytes([number]) for number in range(30)]
    empty = {({*"ROYGBV"} - {*colours(war([()] * 5, seed))}).pop() for seed in seeds}
    assert empty == {*"ROYGBV"}


def test_without_wishes_four_sit_at_the_usual_wedges() -> None:
    assert {*colours(war([()] * 4))} == {*"ROGB"}


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ([["yellow"], ["orange"], ["violet"], ["blue"]], "YOVB"),
        ([["blue"], ["blue", "red"], [], []], "BR"),
        ([["green"], ["red"]], "GR"),
        ([["violet"], ["yellow"], ["orange"], ["green"], ["red"]], "VYOGR"),
        ([["Red"], ["orange"], ["YELLOW"], ["green"], ["blue"], ["violet"]], "ROYGBV"),
    ],
)
def test_players_get_a_free_colour_they_asked_for(
    wishes: Sequence[Sequence[str]], expected: str
) -> None:
    assert colours(war(wishes)).startswith(expected)


def test_conflicting_wishes_are_met_in_the_order_of_the_seats() -> None:
    assert colours(war([["red"], ["orange"]])) == "RG"


def test_the_same_seed_gives_the_same_war_and_another_one_another() -> None:
    assert war([()] * 5) == war([()] * 5)
    assert war([()] * 5).jumps != war([()] * 5, b"another").jumps


@pytest.mark.parametrize("kind", ["perm", "free"])
def test_a_jump_leads_from_each_space_to_another_and_never_back(kind: str) -> None:
    state = war([()] * 6, jump__type=kind)
    table = {chart.start: chart.end for chart in state.jumps}
    assert sorted(table) == sorted(BOARD.spaces())
    assert [at for at, to in table.items() if at in (to, table[to])] == []


def test_only_free_jumps_can_lead_to_the_same_space() -> None:
    assert len({chart.end for chart in war([()] * 6, jump__type="perm").jumps}) == 185
    assert len({chart.end for chart in war([()] * 6, jump__type="free").jumps}) < 185


@pytest.mark.parametrize(
    ("option", "value", "read"),
    [
        ("mode", "two", lambda rules: rules.mode.value),
        ("slip_consumes_drive", True, lambda rules: rules.slip_consumes_drive),
        ("sensor.base", 3, lambda rules: rules.sensor_base),
        ("fog.ownership", "sight", lambda rules: "public" if rules.ownership_public else "sight"),
        ("scrap.refund", 2, lambda rules: rules.scrap_refund),
        ("doctrine", "weakest", lambda rules: "weakest" if rules.weakest_first else "armed"),
        ("turn_limit", 12, lambda rules: rules.turn_limit),
        ("wheel", "VBGYOR", lambda rules: rules.wheel),
        ("board.radius", 4, lambda rules: rules.board.radius),
        ("board.levels", 7, lambda rules: 2 * rules.board.highest + 1),
        ("edge", "skip", lambda rules: rules.edge.value),
        ("faction", "none", lambda rules: "usual" if rules.factions else "none"),
        ("resign", "stay", lambda rules: rules.resign.value),
        ("ships.f", "SDDDW 6", lambda rules: f"{rules.types['F'].units} {rules.types['F'].cost}"),
    ],
)
def test_an_option_is_kept_in_the_war(option: str, value: Any, read: Any) -> None:
    assert read(war([()] * 4).rules) != value
    assert read(war([()] * 4, **{option: value}).rules) == value


@pytest.mark.parametrize(
    "options",
    [
        {"wheel": "ROYGB"},
        {"wheel": "ROYGBB"},
        {"board.levels": 4},
        {"ships.f": "SDDW"},
        {"ships.f": "DDW 4"},
        {"ships.f": "SDDWW 4"},
        {"ships.f": "SSDDW 4"},
        {"ships.s": "SLN 4"},
        {"ships.s": "SDX 4"},
        {"ships.b": "SDWWWMM 15"},
        {"ships.b": "SDW 0"},
    ],
)
def test_invalid_options_are_rejected(options: Mapping[str, int | str | bool]) -> None:
    with pytest.raises(UserError) as mistake:
        war([()] * 4, b"war", **options)
    assert str(mistake.value).startswith(next(iter(options)))


@pytest.mark.parametrize("players", [1, 7])
def test_a_war_has_two_to_six_players(players: int) -> None:
    with pytest.raises(UserError):
        war([()] * players)
    assert RULESET.info.fewest_seats == 2
