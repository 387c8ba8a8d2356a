"""Records with free spacing, and the GM's corrections made from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.ruleset import RulingKind, Seat, UserError
from referee.rulesets.starweb.artifacts import ARTIFACTS, artifact_name
from referee.rulesets.starweb.orders import MoveFleet
from referee.rulesets.starweb.report import printout
from referee.rulesets.starweb.rulings import validate
from referee.rulesets.starweb.sightings import show_correction
from referee.rulesets.starweb.state import Character, Player, State
from referee.rulesets.starweb.text import correct
from referee.rulesets.starweb.text.patch import place_everything
from referee.rulesets.starweb.text.printout import DepartureRecord, FleetRecord
from referee.rulesets.starweb.text.records import read_records

A, B = Seat(1), Seat(2)

GALAXY = """
W1 (2, 3) [A] (Industry=6, Metal=4, Mines=2, Population=10) V41
   F1[A]=5 (Cargo=2)
   F2[]=0 V8
W2 () [B] C[B] (Population=25/5C)
   F3[B]=3 (Cargo=6, At-Peace)
W3 [] (Population=9R)
"""


def galaxy(text: str = GALAXY) -> State:
    players = {
        A: Player(A, "A", Character.EMPIRE_BUILDER, 1),
        B: Player(B, "B", Character.MERCHANT, 2),
    }
    state = place_everything(players, read_records(text))
    show_correction(state)
    return state


def test_blanks_and_line_ends_are_free() -> None:
    free = (
        "W1(2,\n3)[ A ]( Metal = 4 ,\n Mines=2 )V8:Treasure\n of Polaris  F1[A]=5(Moved , At-Peace)"
    )
    exact = "W1 (2,3) [A] (Metal=4,Mines=2)  V8:Treasure of Polaris\n   F1[A]=5 (Moved,At-Peace)"
    assert read_records(free).worlds[0].record == read_records(exact).worlds[0].record


def test_a_record_knows_which_fields_it_names() -> None:
    (world,) = read_records("W1 [A] (Metal=0,I-Ships=3(Ambush))\nF5[]\n(F6[A]-->W2)").worlds
    assert world.named == {"owner", "metal", "iships", "iships_did", "departures"}
    assert world.fleets[0].named == {"owner"}
    assert world.record.departures == (DepartureRecord(6, "A", 2),)


def test_names_are_read_in_small_letters_too() -> None:
    assert read_records("W1 [ceres]").worlds[0].record.owner == "CERES"


def test_a_fleet_may_have_done_several_things() -> None:
    (fleet,) = read_records("F5[A]=2 (N,Moved,Lost by [B])").fleets
    assert fleet.record == FleetRecord(5, "A", 2, lost_by="B", did=("N", "Moved"))


@pytest.mark.parametrize("number", ARTIFACTS)
def test_every_artifact_is_known_by_its_name(number: int) -> None:
    (world,) = read_records(f"W1 V{number}:{artifact_name(number)} V{number % 100 + 1}").worlds
    assert world.record.artifacts == (number, number % 100 + 1)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("W", "line 1, column 1: expected a record, such as W3 [A] (Metal=15) or F5[A]=2"),
        ("W0 [A]", "line 1, column 2: expected a number from 1 to 255, but found 0"),
        ("W256 [A]", "line 1, column 2: expected a number from 1 to 255, but found 256"),
        (
            "W99999999999 [A]",
            "line 1, column 2: expected a number from 1 to 255, but found 99999999999",
        ),
        ("W1 (2,2)", "line 1, column 7: W2 is named twice"),
        ("W1 (2", "line 1, column 6: expected a comma or a closing parenthesis"),
        ("W1 [A] (", 'line 1, column 9: unknown field ""'),
        ("W1 [A] (Metal=3", "line 1, column 16: expected a comma"),
        (
            "W1 [A] (Metal=)",
            'line 1, column 9: unknown field "Metal=". Did you mean Metal?',
        ),
        ("W1 [A] (Metal=-1)", 'line 1, column 9: unknown field "Metal=-1"'),
        ("W1 [A] (Metal=3 4)", 'line 1, column 9: unknown field "Metal=3 4"'),
        (
            "W1 [A]\n (Metl=3)",
            'line 2, column 3: unknown field "Metl=3". Did you mean Metal?',
        ),
        ("W1 [A] (Metal=256)", "line 1, column 9: metal can be at most 255, not 256"),
        ("W1 [A] (Mines=32)", "line 1, column 9: mines can be at most 31, not 32"),
        ("W1 [A] (Metal=1,Metal=1)", "line 1, column 17: Metal is named twice"),
        ("W1 [A] (Population=5,Population=5R)", "line 1, column 22: Population is named twice"),
        ("W1 [A] (Population=5/6C)", "line 1, column 1: W1 has more converts than people"),
        ("W1 [A] (Population=5/6)", 'line 1, column 9: unknown field "Population=5/6"'),
        ("W1 [A] (Cargo=2)", 'line 1, column 9: unknown field "Cargo=2"'),
        ("F1[A]=2 (Metal=2)", 'line 1, column 10: unknown field "Metal=2"'),
        ("F1[A]=2 (AX)", 'line 1, column 10: unknown field "AX"'),
        ("F1=2", "line 1, column 3: expected an owner, [CERES] or []"),
        ("F1[A]=256", "line 1, column 10: ships can be at most 255, not 256"),
        ("W1 V0", "line 1, column 4: there is no artifact V0"),
        ("W1 V101", "line 1, column 4: there is no artifact V101"),
        ("W1 V11:Platinum Crowns", "line 1, column 8: expected the name of V11, Platinum"),
        ("W1 V11 V11", "line 1, column 8: V11 is named twice"),
        ("W1 [A] (F2[A]->W3)", "line 1, column 14: expected --> and a world"),
        ("[A]: (Points=3)", "line 1, column 6: expected (Score=481)"),
        ("[A]: (Score=9999999999)", "line 1, column 24: a score cannot be 9999999999"),
    ],
)
def test_a_bad_record_is_named_by_line_and_column(text: str, mistake: str) -> None:
    with pytest.raises(UserError) as raised:
        read_records(text)
    assert str(raised.value)[: len(mistake)] == mistake


@given(st.text(" \n()[],=-/>:WFVC0129ABPopulationMetal", max_size=60))
def test_bad_records_raise_only_user_errors(text: str) -> None:
    try:
        entries = read_records(text)
    except UserError:
        entries = None
    assert entries is None or text.strip(" \n") == "" or entries.worlds + entries.fleets


def test_a_galaxy_of_records_has_what_they_name() -> None:
    state = galaxy()
    one, two, three = (state.worlds[number] for number in (1, 2, 3))
    assert (one.gates, two.gates, three.gates) == ((2, 3), (1,), (1,))
    assert (one.owner, one.limit, one.turns, one.usable) == (A, 10, 1, 4)
    assert (two.owner, two.apostle, two.converts, two.turns) == (B, B, 5, 0)
    assert (three.owner, three.robots, three.population, three.limit) == (None, True, 9, 0)
    assert (state.fleets[3].cargo, state.fleets[3].at_peace, state.fleets[3].world) == (6, True, 2)
    assert (one.artifacts, state.fleets[2].artifacts) == ([41], [8])


def test_a_world_that_is_only_a_connection_is_there_and_empty() -> None:
    state = galaxy("W1 (7)")
    assert (state.worlds[7].gates, state.worlds[7].population) == ((1,), 0)


def test_a_correction_changes_only_what_it_names() -> None:
    before = galaxy()
    after, effect = correct(before, "W1 (Metal=6)")
    expected = galaxy()
    expected.worlds[1].metal, expected.worlds[1].usable = 6, 6
    assert after == expected
    assert effect == "W1: usable 6 (before: 4)\nW1: metal 6 (before: 4)"
    assert before == galaxy()


def test_usable_industry_follows_the_corrected_world() -> None:
    free, _ = correct(galaxy(), "W1 (Metal=6)")
    free.fleets[3].at_peace = False
    hindered, _ = correct(free, "W1 (I-Ships=1) F3[B]=9")
    named, _ = correct(hindered, "W1 (Industry=6/1)")
    assert [state.worlds[1].usable for state in (free, hindered, named)] == [6, 4, 1]


def test_a_fleet_without_a_world_stays_and_under_a_world_it_is_moved() -> None:
    stays, first = correct(galaxy(), "F1[A]=7")
    moves, second = correct(galaxy(), "W2 F1[A]")
    assert (stays.fleets[1].world, stays.fleets[1].ships) == (1, 7)
    assert (moves.fleets[1].world, moves.fleets[1].ships, moves.fleets[1].cargo) == (2, 5, 2)
    assert (first, second) == ("F1: ships 7 (before: 5)", "F1: at W2 (before: at W1)")


def test_connections_stay_two_way() -> None:
    state, effect = correct(galaxy(), "W1 (3)")
    assert [state.worlds[number].gates for number in (1, 2, 3)] == [(3,), (), (1,)]
    assert effect == "W1: gates 3 (before: 2 3)\nW2: gates none (before: 1)"


def test_an_artifact_goes_where_it_is_named() -> None:
    state, effect = correct(galaxy(), "W2 V8")
    assert (state.fleets[2].artifacts, state.worlds[2].artifacts) == ([], [8])
    assert effect == "W2: artifacts 8 (before: none)\nF2: artifacts none (before: 8)"


def test_a_score_is_set() -> None:
    state, effect = correct(galaxy(), "[B]: (Score=-40)")
    assert state.players[B].score == -40
    assert effect == "[B]: score -40 (before: 0)"


def test_a_moved_fleet_is_in_the_report_of_its_owner_and_obeys_orders() -> None:
    state, _ = correct(galaxy(), "W2 F1[A]")
    shown = {world.number: world for world in printout(state, A, "").worlds}
    assert [*shown] == [1, 2]
    assert [fleet.number for fleet in shown[2].fleets] == [1, 3]
    (ruling,) = validate(state, A, [MoveFleet(1, (1,))])
    assert ruling.kind is RulingKind.ACCEPTED


def test_players_whom_a_correction_brings_together_have_met() -> None:
    before = galaxy()
    before.players[B].sign = ("Welcome.",)
    state, _ = correct(before, "W2 F1[A]")
    seen, host = printout(state, A, ""), printout(state, B, "")
    assert [other.name for other in seen.acquaintances] == ["B"]
    assert seen.seen == ("B",)
    assert [sign.name for sign in seen.signs] == ["B"]
    assert [other.name for other in host.acquaintances] == ["A"]


def test_industry_can_build_again_when_a_correction_moves_the_enemy_away() -> None:
    near, _ = correct(galaxy(), "W1 (Metal=6) F2[B]=9")
    far, _ = correct(near, "W2 F2[B]")
    assert (near.worlds[1].usable, far.worlds[1].usable) == (2, 6)


def test_a_correction_without_changes_says_so() -> None:
    assert correct(galaxy(), "W1 [A]")[1] == "Nothing changes: the game has these values already."


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "line 1, column 1: expected a record, such as W3 (Metal=15) or F5[A]=2"),
        ("W9 (Metal=1)", "line 1, column 1: there is no world W9"),
        ("W1 (9)", "line 1, column 1: there is no world W9"),
        ("W1 (1)", "line 1, column 1: W1 cannot be next to itself"),
        ("F9[A]=1", "line 1, column 1: there is no fleet F9"),
        ("W1 [A]\n W2 [MARS]", "line 2, column 2: there is no player MARS in this game"),
        ("[MARS]: (Score=1)", "line 1, column 1: there is no player MARS in this game"),
        ("W1 V99", "line 1, column 1: there is no artifact V99 in this game"),
        ("W1 [A] W1 [B]", "W1 is named twice"),
        ("W1 F1[A]=2 W2 F1[A]=2", "F1 is named twice"),
        ("W1 V8 W2 V8", "V8 is named twice"),
        ("F1[A]=2 (Cargo=3)", "line 1, column 1: F1 can carry at most 2 metal"),
        ("F3[A]=3", "line 1, column 1: F3 can carry at most 3 metal"),
        ("W1 (Industry=3/4)", "line 1, column 1: W1 can use at most 3 industry"),
        ("W1 (Population=5C)", "line 1, column 1: W1 has converts, so it needs C[NAME]"),
        ("W1 (F1[A]-->W2)", "line 1, column 1: departures cannot be set"),
    ],
)
def test_an_impossible_correction_is_rejected(text: str, mistake: str) -> None:
    with pytest.raises(UserError) as raised:
        correct(galaxy(), text)
    assert str(raised.value)[: len(mistake)] == mistake
