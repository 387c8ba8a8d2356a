"""Random games of all six characters, with checks of the whole state every turn."""

from collections.abc import Iterator
from random import Random

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rules.views import Verbatim
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.state import Character, Fleet, State, World
from referee.rulesets.starweb.text import render_printout
from tests.rulesets.starweb.text.notation import parse_printout

TURNS = 20


def begun(seed: int) -> State:
    seats = [
        SignUp(Seat(number), chr(64 + number) * 3, {"character": (character.value,)})
        for number, character in enumerate(Character, 1)
    ]
    return RULESET.setup(seats, {}, Dice(bytes([seed])))


def fleet_orders(state: State, fleet: Fleet, chance: Random) -> Iterator[o.Order]:
    world = state.worlds[fleet.world]
    strangers = [each for each in state.fleets.values() if each.world == fleet.world]
    route = [chance.choice(world.gates)]
    while chance.random() < 0.4 and len(route) < 3:
        route.append(chance.choice(state.worlds[route[-1]].gates))
    acts: tuple[o.Order, ...] = (
        o.MoveFleet(fleet.number, tuple(route)),
        o.FireAtFleet(fleet.number, chance.choice(tuple(o.Trigger)), strangers[0].number),
        o.FireAtWorld(fleet.number, chance.choice(tuple(o.Trigger)), chance.choice(tuple(o.Aim))),
        o.RobotAttack(fleet.number, 3),
        o.TransferToHome(fleet.number, 1, o.Home.PEOPLE),
        o.UnloadGoods(fleet.number, 1),
    )
    yield from chance.choices(acts, (12, 2, 1, 1, 2, 1), k=2)
    yield chance.choice((o.Load, o.Unload))(fleet.number)
    if world.artifacts:
        yield o.HookArtifact(world.artifacts[0], fleet.number)


def world_orders(state: State, world: World, chance: Random) -> Iterator[o.Order]:
    keys = [each.number for each in state.fleets.values() if each.world == world.number]
    if keys:
        yield o.BuildFleetShips(world.number, world.usable // 2 + 1, chance.choice(keys))
    yield o.BuildIndustry(world.number, 1)
    yield o.MigratePeople(world.number, 1, world.gates[0])
    if chance.random() < 0.1:
        yield o.Plunder(world.number)


def sheet(state: State, seat: Seat, chance: Random) -> list[o.Order]:
    fleets = [each for each in state.fleets.values() if each.owner == seat and each.ships]
    worlds = [each for each in state.worlds.values() if each.owner == seat]
    return [
        *(order for fleet in fleets for order in fleet_orders(state, fleet, chance)),
        *(order for world in worlds for order in world_orders(state, world, chance)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_of_all_characters_is_whole_every_turn(seed: int) -> None:
    state, chance = begun(seed), Random(seed)
    for _ in range(TURNS):
        sheets = {seat: sheet(state, seat, chance) for seat in state.players}
        for seat, orders in sheets.items():
            assert len(RULESET.validate(state, seat, orders)) == len(orders)
            RULESET.forecast(state, seat, orders)
        after = RULESET.resolve(state, sheets, frozenset(), Dice(bytes([seed]))).state
        assert after.fleets.keys() == state.fleets.keys()
        assert [
            text for text in printouts(after) if render_printout(parse_printout(text)) != text
        ] == []
        state = after
    assert state.turn == TURNS + 1
    assert any(player.met for player in state.players.values())


def printouts(state: State) -> Iterator[str]:
    for seat in state.players:
        for block in RULESET.view(state, seat, "Friday"):
            assert isinstance(block, Verbatim)
            yield block.text
