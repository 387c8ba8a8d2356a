"""StarWeb keeps the contract of a ruleset; rulesets that break it get a message."""

import re
import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.grammar_text import grammar_text
from referee.parsing.shapes import Shapes
from referee.plugins.info import offer_faults
from referee.rules.extras import Extras, Robot, Scores
from referee.rules.ruleset import (
    Guide,
    Option,
    Outcome,
    Resolution,
    Ruling,
    RulingKind,
    Seat,
    Suggestion,
)
from referee.rules.views import (
    Chart,
    Grid,
    Link,
    Node,
    Panel,
    Range,
    Spot,
    Table,
    Verbatim,
)
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.language import GRAMMAR
from referee.rulesets.starweb.state import Character, State
from referee.testing.contract import ContractBroken, Position, check, unshown
from tests.rulesets.starweb.galaxies import CERES, MARS, galaxy
from tests.rulesets.starweb.played import SEATS, game
from tests.rulesets.starweb.sheets import ORDERS
from tests.support.examples import examples

TURNS = range(0, 16, 3)


@pytest.mark.sampled
@pytest.mark.parametrize("turn", TURNS)
def test_starweb_keeps_the_contract_in_the_turns_of_a_game(turn: int) -> None:
    played = game()[turn]
    check(RULESET, [Position(played.state, played.sheets)])


def test_the_game_has_players_of_all_characters() -> None:
    characters = [player.character for player in game()[0].state.players.values()]
    assert sorted(each.value for each in characters) == sorted(each.value for each in Character)


@examples(15)
@given(st.sampled_from(TURNS), st.sampled_from(SEATS), st.lists(ORDERS, max_size=8))
def test_starweb_keeps_the_contract_whatever_a_seat_orders(
    turn: int, seat: Seat, orders: list[o.Order]
) -> None:
    check(RULESET, [Position(game()[turn].state, {seat: tuple(orders)})])


GALAXY = """
W1 (2) [CERES] (Industry=3,Metal=3,Population=9)
   F1[CERES]=4
W2 (1) [MARS] (Population=9)
"""
SHEETS = {CERES: (o.MoveFleet(1, (2,)), o.HoldAmbush())}


def broken(**functions: Any) -> list[str]:
    """Return the messages for StarWeb with some functions replaced by bad ones."""
    names = [name for name in dir(RULESET) if not name.startswith("_")]
    rules: Any = SimpleNamespace(**{name: getattr(RULESET, name) for name in names} | functions)
    with pytest.raises(ContractBroken) as caught:
        check(rules, [Position(galaxy(GALAXY), SHEETS)])
    return str(caught.value).split("\n")


def test_a_changed_state_is_reported() -> None:
    def view(state: State, seat: Seat | None, deadline: str) -> Any:
        state.players[CERES].score += 1
        return ()

    said = "view changed the state that it was given; it must return a new one"
    assert said in broken(view=view)


def test_an_order_that_reads_back_as_another_is_reported() -> None:
    assert broken(render=lambda order: "F1W2")[0] == (
        "HoldAmbush(world=None) is written 'F1W2', "
        "which is read as (MoveFleet(fleet=1, route=(2,)),)"
    )


def test_an_order_that_begins_like_a_command_is_reported() -> None:
    messages = broken(render=lambda order: "HELP ME")
    assert messages[0] == (
        "MoveFleet(fleet=1, route=(2,)) is written 'HELP ME', "
        "which starts with a command to the referee"
    )


def test_rulings_must_be_as_many_as_the_orders_and_have_their_reasons() -> None:
    one = Ruling(RulingKind.REJECTED)
    few = broken(validate=lambda *_: [one])
    assert few == ["validate of the ruleset starweb returns 1 rulings for 2 orders"]
    mute = broken(validate=lambda _state, _seat, orders: [one for _ in orders])
    assert mute[0] == "'F1W2' is rejected because of ''"


def test_outcomes_must_be_those_of_the_orders_and_have_their_reasons() -> None:
    def resolve(state: State, *_: Any) -> Any:
        rows = ((o.HoldAmbush(), Outcome(done=False)),)
        return Resolution(state, {CERES: rows, MARS: (), Seat(3): ()}, ())

    assert broken(resolve=resolve) == [
        "the outcomes of seat 1 are not one for each of its orders",
        "'Z' failed without a reason",
    ]


def test_reasons_end_with_a_full_stop() -> None:
    early = Ruling(RulingKind.WARNED, "Too early")
    assert broken(validate=lambda _state, _seat, orders: [early for _ in orders])[0] == (
        "'F1W2' has the reason 'Too early': end it with a full stop"
    )


def with_robot(robot: Robot) -> Extras:
    return replace(RULESET.extras, robot=robot)


