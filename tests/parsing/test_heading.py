"""Headings of letters: what they name, and which lines are not headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.heading import Heading, beside_heading, find_heading, lone_turn, read_heading
from referee.parsing.lines import Line, numbered


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("SW-555 T11 [CERES] Frodo Baggins, #1234, K7QX",
         Heading("SW-555", "CERES", 11, "K7QX", 1234)),
        ("  sw-555 t11 [ceres] frodo baggins, # 1234, k7qx ",
         Heading("SW-555", "CERES", 11, "K7QX", 1234)),
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
        ("SW-555 [CERES] #7 abcd", Heading("SW-555", "CERES", code="ABCD", account=7)),
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
