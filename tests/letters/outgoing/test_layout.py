"""The layout of errors and paragraphs in a letter of 78 columns."""

from hypothesis import given
from hypothesis import strategies as st

from referee.letters.outgoing.layout import answered, fault, fill, instruct
from referee.letters.outgoing.notices import LineError, UnreadPart
from referee.letters.outgoing.pairs import text_of


def test_a_fault_of_no_line_is_a_paragraph_of_its_own() -> None:
    reason = "On this server only certain addresses can create games. Ask the operator."
    assert text_of(fault(LineError(0, "", reason))).splitlines() == [
        "  On this server only certain addresses can create games. Ask the",
        "  operator.",
    ]


@given(st.text(st.sampled_from("a \u200b\u00a0"), max_size=300), st.integers(0, 60))
def test_invisible_characters_break_no_paragraph(text: str, indent: int) -> None:
    lines = text_of(fill(text, indent)).split("\n")
    assert "".join(lines).replace(" ", "") == "a" * text.count("a")
    assert max(map(len, lines)) <= 78


@given(st.text(st.sampled_from("ab "), max_size=300))
def test_a_command_is_not_cut_in_two(words: str) -> None:
    assert "`referee mail release 3041`" in instruct(f"{words} `referee mail release 3041`.", 2)


def test_a_fault_begins_with_a_capital_but_not_with_a_name_of_the_order() -> None:
    order = "MOVE p2 TO (9,9)"
    reasons = ("p2 can move 3 sectors, but the destination is 9 away.", "there is no ship p2.")
    assert [text_of(fault(LineError(1, order, reason))).splitlines() for reason in reasons] == [
        [f"  Line 1: {order}", f"    {reasons[0]}"],
        [f"  Line 1: {order}", "    There is no ship p2."],
    ]


def test_a_subject_names_a_command_by_its_word_and_a_part_of_the_email_by_its_name() -> None:
    wrong = [LineError(1, "Extend 3 days", "Only the GM can."), UnreadPart(0, "an attachment", "")]
    assert answered((), (), wrong) == "not done: EXTEND, an attachment"
    assert answered((), (), [UnreadPart(0, "an attachment", "")] * 2) == "not done: an attachment"
    assert answered((), (), [UnreadPart(0, "", "It is too long.")]) == "not done: your email"