def test_a_robot_that_gives_other_orders_or_raises_is_reported() -> None:
    given = iter(range(1, 99))
    fickle = with_robot(lambda *_: [o.HoldAmbush(next(given))])
    assert broken(extras=fickle)[0] == "robot for seat 1 changes"
    lame = with_robot(lambda *_: [1 / 0])
    (fault,) = broken(extras=lame)
    assert fault.startswith("robot of the ruleset starweb raised ZeroDivisionError: ")


def test_a_robot_that_changes_the_state_is_reported() -> None:
    def robot(state: State, *_: Any) -> list[o.Order]:
        state.players[CERES].score += 1
        return []

    said = "robot changed the state that it was given; it must return a new one"
    assert said in broken(extras=with_robot(robot))


def test_a_robot_that_writes_what_cannot_be_read_is_reported() -> None:
    voting = with_robot(lambda *_: [o.VoteEnding(8000)])
    message, *_ = broken(extras=voting, render=_garbled)
    assert message.startswith("VoteEnding(score=8000) is written 'ENDLESS', which cannot be read")


def _garbled(order: o.Order) -> str:
    return "ENDLESS" if isinstance(order, o.VoteEnding) else RULESET.render(order)


def test_an_order_language_without_a_help_page_is_reported() -> None:
    bare = replace(GRAMMAR, source=re.sub("^//.*", "", grammar_text(GRAMMAR.source), flags=re.M))
    said = (
        "HELP ORDERS would be empty: the grammar has no comments; write one above each order, "
        "such as // what the order does"
    )
    assert broken(grammar=lambda _phase: bare) == [said]


CASES = """
ruleset = "starweb"

[[case]]
name = "metal is loaded onto a fleet, but not onto one of another player"
players = { A = "pirate", B = "pirate" }
given = '''
W1 [A] (Metal=5,Population=9)
   F1[A]=2
   F2[B]=2
'''
orders.A = "F1L2 F2L"
"""


def test_forms_of_order_that_no_case_carries_out_are_found(tmp_path: Path) -> None:
    (tmp_path / "cargo.toml").write_text(CASES)
    forms = unshown(RULESET, tmp_path)
    assert "load: FLEET L NUMBER" not in forms
    assert {"load: FLEET L", "unload: FLEET U", "fire_at_world: FLEET A H", "SIGN"} <= {*forms}
    assert len([form for form in forms if "HELP" not in form]) == len(Shapes(GRAMMAR).all()) - 1


def test_examples_of_help_that_no_case_carries_out_are_found(tmp_path: Path) -> None:
    file = tmp_path / "cargo.toml"
    file.write_text(CASES)
    assert {"HELP: F3L5", "HELP: F3U", "HELP: ENDING 8000"} <= {*unshown(RULESET, tmp_path)}
    # An order that is only typed is not carried out.
    file.write_text(CASES.replace("F1", "F3").replace("F3L2 F2L", "F3L5 F3U"))
    forms = unshown(RULESET, tmp_path)
    assert ("HELP: F3L5" in forms, "HELP: F3U" in forms) == (False, True)


def test_missing_parts_of_a_ruleset_are_reported() -> None:
    assert broken(unused=None, verdict=None) == ["it lacks unused, verdict"]
    assert broken(info=None) == ["its info is not a RulesetInfo"]
    missing = Extras(rulebook="nowhere:a.md")
    assert broken(extras=missing) == ["its rulebook 'nowhere:a.md' is not in a package"]


@pytest.mark.parametrize(
    ("book", "messages"),
    [
        ("Go.", ["the rulebook has no chapter; one begins with a line like ## 1. Start: how"]),
        ("## 1. Ko\n\nNot now.", ["the beginning of the rulebook is empty"]),
        ("# Go\n\n## 1. Start\n\nBlack begins.\n\n## 2. Start\n",
         ["two chapters have the word START", "the chapter START is empty"]),
    ],
)  # fmt: skip
def test_a_rulebook_that_cannot_be_mailed_is_reported(
    book: str, messages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "bookish"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rulebook.md").write_text(book)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bookish", raising=False)
    extras = Extras(rulebook="bookish:rulebook.md")
    assert broken(extras=extras, guide=lambda *_: Guide()) == messages


def test_results_that_change_between_calls_are_reported() -> None:
    answers = iter(range(100))
    assert broken(unused=lambda *_: (f"line {next(answers)}",))[0] == "unused for seat 1 changes"


def test_text_that_does_not_fit_into_an_email_is_reported() -> None:
    wide = (Verbatim("x" * 79), Table(("One", "Two"), (("1",),)))
    chart = Chart((Node("W1", ()), Node("W1", ())), (Link("W1", "W2"),))
    messages = broken(view=lambda *_: wide, chart=lambda *_: chart, explain=lambda *_: "two\nlines")
    assert messages[:5] == [
        "the view of seat 1 has a line of 79 columns",
        "the view of seat 1 has a row that does not fit under its headings",
        "the chart of seat 1 has a place twice",
        "the chart of seat 1 has a link to a place that is not on it",
        "a line of explain for seat 1 is not one line: 'two\\nlines'",
    ]


