"""Tests of the forecast, the template, the map, the unused ships and warnings."""

from typing import Any

from referee.reports.text import text
from referee.rules.fields import Fields
from referee.rules.ruleset import Ruling, RulingKind, Seat
from referee.rules.views import Table
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.report import hex_map
from referee.rulesets.star_empires.scenarios import placed
from referee.rulesets.star_empires.state import State
from referee.testing.scenarios import OrderReading

A = Seat(1)
WORLDS = [
    {"name": "H", "at": [0, 0], "owner": "A", "production": 9, "stockpile": 4, "homeworld": True},
    {"name": "W", "at": [1, 0], "owner": "A", "production": 2, "stockpile": 3},
    {"name": "F", "at": [2, 0], "owner": "B", "production": 5, "stockpile": 50},
]
SHIPS = [
    {"owner": "A", "name": "base", "class": "starbase", "at": [0, 0]},
    {"owner": "A", "name": "p2", "class": "probe", "at": [1, 0]},
    {"owner": "A", "name": "p10", "class": "probe", "at": [1, 0]},
    {"owner": "B", "name": "f", "class": "probe", "at": [1, 0]},
]
GUARDED = [*SHIPS, {"owner": "A", "name": "p3", "class": "probe", "at": [1, 0]}]
"""With enough probes at W that one can leave it to the foreign probe there."""


def position(**changes: Any) -> State:
    given = {"empires": {"A": {}, "B": {}}, "worlds": WORLDS, "ships": SHIPS, **changes}
    return placed(Fields(given), Fields({}))


def orders(*lines: str) -> tuple[Any, ...]:
    return OrderReading()(GRAMMAR, "\n".join(lines))


def forecast_of(state: State, *lines: str) -> str:
    return text(RULESET.forecast(state, A, orders(*lines)))


def test_the_forecast_keeps_a_ledger_of_the_own_worlds() -> None:
    ledger = forecast_of(position(), "BUILD H 1 probe", "TRANSFER W 1 H")
    assert "H           4     -2    +9     +1        12" in ledger
    assert "W           3      0    +2     -1         4" in ledger


def test_the_forecast_excludes_the_ru_of_others() -> None:
    forecast = forecast_of(position(ships=GUARDED), "MOVE p2 TO (2,0)", "POOL H")
    assert "\nF" not in forecast
    assert "H           4      0    +9     +5        18" in forecast


def test_the_forecast_names_a_world_that_others_could_take_too() -> None:
    worlds = [*WORLDS, {"name": "N", "at": [1, 1], "production": 7, "stockpile": 9}]
    forecast = forecast_of(position(worlds=worlds, ships=GUARDED), "MOVE p2 TO (1,1)", "POOL H")
    assert "You take N if nobody else comes there. No RU are counted on." in forecast
    assert "\nN" not in forecast
    assert "H           4      0    +9     +5        18" in forecast


def test_the_forecast_warns_of_lost_worlds() -> None:
    forecast = forecast_of(position(), "MOVE p2 p10 TO (1,1)")
    assert "You lose W, because no ship with guns stays there." in forecast
    assert "You lose" not in forecast_of(position(), "MOVE p2 TO (1,1)")


def test_the_template_has_a_line_for_the_ships_of_a_sector() -> None:
    assert RULESET.template(position(portals=[{"name": "P", "at": [1, 0]}]), A)[1:] == [
        "# FIRE (1,0) AT B",
        "# MOVE p2 p10 TO (1,0)",
        "# TRAVERSE p2 p10 THROUGH P",
        "# BUILD H max probe   (4 RU)",
        "# BUILD W max probe   (3 RU)",
    ]


def test_report_and_template_have_the_engines_that_a_damaged_ship_repairs() -> None:
    slow = {"name": "slow", "hull": "gunship", "guns": 1, "dp": 5, "engines": 1, "ar": 1}
    ship = {"owner": "A", "name": "s", "class": "slow", "at": [0, 0], "dp": 1}
    state = position(classes=[slow], ships=[ship])
    assert state.engines(state.fleet(A)[0]) == 0
    assert "MOVE s TO (0,0)" in " ".join(RULESET.template(state, A))
    (table,) = (
        block
        for block in RULESET.view(state, A, "")
        if isinstance(block, Table) and block.title == "Your ships"
    )
    assert [row[table.columns.index("Eng")] for row in table.rows] == ["1"]


def test_pooled_resource_units_are_not_unused() -> None:
    assert RULESET.unused(position(), A, orders("MOVE p2 TO (1,1)")) == [
        "p10: no order. It stays where it is.",
        "H keeps its 4 RU.",
        "W keeps its 3 RU.",
    ]
    pooling = orders("MOVE p2 p10 TO (1,1)", "POOL H")
    assert RULESET.unused(position(), A, pooling) == []


