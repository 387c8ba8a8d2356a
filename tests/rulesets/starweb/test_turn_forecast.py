"""Forecasts: what they show a seat, and what stays hidden."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rules.views import Sentences, Verbatim
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.foresight import forecast, foresee
from referee.rulesets.starweb.rulings import defaults
from referee.rulesets.starweb.state import Character, State
from tests.rulesets.starweb.galaxies import CERES, MARS, galaxy

GALAXY = """
W1 (2,3) [CERES] (Industry=3,Metal=9,Mines=2,Population=57,Limit=90,Turns=2,P-Ships=1)  V70
   F1[CERES]=9
   F2[MARS]=4 (Cargo=3)
W2 (1,4) [MARS] (Population=20,P-Ships=9)
W3 (1)
W4 (2)
"""


def state() -> State:
    given = galaxy(GALAXY)
    player = given.players[CERES]
    player.worlds, player.met = {1}, [MARS]
    return given


def lines(given: State, orders: Sequence[o.Order], seat: Seat = CERES) -> list[str]:
    printout, *others = forecast(given, seat, orders) or (Verbatim(""),)
    assert isinstance(printout, Verbatim)
    said = [line for each in others if isinstance(each, Sentences) for line in each.sentences]
    return [*printout.text.split("\n"), *said]


def test_growth_is_a_range_and_the_rest_as_ordered() -> None:
    assert lines(state(), [o.BuildHomeShips(1, 2, o.Home.PEOPLE), o.Load(1, 1)]) == [
        "W1 (2,3) [CERES] (Industry=3,Metal=7,Mines=2,Population=62-63,Limit=90,",
        "      Turns=3,I-Ships=1,P-Ships=3)  V70:Plastic Moonstone",
        "   F1[CERES]=9 (Cargo=1)",
        "   F2[MARS]=4",
        "At W1: F2 of MARS.",
    ]


def test_only_a_turn_that_depends_on_luck_is_resolved_twice() -> None:
    lucky = foresee(state(), CERES, [])
    assert lucky.needs_luck
    assert lucky.with_luck().worlds[1].population == 63
    # A tenth of 50 is a whole number of people.
    certain = state()
    certain.worlds[1].population = 50
    foreseen = foresee(certain, CERES, [])
    assert not foreseen.needs_luck
    assert foreseen.with_luck() is foreseen.resolution.state
    assert foreseen.with_luck().worlds[1].population == 55


def test_a_world_without_a_report_shows_the_fleets_that_go_there() -> None:
    # MARS ambushes at W2, and W4 is next to W2, but the seat knows neither.
    assert lines(state(), [o.MoveFleet(1, (2, 4))])[-3:] == [
        "W4: not in your last report",
        "   F1[CERES]=9 (Moved)",
        "At W1: F2 of MARS.",
    ]


def test_a_hop_that_is_known_to_be_wrong_moves_nothing() -> None:
    assert lines(state(), [o.MoveFleet(1, (4,))])[2] == "   F1[CERES]=9"


def test_a_world_about_to_be_lost_is_named() -> None:
    given = galaxy("W1 () [CERES] (Population=57,Limit=90)\n   F2[MARS]=4")
    given.players[CERES].worlds, given.players[CERES].met = {1}, [MARS]
    assert lines(given, [o.Plunder(1)]) == [
        "W1 () [MARS] (Captured,Lost by [CERES],Population=62-63,Limit=90)",
        "   F2[MARS]=4",
        "At W1: F2 of MARS.",
    ]


def test_a_world_given_away_is_named() -> None:
    shown = lines(state(), [o.GiveWorld(1, "MARS")])
    assert shown[0].startswith("W1 (2,3) [MARS] (Gift from [CERES],")


def test_a_long_record_is_broken_as_a_report_breaks_it() -> None:
    gates = ",".join(map(str, range(101, 116)))
    given = galaxy(f"W100 ({gates}) [CERES] (Metal=9,Population=57,Limit=90)")
    given.players[CERES].worlds = {100}
    assert lines(given, []) == [
        "W100 (101,102,103,104,105,106,107,108,109,110,111,112,113,114,",
        "      115) [CERES] (Metal=9,Population=62-63,Limit=90)",
    ]


def test_conversion_is_a_range() -> None:
    given = galaxy(GALAXY, {CERES: Character.APOSTLE})
    given.players[CERES].worlds = {1}
    shown = " ".join(lines(given, []))
    assert "[CERES] C[CERES] (" in shown
    assert "Population=62/5C-63/15C" in shown


def test_a_seat_with_nothing_left_has_an_empty_forecast() -> None:
    given = galaxy("W2 () [MARS] (Population=20)")
    assert forecast(given, CERES, []) == ()
    assert forecast(given, Seat(9), []) == ()


def test_standing_orders_replace_the_default_orders() -> None:
    standing = [o.HoldAmbush()]
    assert defaults(state(), CERES, standing) == (o.HoldAmbush(),)
    assert defaults(state(), CERES, ()) == (o.FireAtFleet(1, o.Trigger.CONDITIONAL, 2),)


def test_default_orders_spare_allies() -> None:
    given = state()
    given.players[CERES].allies = {MARS}
    assert defaults(given, CERES, ()) == ()
