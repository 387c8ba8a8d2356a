"""The map: a panel for each level."""

from referee.rules.views import Link, LinkKind, Spot, UnitKind
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.charting import chart
from referee.rulesets.singularity.state import Chart
from tests.rulesets.singularity.played import SEATS, new_war

ABBOT = SEATS[0]


def test_each_level_is_a_panel_with_all_its_spaces() -> None:
    drawn = chart(new_war(), ABBOT)
    levels = [(panel.key, panel.level) for panel in drawn.panels]
    assert levels == [("A", -2), ("B", -1), ("C", 0), ("D", 1), ("E", 2)]
    names = {ground.name: ground.spot for ground in drawn.ground}
    assert len(names) == 37 * 5
    # Column 19 is the middle of the board, and 20 is east of it.
    assert names["19C"] == Spot("C", 0.0, 0.0)
    assert names["20E"] == Spot("E", 1.0, 0.0)


def test_a_ship_away_from_planets_has_a_place_of_its_own() -> None:
    state = new_war()
    level = "A" if state.planets[19].level != -2 else "B"
    state, _ = RULESET.correct(state, f"S991 [ABBOT] R 19{level}")
    node = next(node for node in chart(state, ABBOT).nodes if node.key == f"19{level}")
    (ship,) = node.units
    assert (ship.key, ship.owner, ship.kind) == ("S991", "ABBOT", UnitKind.SHIP)
    # Its two drive units carry it two spaces by slip, and two more by warp.
    assert ship.reach == 4


def test_a_jump_is_on_the_map_of_who_knows_it() -> None:
    state = new_war()
    middle = state.planets[19]
    end = Space(19, 2 if middle.level != 2 else 1)
    state.players[ABBOT].charts.append(Chart(middle.at, end))
    jump = Link("W19", state.rules.board.written(end), kind=LinkKind.JUMP)
    assert jump in chart(state, ABBOT).links
    assert jump not in chart(state, SEATS[1]).links


def test_the_owner_of_a_planet_out_of_sight_is_unknown_on_the_map() -> None:
    state = new_war(fog__ownership="sight")
    owners = {node.owner for node in chart(state, ABBOT).nodes}
    assert owners == {"ABBOT", "", "?"}
