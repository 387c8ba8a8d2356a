"""Encoded blocks and the targets of links."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.incoming.program_text import find_blocks, without_links
from tests.support.seen import own_text

FIRST = "-----BEGIN PGP MESSAGE-----"
LAST = "-----END PGP MESSAGE-----"


def places(lines: Sequence[str]) -> list[tuple[int, int, bool]]:
    """Return the first and the last line of each block, and whether it is closed."""
    blocks = find_blocks(lines).values()
    return sorted((each.first, each.last, each.closed) for each in blocks)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([FIRST, "A=SAM", LAST, "F3W5"], [(1, 3, True)]),
        ([FIRST, "", "A=SAM", "", "F3W5"], [(1, 3, False)]),
        ([FIRST, "Version: 1", "A=SAM"], [(1, 3, False)]),
        ([FIRST], [(1, 1, False)]),
        ([FIRST, "A=SAM", "", FIRST, "A=SAM", LAST], [(1, 2, False), (4, 6, True)]),
        (["begin 644 a.jpg", "A=SAM", LAST, "end"], [(1, 4, True)]),
        (["begin 6 a.jpg", "begin the attack", LAST, "end"], []),
        (["-----BEGIN MY ORDERS-----", "F3W5", "-----END MY ORDERS-----"], []),
        (["BEGIN", "F3W5", "END"], []),
        (["<~ hello", "<~1234567890 is a smiley", "F3W5", "to my friends:"], []),
        (["F3W5", "<~9jqo^BlbD-BleB1DJ+*+F(f,q", "A=SAM~>", "F4W6"], [(2, 3, True)]),
        (
            ["(This file must be converted with BinHex 4.0)", "", ":$f*TEQKP", "A=SAM", "f$:", ""],
            [(1, 5, True)],
        ),
    ],
)
def test_a_block_ends_with_its_last_line_or_below_its_content(
    lines: list[str], expected: list[tuple[int, int, bool]]
) -> None:
    assert places(lines) == expected


def test_a_block_says_which_lines_it_has() -> None:
    (block,) = own_text(f"F3W5\n{FIRST}\nA=SAM\n{LAST}").encoded
    assert str(block) == "encrypted text (lines 2 to 4)"


@given(st.lists(st.sampled_from(["A=SAM", "FINAL", "> F3W5", ": F3W5", "On Monday:", "-- "])))
def test_nothing_within_a_block_is_the_senders(lines: list[str]) -> None:
    own = own_text("\n".join(["F3W5", FIRST, *lines, LAST, "F4W6"]))
    assert [line.text for line in own.lines] == ["F3W5", "F4W6"]


@pytest.mark.parametrize(
    "line",
    [
        *("ENDING <tel:5038|5038>", "ENDING 5038 <tel:5038>", "ENDING [5038](tel:5038)"),
        *("ENDING 5038 <mailto:5038>", "ENDING 5038 <http://5038>"),
    ],
)
def test_the_words_that_a_link_shows_are_read(line: str) -> None:
    assert without_links(line) == "ENDING 5038"


@given(st.text("<>[]()|!: httpsmailto@a", max_size=60))
def test_a_line_without_links_has_no_other_characters(line: str) -> None:
    bare = iter(line)
    assert all(each in bare for each in without_links(line))
