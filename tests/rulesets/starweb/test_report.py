"""Reports: the printout of a seat, without anything that it cannot know."""

from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.reader import Reader
from referee.rules.ruleset import Seat
from referee.rules.views import Table, Verbatim
from referee.rulesets.starweb.language import GRAMMAR
from referee.rulesets.starweb.report import plain, printout, template, view
from referee.rulesets.starweb.state import Character, Departure, Echo, Player, State, World
from referee.rulesets.starweb.text import render_printout
from referee.rulesets.starweb.text.patch import place_everything
from referee.rulesets.starweb.text.printout import Acquaintance, Holdings, OrderEcho, Relation, Sign
from referee.rulesets.starweb.text.records import read_records
from tests.rulesets.starweb.text.notation import parse_printout

CERES, MARS, TEJAT = Seat(1), Seat(2), Seat(3)

GALAXY = """
W1 (2,3) [CERES] (Industry=30,Metal=30,Mines=2,Population=50,Limit=100,I-Ships=1,P-Ships=1)
   F3[CERES]=12 (Cargo=4) V41
   F9[MARS]=5 (Cargo=2,At-Peace)
   F2[]=0
W2 (3) [MARS] (Mines=3,Population=20)
   F8[CERES]=2
W3 () [CERES] C[TEJAT] (Population=25/5C) V70
W4 (3) [CERES] (Population=8R)
W5 (4) [TEJAT] (Population=30)
"""


def galaxy() -> State:
    players = {
        CERES: Player(CERES, "CERES", Character.BERSERKER, 1, score=481, worlds={3, 1}),
        MARS: Player(MARS, "MARS", Character.MERCHANT, 2, score=-3, worlds={1, 2}),
        TEJAT: Player(TEJAT, "TEJAT", Character.APOSTLE, 5, score=20),
    }
    state = place_everything(players, read_records(GALAXY))
    state.game, state.turn = "SW-555", 11
    state.departures = [
        Departure(1, 68, MARS, 2),
        Departure(1, 9, MARS, 3),
        Departure(1, 68, MARS, 3),
    ]
    return state


def text(state: State, seat: Seat) -> str:
    (block,) = view(state, seat, "Friday 19 September")
    assert isinstance(block, Verbatim)
    return block.text


def test_a_report_is_exact_to_the_character() -> None:
    state = galaxy()
    player = state.players[CERES]
    player.met, player.allies, player.seen = [MARS, TEJAT], {MARS}, (TEJAT, MARS)
    player.echo = (Echo("F3W2"), Echo("F8W9", "W9 is not adjacent to W2"))
    assert text(state, CERES) == (
        "Game SW-555, Turn 11, [CERES]\n"
        "\n"
        "[CERES]: Berserker\n"
        "   (Score=481,Worlds=3,Keys=2,Ships=16,Industry=30,Mines=2,People=75,Robots=8,\n"
        "   Artifacts=2,Ally=[MARS],Met=[TEJAT])\n"
        "\n"
        "   ------------\n"
        "\n"
        "W1 (2,3) [CERES] (Industry=30,Metal=30,Mines=2,Population=50,Limit=100,\n"
        "      Turns=1,I-Ships=1,P-Ships=1)\n"
        "   F3[CERES]=12 (Cargo=4)  V41:Platinum Shekel\n"
        "   F9[MARS]=5 (At-Peace)\n"
        "   F2[]=0\n"
        "   (F9[MARS]-->W3 F68[MARS]-->W2 F68[MARS]-->W3)\n"
        "\n"
        "W3 (1,2,4) [CERES] C[TEJAT] (Population=25/5C,Limit=25)  V70:Plastic Moonstone\n"
        "\n"
        "Players you can see this turn:  [TEJAT]  [MARS]\n"
        "\n"
        "Their scores (not necessarily in order):  -3  20\n"
        "\n"
        "Orders=2 <errors and comments in angle-brackets>:\n"
        "====================\n"
        "F3W2 F8W9 <W9 is not adjacent to W2>\n"
        "====================\n"
        "Due Friday 19 September\n"
    )


def test_a_report_reads_back() -> None:
    state = galaxy()
    for seat in state.players:
        assert render_printout(parse_printout(text(state, seat))) == text(state, seat)


def test_only_its_owner_sees_the_cargo_of_a_fleet() -> None:
    fleets = {fleet.number: fleet.cargo for fleet in printout(galaxy(), MARS, "").worlds[0].fleets}
    assert fleets == {2: 0, 3: 0, 9: 2}