def test_the_columns_of_a_large_map_are_aligned() -> None:
    ships = [
        {"owner": "A", "name": "p", "class": "probe", "at": [-100, -100]},
        {"owner": "A", "name": "q", "class": "probe", "at": [-90, -104]},
    ]
    far, *_ = hex_map(position(ships=ships, worlds=WORLDS[:1]), A)
    lines = far.splitlines()
    assert max(map(len, lines)) <= 78
    columns = {
        (column - 12) % 8 for line in lines for column, sign in enumerate(line) if sign == "."
    }
    assert columns == {0, 4}


def test_a_move_into_a_storm_is_warned() -> None:
    storms = [{"name": "Gale", "at": [2, 1], "intensity": 3}]
    state = position(storms=storms, ships=GUARDED)
    (ruling,) = RULESET.validate(state, A, orders("MOVE p2 TO (2,1)"))
    assert ruling == Ruling(RulingKind.WARNED, "The storm Gale does 3 DP of damage there.")


LOST = "because no ship with guns stays there."
LOST_W = f"You lose W and its 3 RU, {LOST}"
H_AND_STATION = [
    {"owner": "A", "name": "p2", "class": "probe", "at": [1, 0]},
    {"owner": "A", "name": "c1", "class": "carrier", "at": [0, 0]},
    {"owner": "A", "name": "w1", "class": "fighter", "at": [0, 0]},
    {"owner": "A", "name": "w2", "class": "fighter", "at": [0, 0], "carrier": "c1"},
]


def cautions(state: State, *lines: str) -> list[str]:
    """Return the reason of each ruling; every order is accepted, those with a reason warned."""
    rulings = RULESET.validate(state, A, orders(*lines))
    assert [r.kind for r in rulings] == [
        RulingKind.WARNED if r.reason else RulingKind.ACCEPTED for r in rulings
    ]
    return [ruling.reason for ruling in rulings]


def test_the_orders_that_give_up_a_world_are_warned() -> None:
    assert cautions(position(ships=GUARDED), "MOVE p2 TO (1,1)") == [""]
    assert (
        cautions(position(), "MOVE p2 TO (1,1)", "MOVE p10 TO (0,0)")
        == [f"You lose W and its 3 RU, {LOST}"] * 2
    )
    state = position(ships=[*SHIPS[1:2], {**SHIPS[1], "name": "p5", "at": [2, 1]}])
    assert cautions(state, "MOVE p2 TO (1,1)", "MOVE p5 TO (1,0)") == ["", ""]


def test_the_homeworld_that_is_given_up_is_named_as_such() -> None:
    state = position(ships=H_AND_STATION)
    assert cautions(state, "MOVE c1 TO (0,1)") == [""]
    assert (
        cautions(state, "LOAD w1 ONTO c1", "MOVE c1 TO (0,1)")
        == [f"You lose your homeworld H and its 4 RU, {LOST}"] * 2
    )


def test_an_order_that_needs_a_world_that_is_given_up_is_warned() -> None:
    lines = ("MOVE p2 p10 TO (1,1)", "BUILD W 1 probe", "POOL W", "TRANSFER W 1 H")
    assert cautions(position(), *lines)[1:] == ["You lose W before that."] * 3


def test_orders_that_leave_a_world_to_others_there_are_warned() -> None:
    lines = ("MOVE p2 TO (1,1)", "BUILD W 1 probe", "POOL W", "TRANSFER W 1 H", "POOL H")
    assert cautions(position(ships=GUARDED), *lines) == [""] * 5
    left = "The ships seen at W could take or blockade it once yours leave."
    before = "The ships seen at W could take, blockade or interdict it before that."
    assert cautions(position(), *lines) == [left, *[before] * 3, ""]
    assert cautions(position(), *lines[1:]) == [""] * 4


def test_a_ship_that_blows_itself_up_is_a_loss() -> None:
    state = position(ships=H_AND_STATION)
    assert cautions(state, "DESTRUCT p2") == [f"You lose p2. {LOST_W}"]
    assert cautions(state, "DESTRUCT c1") == ["You lose c1 with w2."]
    assert "p2    probe  (1,0)  gone" in forecast_of(state, "DESTRUCT p2")