def test_a_map_that_cannot_be_drawn_is_reported() -> None:
    hexes = Grid.POINTY_HEXES
    here, beside, nowhere = Spot("A", 0.0, 0.0), Spot("A", 0.3, 0.0), Spot("A", inf, 0.0)
    panels = (Panel("A", ""),)
    faults = {
        "a spot, but no grid": Chart((Node("W1", (), spot=here),), ()),
        "a place without a spot": Chart((Node("W1", ()),), (), grid=hexes, panels=panels),
        "a spot in a panel that it does not have": Chart(
            (Node("W1", (), spot=here),), (), grid=hexes
        ),
        "a spot that is nowhere": Chart(
            (Node("W1", (), spot=nowhere),), (), grid=hexes, panels=panels
        ),
        "a place that is not in the middle of a hex": Chart(
            (Node("W1", (), spot=beside),), (), grid=hexes, panels=panels
        ),
        "a range around a place that is not on it": Chart((), (), ranges=(Range("", 1, ("W1",)),)),
    }
    for fault, chart in faults.items():
        said = broken(chart=lambda *_, chart=chart: chart)
        assert {line.partition(" has ")[2] for line in said} == {fault}


def test_what_cannot_be_shown_after_the_end_is_reported() -> None:
    chart = Chart((Node("W1", ()), Node("W1", ())), (), owners=("ALMA",))
    scores = Scores("points", lambda _: {Seat(1): True})
    assert broken(extras=Extras(truth=lambda _: chart, scores=scores))[-4:] == [
        "the true map has a place twice",
        "the true map has owners, but it is of nobody",
        "the scores lack seat 2",
        "the scores are not all of type int",
    ]


def test_a_guide_that_cannot_be_mailed_is_reported() -> None:
    orders = (Suggestion((), "Why."), Suggestion((o.MoveFleet(1, ()),), "One line.\nAnother."))
    unread = (
        "MoveFleet(fleet=1, route=()) is written 'F1', which cannot be read: line 1, column 3: F1: "
        "Expected an action after the fleet. F3W5 moves it to W5."
    )
    assert broken(guide=lambda *_: Guide("You see.", orders, ("START", "KO")))[:4] == [
        "the guide for seat 1 names the chapter KO, which is none",
        "a reason in the guide for seat 1 is not one line: 'One line.\\nAnother.'",
        "a suggestion in the guide for seat 1 has no orders",
        unread,
    ]


def test_a_seat_that_has_met_itself_is_reported() -> None:
    assert (
        broken(contacts=lambda state, seat: frozenset({seat}))[0]
        == "seat 1 is among its own contacts"
    )


def test_standing_orders_must_be_given() -> None:
    messages = broken(defaults=lambda *_: ())
    assert messages == ["defaults changes the standing orders of seat 1"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"key": "Star Web"}, ("its key 'Star Web' must be at most 30 small letters, digits and "
         "underscores, and begin with a letter")),
        ({"prefix": "sw"}, "its prefix 'sw' must be 1 to 5 capital letters, A to Z"),
        ({"fewest_seats": 20}, ("fewest_seats=20 and most_seats=15 must be from 1 to 100, the "
         "fewest not above the most")),
        ({"options": (Option("x", int, 9, "How many.", 1, 5),)}, "x=9 is not from 1 to 5"),
        ({"options": (Option("x", int, "9", "How many."),)}, "x='9' is no int"),
        ({"options": (Option("x", str, "c", "Which.", choices=("a", "b")),)},
         "x='c' is not one of its choices"),
        ({"options": (Option("x", bool, default=True, sentence="whether"),)},
         "x: 'whether' is not one sentence"),
        ({"options": (Option("x", bool, default=True, sentence="So."),) * 2},
         "two options are called 'x'"),
        ({"most_seats": 100}, ("there must be at least as many stock names as seats: 100 names in "
         "names.stock, for players who choose none")),
    ],
)  # fmt: skip
def test_invalid_options_are_reported(wrong: dict[str, Any], message: str) -> None:
    assert list(offer_faults(replace(RULESET.info, **wrong))) == [message]


def test_a_stock_name_must_be_allowed() -> None:
    names = replace(RULESET.info.names, stock=(*RULESET.info.names.stock, "R2D2"))
    assert list(offer_faults(replace(RULESET.info, names=names))) == [
        "the stock name 'R2D2' is not allowed for players"
    ]


def test_every_player_orders_something_in_every_turn() -> None:
    silent = [(turn.state.turn, seat) for turn in game() for seat in SEATS if not turn.sheets[seat]]
    assert silent == []