def test_events_that_a_seat_does_not_see_do_not_change_its_report() -> None:
    state, other = galaxy(), galaxy()
    other.worlds[5].metal = 77
    other.fleets[9].cargo = 1
    other.players[TEJAT].score = 99
    other.players[MARS].allies = {CERES}
    assert text(other, CERES) == text(state, CERES)


def test_an_apostles_converts_count_everywhere() -> None:
    assert printout(galaxy(), TEJAT, "").holdings == Holdings(
        score=20, worlds=1, people=30, converts=5
    )


def test_relations_show_allies_and_loaders() -> None:
    state = galaxy()
    player = state.players[CERES]
    player.met, player.allies, player.loaders = [TEJAT, MARS], {TEJAT}, {TEJAT, MARS}
    assert printout(state, CERES, "").acquaintances == (
        Acquaintance(Relation.ALLY_LOADER, "TEJAT"),
        Acquaintance(Relation.LOADER, "MARS"),
    )


def test_signs_are_shown_in_plain_characters() -> None:
    state = galaxy()
    state.players[MARS].sign = ("Über alles: Ω ", "")
    state.players[CERES].signs = (MARS,)
    assert printout(state, CERES, "").signs == (Sign("MARS", ("Uber alles: ?", "")),)


def test_turn_one_has_no_echo_and_the_end_has_no_due_line() -> None:
    state = galaxy()
    state.turn = 1
    assert (printout(state, CERES, "").echo, printout(state, CERES, "").due) == (None, "")


def test_an_inactive_player_sees_an_empty_echo() -> None:
    assert printout(galaxy(), CERES, "").echo == OrderEcho(0, ())


@given(st.lists(st.builds(Echo, st.text(max_size=120), st.text(max_size=120)), max_size=5))
def test_whatever_the_echo_holds_the_report_reads_back(echo: list[Echo]) -> None:
    state = galaxy()
    state.players[CERES].echo = tuple(echo)
    assert render_printout(parse_printout(text(state, CERES))) == text(state, CERES)
    assert max(map(len, text(state, CERES).split("\n"))) <= 78


@given(st.lists(st.text(max_size=78), min_size=1, max_size=2))
def test_a_report_with_any_sign_can_be_read_back(lines: list[str]) -> None:
    state = galaxy()
    state.players[MARS].sign = tuple(lines)
    state.players[CERES].signs = (MARS,)
    assert render_printout(parse_printout(text(state, CERES))) == text(state, CERES)


def test_an_observer_sees_no_names_with_scores_before_the_end() -> None:
    assert view(galaxy(), None, "") == (
        Table(("Score",), (("481",), ("20",), ("-3",)), title="Turn 11, 3 players"),
    )


def test_an_observer_sees_the_final_standing() -> None:
    state = galaxy()
    state.finished = True
    assert view(state, None, "") == (
        Table(
            ("Player", "Score"),
            (("CERES", "481"), ("TEJAT", "20"), ("MARS", "-3")),
            title="The game ended after turn 10",
        ),
    )


def test_a_template_is_all_comments() -> None:
    state = galaxy()
    state.turn = 1
    assert template(state, CERES) == [
        "# To use an order, complete it and delete the # in front of it.",
        "# W1B30I       # 30 industry can build",
        "# F3W          # 12 ships at W1; gates: W2 W3",
        "# F8W          # 2 ships at W2; gates: W1 W3",
        "# ENDING 8000  # your vote for the score that ends the game",
    ]


def test_a_template_sent_back_unedited_orders_nothing() -> None:
    assert Reader(GRAMMAR).read("\n".join(template(galaxy(), CERES))) == ()


def test_a_suggestion_without_its_first_mark_is_an_order() -> None:
    suggestion = template(galaxy(), CERES)[1].removeprefix("# ")
    assert [item.text for item in Reader(GRAMMAR).read(suggestion)] == ["W1B30I"]


def test_plain_text_keeps_what_has_a_plain_form() -> None:
    assert plain("Zoë – ﬁn\n") == "Zoe ? fin?"


def test_only_the_world_of_a_player_shows_its_turns() -> None:
    given = galaxy()
    given.worlds[1].owner = None
    assert "Turns=" not in text(given, CERES)


def test_a_bombed_world_shows_that_nobody_is_left() -> None:
    given = galaxy()
    given.worlds[4] = World(4, (3,), busted=True, deaths=8)
    given.players[CERES].worlds = {4}
    assert "W4 (3) [] (BUSTED,Population=0,Deaths=8)\n" in text(given, CERES)