def test_an_explosion_that_destroys_the_last_guard_loses_the_world() -> None:
    state = position(ships=[*SHIPS[1:], {**SHIPS[1], "name": "c", "class": "carrier"}])
    assert cautions(state, "DESTRUCT c") == [
        f"You lose c. The explosion destroys p2. The explosion destroys p10. {LOST_W}"
    ]
    assert RULESET.unused(state, A, orders("DESTRUCT c")) == ["H keeps its 4 RU."]


def test_a_world_that_is_given_up_keeps_no_ru() -> None:
    assert RULESET.unused(position(), A, orders("MOVE p2 p10 TO (1,1)")) == ["H keeps its 4 RU."]


def allied(*, declared: tuple[str, ...] = ("B",), mutual: tuple[str, ...] = ()) -> State:
    """Return a position with C, in which A has *declared* alliances, and *mutual* with A."""
    others = {name: {"allies": ["A"]} if name in mutual else {} for name in "BC"}
    ships = [*SHIPS, {**SHIPS[-1], "owner": "C", "name": "g"}]
    state = position(empires={"A": {"allies": [*declared]}, **others}, ships=ships)
    state.alliance_size = 2
    return state


def test_fire_at_the_own_empire_is_warned() -> None:
    assert cautions(position(), "FIRE p2 AT A") == ["A is your own empire."]
    assert cautions(position(), "FIRE p2 AT B") == [""]


def test_fire_at_an_ally_is_warned_unless_the_sheet_ends_the_alliance() -> None:
    warned = (
        "You have declared an alliance with B. The guns fire all the same, and the declaration "
        "stays. UNALLY B ends it."
    )
    assert cautions(allied(), "FIRE p2 AT b") == [warned]
    assert cautions(allied(), "FIRE p2 AT B", "UNALLY B") == ["", ""]
    assert cautions(allied(declared=()), "FIRE p2 AT B", "ALLY B") == [warned, ""]
    assert cautions(allied(), "UNALLY B", "FIRE p2 AT B", "ALLY B")[1] == warned


def test_fire_at_two_allies_gets_one_warning() -> None:
    warned = (
        "You have declared an alliance with B and C. The guns fire all the same, and the "
        "declaration stays. UNALLY B C ends it."
    )
    assert cautions(allied(declared=("B", "C")), "FIRE p2 AT C B") == [warned]


def test_what_others_declare_changes_no_warning() -> None:
    lines = ("FIRE p2 AT B", "UNALLY C", "ALLY C", "UNALLY B", "ALLY B")
    assert cautions(allied(), *lines) == cautions(allied(mutual=("B", "C")), *lines)


def test_the_end_of_no_alliance_is_warned() -> None:
    assert cautions(allied(declared=()), "UNALLY B") == ["You have no alliance with B."]
    assert cautions(allied(), "UNALLY B") == [""]


def test_the_second_end_of_an_alliance_is_warned() -> None:
    assert cautions(allied(), "UNALLY B", "UNALLY B") == [
        "", "An earlier order already ends the alliance with B."
    ]  # fmt: skip
    assert cautions(allied(), "UNALLY B B") == [""]


def test_a_declaration_that_a_later_one_takes_back_is_warned() -> None:
    again = "A later order declares the alliance with B again."
    ends = "A later order ends the alliance with B."
    assert cautions(allied(), "UNALLY B", "ALLY b") == [again, ""]
    assert cautions(allied(), "ALLY B", "UNALLY B") == [ends, ""]
    assert cautions(allied(), "ALLY B", "UNALLY B", "ALLY B") == ["", again, ""]
    assert cautions(allied(), "UNALLY B", "ALLY C") == ["", ""]


def test_a_declaration_by_which_all_empires_could_win_is_warned() -> None:
    drawn = (
        "With it you have declared every other empire an ally. If all do, the game ends in a draw "
        "when together they make at least half of the galaxy's production."
    )
    state = allied(declared=())
    assert cautions(state, "ALLY B", "ALLY C") == ["", ""]
    state.alliance_size = 3
    assert cautions(state, "ALLY B") == [""]
    assert cautions(state, "ALLY B", "ALLY C") == ["", drawn]
    assert cautions(state, "ALLY B C") == [drawn]
    assert cautions(state, "ALLY B", "ALLY C", "UNALLY b")[1] == ""


def test_the_template_does_not_fire_at_allies() -> None:
    def fire(state: State) -> list[str]:
        return [line for line in RULESET.template(state, A) if "FIRE" in line]

    assert fire(allied(declared=())) == ["# FIRE (1,0) AT B C"]
    assert fire(allied(declared=("B",))) == ["# FIRE (1,0) AT C"]
    assert fire(allied(declared=("B", "C"))) == []
    assert fire(allied(declared=(), mutual=("B",))) == ["# FIRE (1,0) AT B C"]
