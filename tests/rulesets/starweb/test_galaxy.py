"""Properties of a new game, for few and many players and several seeds."""

import hashlib
from collections import Counter
from collections.abc import Iterator

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp, UserError
from referee.rulesets.starweb.galaxy import Web, spin
from referee.rulesets.starweb.industry import usable_industry
from referee.rulesets.starweb.setup import OFFERED, setup
from referee.rulesets.starweb.state import Character, State, World
from referee.rulesets.starweb.text.snapshot import fleets_at

STARTS = [(players, seed) for players in (2, 3, 6, 15) for seed in (b"a", b"b", b"c")]


def signups(players: int) -> list[SignUp]:
    return [SignUp(Seat(seat), "ABCDEFGHIJKLMNO"[seat - 1]) for seat in range(1, players + 1)]


@pytest.fixture(scope="module", params=STARTS, ids=lambda start: f"{start[0]}{start[1].decode()}")
def state(request: pytest.FixtureRequest) -> State:
    players, seed = request.param
    return setup(signups(players), {}, Dice(seed))


def homes(state: State) -> list[World]:
    return [state.worlds[player.home] for player in state.players.values()]


def neutral(state: State) -> list[World]:
    return [w for w in state.worlds.values() if w.owner is None and not w.black_hole]


def near(state: State, start: int, most: int) -> set[int]:
    found = {start}
    for _ in range(most):
        found |= {gate for number in found for gate in state.worlds[number].gates}
    return found


def test_there_are_17_worlds_a_player_numbered_from_1(state: State) -> None:
    assert list(state.worlds) == list(range(1, 17 * len(state.players) + 1))
    assert [world.number for world in state.worlds.values()] == list(state.worlds)


def test_every_gate_works_both_ways(state: State) -> None:
    one_way = [
        (world.number, gate)
        for world in state.worlds.values()
        for gate in world.gates
        if world.number not in state.worlds[gate].gates
    ]
    assert one_way == []


def test_gates_ascend_and_lead_elsewhere(state: State) -> None:
    for world in state.worlds.values():
        assert list(world.gates) == sorted(set(world.gates) - {world.number})


def test_worlds_have_2_to_5_gates_most_of_them_3_or_4(state: State) -> None:
    gates = Counter(len(world.gates) for world in state.worlds.values())
    assert set(gates) <= {2, 3, 4, 5}
    assert 2 * (gates[3] + gates[4]) > len(state.worlds)


def test_everything_can_be_reached_without_a_black_hole(state: State) -> None:
    holes = {world.number for world in state.worlds.values() if world.black_hole}
    reached, edge = set(holes), {state.players[Seat(1)].home}
    while edge:
        reached |= edge
        edge = {gate for number in edge for gate in state.worlds[number].gates} - reached
    assert reached == set(state.worlds)


def test_there_are_3_to_6_black_holes_with_nothing_in_them(state: State) -> None:
    holes = [world for world in state.worlds.values() if world.black_hole]
    assert 3 <= len(holes) <= 6
    for hole in holes:
        assert hole == World(hole.number, hole.gates, black_hole=True)
        assert fleets_at(state, hole.number) == []


def test_no_home_is_next_to_another_or_to_a_black_hole(state: State) -> None:
    for home in homes(state):
        beside = [state.worlds[gate] for gate in home.gates]
        assert [world.owner for world in beside] == [None] * len(beside)
        assert not any(world.black_hole for world in beside)


def test_a_home_is_as_the_rules_have_it(state: State) -> None:
    for seat, player in state.players.items():
        home = state.worlds[player.home]
        assert home == World(
            number=player.home,
            gates=home.gates,
            owner=seat,
            industry=30,
            metal=30,
            mines=2,
            population=50,
            limit=100,
            turns=1,
            iships=1,
            pships=1,
            usable=30,
        )


def test_a_player_has_five_keys_without_ships_at_home(state: State) -> None:
    for seat, player in state.players.items():
        keys = [fleet for fleet in state.fleets.values() if fleet.owner == seat]
        assert [(key.world, key.ships) for key in keys] == [(player.home, 0)] * 5
        assert fleets_at(state, player.home) == keys


def test_there_are_as_many_keys_as_worlds_the_others_loose(state: State) -> None:
    assert list(state.fleets) == list(state.worlds)
    loose = [fleet for fleet in state.fleets.values() if fleet.owner is None]
    assert {fleet.world for fleet in loose} <= {world.number for world in neutral(state)}
    assert {fleet.ships for fleet in loose} <= {0}


def test_every_artifact_lies_on_a_neutral_world_or_loose_key(state: State) -> None:
    loose = [fleet for fleet in state.fleets.values() if fleet.owner is None]
    on_worlds = [number for world in neutral(state) for number in world.artifacts]
    on_keys = [number for fleet in loose for number in fleet.artifacts]
    assert sorted(on_worlds + on_keys) == list(range(1, 101))
    assert on_worlds
    assert on_keys


def test_neutral_worlds_keep_their_bounds(state: State) -> None:
    for world in neutral(state):
        assert 0 <= world.industry <= 2
        assert 0 <= world.mines <= 8
        assert world.metal == world.mines
        assert world.turns == (1 if world.mines else 0)
        assert 25 <= world.limit <= 190
        assert 0 < world.population <= world.limit
        assert 0 <= world.iships + world.pships <= 6


def shares(state: State) -> Iterator[list[int]]:
    """Yield the sums within three jumps of each home, for each kind of riches."""
    around = [near(state, home.number, 3) for home in homes(state)]
    for kind in ("mines", "limit", "industry"):
        yield [sum(getattr(state.worlds[number], kind) for number in each) for each in around]


