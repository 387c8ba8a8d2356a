"""Edits of quoted order sheets: changed ones are found, and unchanged ones are ignored."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.mail_transfer import Line
from referee.letters.incoming.sheet_edits import (
    LAST_LINE,
    EditState,
    resealed,
    without_sheet,
)
from tests.support.seen import edited

SEAL = "kmtwqzrb"
HEAD = f"YOUR ORDERS FOR TURN 3: fill in here, or write above ({SEAL})"
END = f"{LAST_LINE} ({SEAL})"
UNSEALED = "YOUR ORDERS FOR TURN 3: fill them in here, or type above"
BARE = "Complete an order and take the # before it away, or write your own."
OURS = f"""\
This is your report.

{HEAD}
  # Complete an order and take the # before it away, or write your own.
  # F9W          # 3 ships at W7; gates: W9 W21
  # W7B30I       # 30 industry can build
  {END}

Fair dice.
"""


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


@pytest.mark.parametrize("mark", ["", "> ", "| ", "  > "])
def test_a_changed_sheet_is_found_whatever_marks_the_quote(mark: str) -> None:
    reply = "Hello.\n" + quoted(OURS.replace("# F9W  ", "F9W21  ").replace("# W7", "  W7"), mark)
    found = edited(reply, OURS, SEAL)
    assert found is not None
    assert (found.editing, found.turn, found.filed) == (EditState.CHANGED, 3, False)
    assert (found.first, found.last) == (4, 7)
    assert [(line.number, line.text.strip()) for line in found.lines[1:]] == [
        (6, "F9W21          # 3 ships at W7; gates: W9 W21"),
        (7, "W7B30I       # 30 industry can build"),
    ]


@given(
    width=st.integers(30, 90),
    mark=st.sampled_from(["", "> ", "> > ", "AB> "]),
    bare=st.booleans(),
)
def test_an_untouched_sheet_is_never_read(width: int, mark: str, *, bare: bool) -> None:
    wrapped = []
    for line in OURS.splitlines():
        first, *rest = textwrap.wrap(line, width, drop_whitespace=True) or [""]
        # Some programs leave the line that they break off without a quote mark.
        wrapped += [mark + first, *(("" if bare else mark) + part for part in rest)]
    found = edited("\n".join(wrapped), OURS, SEAL)
    assert found is None or (found.editing is EditState.BROKEN and found.lines == ())


def test_the_end_of_a_wrapped_comment_is_not_a_line() -> None:
    sheet = f"{HEAD}\n# Complete an order and take the # before\nit away, or write your own.\n"
    reply = f"{sheet}F9W21  # 3 ships at W7; gates: W9\nW21\n{END}"
    found = edited(quoted(reply), OURS, SEAL)
    assert found is not None
    assert found.lines[-1] == Line(4, "F9W21  # 3 ships at W7; gates: W9")


@pytest.mark.parametrize(
    "sheet",
    [
        f"{HEAD}\n# F9W\nF9W21",
        f"{HEAD}\n# F9W\n> F9W21\n{END}",
        f"{HEAD}\n{BARE}\nF9W21\n{END}",
    ],
)
def test_a_sheet_with_unclear_changes_is_broken(sheet: str) -> None:
    found = edited(quoted(sheet), OURS, SEAL)
    assert found is not None
    assert found.editing is EditState.BROKEN
    assert "F9W21" in [line.text for line in found.lines]


def test_a_sheet_on_a_page_of_an_answer_has_no_seal_and_is_not_read() -> None:
    ours = f"{UNSEALED}\n  # F9W\n  {LAST_LINE}"
    found = edited(quoted(ours.replace("# F9W", "F9W21")), ours, SEAL)
    assert found is not None
    assert found.editing is EditState.BROKEN


def test_a_sheet_with_another_seal_or_none_is_not_ours() -> None:
    for head in (UNSEALED, HEAD.replace(SEAL, "bbbbbbbb"), HEAD.removesuffix(f" ({SEAL})")):
        for end in (LAST_LINE, END):
            assert edited(f"> {head}\n> F9W21\n> {end}", OURS, SEAL) is None


def test_its_head_can_be_broken_before_the_seal() -> None:
    sheet = f"> {HEAD.removesuffix(f' ({SEAL})')}\n> ({SEAL})\n>   F9W21\n> {END}\n"
    found = edited(sheet, OURS, SEAL)
    assert found is not None
    assert (found.editing, found.lines) == (EditState.CHANGED, (Line(3, "F9W21"),))
    assert (found.first, found.last) == (1, 3)


def test_a_letter_that_repeats_a_sheet_has_its_own_seal() -> None:
    again = resealed(OURS, "bbbbbbbb")
    assert again == OURS.replace(SEAL, "bbbbbbbb")
    assert resealed(": " + HEAD, "bbbbbbbb") == ": " + HEAD


def test_a_letter_without_its_sheet_keeps_all_else() -> None:
    sheet = f"{HEAD}\n  # {BARE}\n  {END}"
    assert without_sheet(f"Above.\n\n{sheet}\n\nBelow.") == "Above.\n\nBelow."
    assert without_sheet(f": {HEAD}\nBelow.") == f": {HEAD}\nBelow."


def test_a_letter_without_a_sheet_has_none_changed() -> None:
    assert edited(quoted(OURS), "Hello.", SEAL) is None
    assert edited("F9W21", OURS, SEAL) is None


@given(st.text(), st.text())
def test_no_text_raises(reply: str, ours: str) -> None:
    edited(f"{reply}\n{HEAD}\n{reply}", f"{HEAD}\n{ours}\n{END}", SEAL)
    edited(reply, ours, SEAL)
