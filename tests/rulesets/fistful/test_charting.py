"""The map: stars, fleets and borders."""

from dataclasses import replace

from referee.rules.views import Mark, Spot, Unit, UnitKind
from referee.rulesets.fistful.charting import chart
from referee.rulesets.fistful.orders import Ships
from referee.rulesets.fistful.state import REACH, Fleet, State
from tests.rulesets.fistful.played import SEATS, TURNS, game

ONE, OTHER = SEATS


def late() -> State:
    state: State = game()[TURNS - 1].state
    return state


def test_the_own_side_has_its_fleets_and_the_enemy_in_fog_only_places() -> None:
    state = late()
    star = state.colonies_of(ONE)[0].number
    state = replace(
        state,
        fleets=[
            Fleet("A", ONE, star, Ships(transports=2, cruisers=1)),
            Fleet("B", OTHER, star, Ships(dreadnoughts=3)),
            Fleet("C", OTHER, star, Ships(scouts=3)),
        ],
    )
    node = next(node for node in chart(state, ONE).nodes if node.key == f"W{star}")
    own, enemy = state.players[ONE].name, state.players[OTHER].name
    fleet = Unit("FA", own, UnitKind.FLEET, "2T1C", reach=3, force="2T1C")
    hidden = Unit("?", enemy, UnitKind.UNKNOWN, "fleets of unknown strength")
    assert node.units == (fleet, hidden)
    clear = replace(state, rules=replace(state.rules, fog=False))
    node = next(node for node in chart(clear, ONE).nodes if node.key == f"W{star}")
    assert [(unit.key, unit.force, unit.reach) for unit in node.units] == [
        ("FA", "2T1C", 3),
        ("FB", "3D", 0),
        ("FC", "3S", 0),
    ]


def test_a_star_is_where_the_list_of_stars_says() -> None:
    state = late()
    state.stars[1].row, state.stars[1].column = 1, 3
    state.stars[2].row, state.stars[2].column = 2, 3
    assert [node.spot for node in chart(state, ONE).nodes[:2]] == [
        Spot("", 2.0, 0.0),
        Spot("", 2.5, 0.866),
    ]


def test_colonies_have_a_border_of_supply_and_marks() -> None:
    state = late()
    home = state.stars[state.players[ONE].home or 0]
    home.fortified = home.besieged = True
    drawn = chart(state, ONE)
    node = next(node for node in drawn.nodes if node.key == f"W{home.number}")
    assert node.marks == (Mark.HOME, Mark.FORTRESS, Mark.SIEGE)
    (supply,) = drawn.ranges
    assert supply.reach == REACH
    assert supply.around == tuple(f"W{star.number}" for star in state.colonies_of(ONE))