def test_the_start_is_fair(state: State) -> None:
    for sums in shares(state):
        assert 100 * (max(sums) - min(sums)) <= 15 * min(sums)


def test_the_start_is_fair_without_the_home_worlds(state: State) -> None:
    for sums, at_home in zip(shares(state), (2, 100, 30), strict=True):
        least, most = min(sums) - at_home, max(sums) - at_home
        assert 100 * (most - least) <= 15 * least


def test_players_know_only_their_home(state: State) -> None:
    for player in state.players.values():
        gates = dict.fromkeys(state.worlds[player.home].gates, 1)
        assert (player.worlds, player.charted) == ({player.home}, {player.home: gates})
        assert (player.met, player.seen, player.score) == ([], (), 0)


def test_usable_industry_follows_the_rules(state: State) -> None:
    for number, world in state.worlds.items():
        assert world.usable == usable_industry(state, world, fleets_at(state, number))


def test_a_full_galaxy_is_like_a_real_one() -> None:
    state = setup(signups(15), {}, Dice(b"figures"))
    worlds = neutral(state)
    count = len(worlds)
    assert len(state.worlds) == 255
    assert 80 <= sum(world.limit for world in worlds) / count <= 100
    assert 0.45 <= sum(w.population for w in worlds) / sum(w.limit for w in worlds) <= 0.55
    assert 0.5 <= sum(not world.industry for world in worlds) / count <= 0.7
    assert sum(2 <= world.mines <= 4 for world in worlds) > count / 2
    assert 10 <= sum(world.iships + world.pships > 0 for world in worlds) <= 80


def figures(state: State) -> str:
    """Return a hash of everything that the dice decide."""
    worlds = [
        (w.number, w.gates, w.owner, w.industry, w.mines, w.population, w.limit, w.black_hole)
        for w in state.worlds.values()
    ]
    guards = [(w.iships, w.pships, tuple(w.artifacts)) for w in state.worlds.values()]
    fleets = [(f.number, f.world, f.owner, tuple(f.artifacts)) for f in state.fleets.values()]
    return hashlib.sha256(repr((worlds, guards, fleets, state.fairness)).encode()).hexdigest()[:16]


def test_the_same_seed_gives_the_same_galaxy_on_every_machine() -> None:
    assert figures(setup(signups(15), {}, Dice(b"pinned"))) == "f2e4112d46dae086"


def test_another_seed_gives_another_galaxy() -> None:
    assert figures(setup(signups(2), {}, Dice(b"1"))) != figures(setup(signups(2), {}, Dice(b"2")))


def test_the_gm_notes_say_how_fair_the_start_is() -> None:
    assert setup(signups(2), {}, Dice(b"a")).fairness == (
        "Within three jumps of the home worlds lie, from the poorest to the richest: "
        "mines 51 to 52 (1.9 %); population limit 1361 to 1400 (2.8 %); industry 5 to 5 (0.0 %)."
    )


def test_options_set_the_number_of_worlds_the_ending_and_the_name() -> None:
    options: dict[str, int | str | bool] = {"worlds": 60, "ending": 3000, "game": "SW-7"}
    state = setup(signups(2), options, Dice(b"a"))
    assert (len(state.worlds), state.ending, state.game) == (60, 3000, "SW-7")


def test_players_can_be_introduced_to_each_other_at_the_start() -> None:
    players = setup(signups(3), {"introduced": True}, Dice(b"a")).players
    assert [player.met for player in players.values()] == [[2, 3], [1, 3], [1, 2]]


@pytest.mark.parametrize(
    ("players", "worlds"), [(2, 23), (2, 256), (15, 179), (3, 24), (1, 0), (16, 0)]
)
def test_an_impossible_start_is_rejected(players: int, worlds: int) -> None:
    seats = [SignUp(Seat(seat), "A") for seat in range(1, players + 1)]
    with pytest.raises(UserError):
        setup(seats, {"worlds": worlds}, Dice(b"a"))


@pytest.mark.sampled
@pytest.mark.parametrize(("players", "worlds"), [(2, 24), (2, 255), (8, 96), (15, 180), (15, 255)])
def test_tight_and_wide_galaxies_are_found_as_well(players: int, worlds: int) -> None:
    state = setup(signups(players), {"worlds": worlds}, Dice(b"a"))
    assert (len(state.worlds), len(state.players)) == (worlds, players)
    for sums in shares(state):
        assert 100 * (max(sums) - min(sums)) <= 15 * min(sums)


def test_players_get_their_first_available_choice() -> None:
    wishes = {"character": ("Wizard", "empire builder")}
    seats = [SignUp(Seat(1), "Ceres", wishes), SignUp(Seat(2), "MARS")]
    players = setup(seats, {}, Dice(b"a")).players
    assert players[Seat(1)].name == "CERES"
    assert players[Seat(1)].character is Character.EMPIRE_BUILDER
    assert players[Seat(2)].character in OFFERED


def test_a_web_counts_its_jumps() -> None:
    web = Web(gates=((1,), (0, 2), (1, 3), (2,)))
    assert web.jumps(0) == {0: 0, 1: 1, 2: 2, 3: 3}
    assert web.jumps(0, closed=[2]) == {0: 0, 1: 1}
    assert (web.is_whole(), web.is_whole([2]), web.is_whole([3])) == (True, False, True)


@pytest.mark.parametrize("seed", [bytes([seed]) for seed in range(10)])
def test_a_web_of_any_size_is_whole(seed: bytes) -> None:
    for count in (20, 34, 77, 120):
        web = spin(count, Dice(seed))
        assert web.is_whole()
        assert {len(gates) for gates in web.gates} <= {2, 3, 4, 5}
