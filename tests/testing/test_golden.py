"""The contents of golden games: joined and split without a change, and compared by report."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.ruleset import Seat, SignUp, UserError
from referee.testing import golden
from referee.testing.golden import Asked, Beginning, Played, join, split

HEADINGS = st.from_regex(r"[a-zA-Z ]{1,12}", fullmatch=True)
CONTENTS = st.text(alphabet="=[] a\n\r\x85\u2028")
TURN = Played(7, None, {"ALMA": "News\n", "BRUNO": "\n"}, {"ALMA": "W1B2T\nF1W2\n", "BRUNO": "H7"})
LATER = replace(TURN, turn=9)
LAST = Played(10, None, {"ALMA": "You have won.\n", "BRUNO": "Lost.\n"}, {}, standing="1. ALMA\n")
GAME = (TURN, LATER, LAST)
KEPT = golden.contents(GAME, {"ALMA"})
BEGINNING = Beginning([SignUp(Seat(n), name) for n, name in ((1, "ALMA"), (2, "BRUNO"))], {}, b"")


@given(st.dictionaries(HEADINGS, CONTENTS))
def test_parts_are_split_unchanged_or_rejected(parts: dict[str, str]) -> None:
    if any(line.startswith("=== ") for content in parts.values() for line in content.split("\n")):
        with pytest.raises(ValueError, match="begins like a heading"):
            join(parts)
    else:
        assert split(join(parts)) == parts


@pytest.mark.parametrize("content", ["=== orders", "News\n=== report ALMA\n"])
def test_a_line_like_a_heading_is_rejected(content: str) -> None:
    with pytest.raises(ValueError, match="a line of the report BRUNO begins like a heading"):
        join({"report BRUNO": content})


def test_a_sheet_with_a_name_in_brackets_is_rejected() -> None:
    with pytest.raises(ValueError, match="a line of the sheet of ALMA is in brackets"):
        golden.contents([Played(1, None, {}, {"ALMA": "H7\n[BRUNO]\nH8"})], ())


def test_first_and_last_reports_of_followed_seats_are_kept_as_text() -> None:
    assert KEPT == (
        "=== turn 7: report ALMA\nNews\n\n"
        "=== turn 7: digests\n01ba4719c80b6fe9 BRUNO\n\n"
        "=== turn 7: orders\n[ALMA]\nW1B2T\nF1W2\n\n[BRUNO]\nH7\n"
        "=== turn 9: digests\n680a9721bfffa0bb ALMA\n01ba4719c80b6fe9 BRUNO\n\n"
        "=== turn 9: orders\n[ALMA]\nW1B2T\nF1W2\n\n[BRUNO]\nH7\n"
        "=== turn 10: report ALMA\nYou have won.\n\n"
        "=== turn 10: digests\n319ff0d5443668b5 BRUNO\n\n"
        "=== turn 10: standing\n1. ALMA\n\n"
    )


def test_the_sheets_of_a_game_are_those_that_were_sent() -> None:
    write = golden.repeating(KEPT, BEGINNING)
    assert [
        [write(Asked(turn, Seat(1), name, "", None)) for name in ("ALMA", "BRUNO", "CHLOE")]
        for turn in (7, 8)
    ] == [[*TURN.sheets.values(), ""], ["", "", ""]]


def test_a_sheet_of_somebody_who_does_not_play_is_reported() -> None:
    with pytest.raises(UserError, match="turn 7: orders has a sheet of ZOE, who does not play"):
        golden.repeating(KEPT.replace("[ALMA]", "[ZOE]"), BEGINNING)


def test_a_game_does_not_differ_from_itself() -> None:
    assert golden.differences(KEPT, KEPT) == []


@pytest.mark.parametrize("name", ["ALMA", "BRUNO"])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_changed_report_is_named_with_its_turn_and_seat(name: str, at: int) -> None:
    turns = [*GAME]
    turns[at] = replace(turns[at], reports={**turns[at].reports, name: "Another.\n"})
    now = golden.contents(turns, {"ALMA"})
    assert golden.differences(now, KEPT) == [f"turn {turns[at].turn}: report {name}"]


@pytest.mark.parametrize(
    ("now", "differ"),
    [
        ((replace(TURN, sheets={"ALMA": "H7"}), LATER, LAST), ["turn 7: orders"]),
        ((TURN, LATER, replace(LAST, standing="1. BRUNO\n")), ["turn 10: standing"]),
        ((TURN, replace(LAST, turn=9)), ["turn 9: report ALMA", "turn 9: report BRUNO",
          "turn 9: standing", "turn 9: orders", "turn 10: report ALMA", "turn 10: report BRUNO",
          "turn 10: standing"]),
    ],
)  # fmt: skip
def test_other_changes_are_named_with_their_turn(
    now: tuple[Played, ...], differ: list[str]
) -> None:
    assert golden.differences(golden.contents(now, {"ALMA"}), KEPT) == differ
