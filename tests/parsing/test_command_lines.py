"""Headings of letters, and commands with marks or polite words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.commands import (
    Absent,
    Add,
    Check,
    Clear,
    Confirm,
    Final,
    Help,
    Resign,
    SetZone,
    ShowOrders,
    ShowReport,
    Undo,
    Wait,
)
from referee.domain.mail_transfer import Line
from referee.letters.incoming.html_text import text_of_markup
from referee.parsing.body import Body, read_body
from referee.parsing.command_lines import (
    Heading,
    beside_heading,
    find_heading,
    lone_turn,
    read_heading,
)
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import numbered
from referee.parsing.reader import Reader, reader_of
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Phase


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("SW-555 T11 [CERES] Frodo Baggins, #1234, K7QX",
         Heading("SW-555", "CERES", 11, "K7QX")),
        ("  sw-555 t11 [ceres] frodo baggins, # 1234, k7qx ",
         Heading("SW-555", "CERES", 11, "K7QX")),
        ("Game SW-555, Turn 11, [CERES]", Heading("SW-555", "CERES", 11)),
        ("SW\u2011555\u00a0T11 [CERES]", Heading("SW-555", "CERES", 11)),
        ("SW-555", Heading("SW-555")),
        ("SW-555 T12", Heading("SW-555", turn=12)),
        ("SW-555 T0", Heading("SW-555", turn=0)),
        ("SW-555 T-1", Heading("SW-555", turn=-1)),
        ("SW-555 T999999999", Heading("SW-555", turn=999_999_999)),
        ("SW-555 [CERES]", Heading("SW-555", "CERES")),
        ("SW-555, K7QX", Heading("SW-555", code="K7QX")),
        ("SW-555 [CERES] ABCDEFGH", Heading("SW-555", "CERES", code="ABCDEFGH")),
        ("SW-555 [CERES] #7 abcd", Heading("SW-555", "CERES", code="ABCD")),
        ("SW-555 [CERES] Frodo", Heading("SW-555", "CERES")),
        ("SW-555 [CERES] Frodo Baggins, Hobbiton", Heading("SW-555", "CERES")),
        ("GM SW-555", Heading("SW-555", by_gm=True)),
        ("gm: sw-555", Heading("SW-555", by_gm=True)),
    ],
)  # fmt: skip
def test_a_heading_names_game_turn_seat_and_code(text: str, heading: Heading) -> None:
    assert read_heading(Line(1, text)) == heading


@pytest.mark.parametrize(
    "text",
    [
        "",
        "F3W5",
        "JOIN SW-1",
        "SW555 T11",
        "SW-0",
        "SW-555X",
        "I play SW-555",
        "T11 [CERES]",
        "A=B",
    ],
)
def test_other_lines_are_not_headings(text: str) -> None:
    assert read_heading(Line(1, text)) is None


def test_a_heading_can_be_anywhere_above_a_message() -> None:
    lines = numbered("Hello!\n\nSW-1 [CERES]\nF3W5\nSW-2")
    assert find_heading(lines) == Heading("SW-1", "CERES")
    assert find_heading(numbered("PRESS TO MARS\nSW-1 [CERES]\nEND")) is None


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("T2", 2),
        ("\n  turn 12:\nF3W5", 12),
        ("T-1", -1),
        ("T2 F3W5", None),
        ("F3W5\nT2", None),
        ("T2Q", None),
        ("", None),
    ],
)
def test_a_turn_can_stand_alone_in_the_first_line(text: str, turn: int | None) -> None:
    found = lone_turn(numbered(text))
    assert turn == (found.turn if found is not None else None)


@given(st.text())
def test_no_line_raises(text: str) -> None:
    assert isinstance(read_heading(Line(1, text)), Heading | None)


@pytest.mark.parametrize(
    ("typed", "code", "beside"),
    [
        ("SW-1 T1 [FRODO] Frodo Baggins, #1234, K7QX FINAL", "K7QX", "FINAL"),
        ("SW-1 #1234 K7QX2M4A W7B10F6", "K7QX2M4A", "W7B10F6"),
        ("SW-1 #1234 Frodo Baggins, k7qx", "K7QX", "#1234 Frodo Baggins, k7qx"),
    ],
)
def test_a_code_can_have_words_behind_it(typed: str, code: str, beside: str) -> None:
    heading, rest = read_heading(Line(1, typed)), beside_heading(Line(1, typed))
    assert heading is not None
    assert rest is not None
    assert (heading.code, rest.text.strip()) == (code, beside)


RULESET = installed_rulesets()["starweb"]
READER = reader_of(RULESET.grammar(Phase(RULESET.info.phases[0], "", frozenset())))


def read(text: str) -> Body:
    return read_body(numbered(text), READER)


def orders(body: Body) -> list[str]:
    return [item.text for item in body.orders if isinstance(item, Parsed)]


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("CHECK:", Check),
        ("Check please", Check),
        ("just CHECK", Check),
        ("ADD.", Add),
        ("Please add:", Add),
        ("WAIT.", Wait),
        ("Wait!", Wait),
        ("please wait", Wait),
        ("FINAL.", Final),
        ("1. Final!", Final),
        ("Undo.", Undo),
        ("UNDO please", Undo),
        ("Please undo #12, thanks", Undo),
        ("CLEAR;", Clear),
        ("CLEAR please", Clear),
        ("RESIGN please", Resign),
        ("absent to 14 September please", Absent),
        ("- Please set zone UTC, thanks", SetZone),
        ("HELP!", Help),
        ("UNDO, sorry!", Undo),
        ("UNDO #12 :D", Undo),
        ("Sorry, undo #12, thank you", Undo),
        ("WAIT, sorry", Wait),
        ("Final :)", Final),
        ("Final, thanks!", Final),
        ("FINAL \U0001f44d", Final),
        ("orders pls", ShowOrders),
        ("Report 3, please :-)", ShowReport),
        ("Help please", Help),
    ],
)
def test_marks_and_polite_words_do_not_hide_a_command(typed: str, kind: type) -> None:
    body = read(f"{typed}\nW7B5I")
    assert [type(command.command) for command in body.commands] == [kind]
    assert orders(body) == ["W7B5I"]


@pytest.mark.parametrize(
    "typed",
    [
        "Check?",
        "Press on.",
        "Please check this",
        "Please wait, Sam",
        "undo it",
        "~~FINAL~~",
        "# final",
        "FINAL \U0001f914",
        "undo \u274c",
        "Final answer",
        "Resign, sorry",
        "OK, clear, thanks!",
    ],
)
def test_other_words_are_no_command(typed: str) -> None:
    body = read(f"{typed}\nW7B5I")
    assert (list(body.commands), orders(body)) == ([], ["W7B5I"])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("UNDO it", "Write UNDO alone on its line"),
        ("RESIGN now", "RESIGN goes on a line of its own."),
        ("CLEAR it", "Write CLEAR alone on its line"),
        ("FINAL answer", "FINAL goes on a line of its own."),
    ],
)
def test_the_advice_on_a_command_among_words_is_a_line_of_its_own(typed: str, said: str) -> None:
    (item,) = read(typed).mistyped
    assert said in f"{item.reason} {item.advice}"


@pytest.mark.parametrize(
    "typed",
    [
        "CONFIRM please",
        "Confirm 👍",
        "CONFIRM please 🙏",
        "Confirm :-)",
        "Confirm, thanks!",
        "Confirm. Thanks!",
        "Confirm, thank you.",
        "Yes, confirm",
        "yes confirm please",
        "*Please confirm*",
    ],
)
@pytest.mark.parametrize("reader", [READER, None])
def test_confirm_can_be_polite(typed: str, reader: Reader | None) -> None:
    assert read_body(numbered(f"{typed}\n"), reader).has(Confirm)


@pytest.mark.parametrize(
    "typed",
    [
        "Confirm?",
        "Yes, confirm?",
        "Do not confirm",
        "Don't confirm please",
        "No, confirm please",
        "Confirm not",
        "Confirm, no thanks",
        "~~Yes, confirm~~",
        "\u274c confirm please",
        "# yes, confirm",
        "Yes, confirm only the first",
    ],
)
@pytest.mark.parametrize("reader", [READER, None])
def test_what_may_not_be_meant_does_not_confirm(typed: str, reader: Reader | None) -> None:
    assert not read_body(numbered(f"{typed}\n"), reader).has(Confirm)


@pytest.mark.parametrize("typed", ["~~W7B5I~~", "~~F4W7~~ ~~W7B5I~~", "❌ W7B5I", "✗ W7B5I"])
def test_a_line_that_is_struck_out_is_a_remark(typed: str) -> None:
    assert orders(read(f"{typed}\nF3W5")) == ["F3W5"]


@pytest.mark.parametrize(
    "words",
    [
        "<s>W7B5I</s>",
        "<strike>W7B5I</strike>",
        "<del>W7B5I</del>",
        '<span style="text-decoration: line-through">W7B5I</span>',
        "<p hidden>W7B5I</p>",
        '<div style="mso-hide:all">W7B5I</div>',
        '<div style="max-height:0;overflow:hidden;opacity:0">W7B5I</div>',
    ],
)
def test_what_is_struck_out_or_hidden_in_html_is_not_read(words: str) -> None:
    assert orders(read(text_of_markup(f"<p>F3W5</p>{words}"))) == ["F3W5"]


def test_a_quote_of_outlook_in_html_is_a_quote() -> None:
    style = "border:none;border-left:solid blue 1.5pt;padding:0 0 0 4pt"
    quoted = f'<div style="{style}"><p>W7B5I</p></div><p>F3W5</p>'
    assert text_of_markup(quoted).split("\n")[0] == "> W7B5I"


@pytest.mark.parametrize(
    "typed", ["Never do this:", "Mein Plan:", "This is my plan:", "Fleets to the north:"]
)
def test_orders_below_a_line_with_a_colon_are_read(typed: str) -> None:
    body = read(f"{typed}\n- W7B9F4\nF8W2\n\nF3W5")
    assert orders(body) == ["W7B9F4", "F8W2", "F3W5"]
    assert [item.text for item in body.items if isinstance(item, Unparsed)] == [typed]


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        ("Help orders please", "orders"),
        ("HELP PRESS TO, thanks!", "PRESS TO"),
        ("help", ""),
        ("HELP ME PLEASE", ""),
        ("Please help me!", ""),
        ("HELP MERCHANT please", "MERCHANT"),
    ],
)
def test_polite_words_are_no_part_of_a_topic(typed: str, topic: str) -> None:
    assert [item.command for item in read(typed).commands] == [Help(topic)]


def test_an_order_that_looks_like_a_polite_command_stays_an_order() -> None:
    body = read("A=ADD\nA=WAIT")
    assert (orders(body), body.commands) == (["A=ADD", "A=WAIT"], ())
