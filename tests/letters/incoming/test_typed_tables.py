"""Lines that look like quotes: rows of tables, and orders in French quotation marks."""

import pytest

from tests.support.seen import own_text


def own(text: str) -> list[str]:
    """Return the lines of *text* that its sender typed."""
    return [line.text for line in own_text(text).lines]


@pytest.mark.parametrize(
    "text",
    ["| F3 | F3W7 |", "| Fleet | Order |\n|-------|-------|\n| F3 | F3W7 |", "»F3W7«", "»F3W7«."],
)
def test_rows_of_a_table_and_quotation_marks_are_typed(text: str) -> None:
    assert own(text) == text.split("\n")


@pytest.mark.parametrize(
    "quoted",
    ["| Hello\n| | F3 | F3W7 |\n| Bye", "| Hello |\n| F3W7", "»F3W7", "> | F3 | F3W7 |"],
)
def test_a_table_among_quoted_lines_is_quoted(quoted: str) -> None:
    assert own(f"F9W5\n{quoted}") == ["F9W5"]
