"""Our questions, quoted with new line breaks at any width: none of them is a CONFIRM."""

import textwrap

import pytest

from referee.domain.commands import Confirm
from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.command_lines import ParsedCommand
from tests.letters.notices import GOLDEN

QUESTIONS = sorted(
    file.stem
    for file in GOLDEN.glob("*.txt")
    if "the word CONFIRM" in " ".join(file.read_text("utf-8").split())
)


def confirms(lines: list[str]) -> bool:
    """Return whether one of the lines is read as CONFIRM."""
    items = read_body([Line(at, line) for at, line in enumerate(lines, 1)], None).items
    return any(isinstance(each, ParsedCommand) and each.command == Confirm() for each in items)


def test_confirm_is_read_alone() -> None:
    assert confirms(["Hello,", "CONFIRM", "Eve"])


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_with_new_line_breaks_is_no_confirm(name: str) -> None:
    text = (GOLDEN / f"{name}.txt").read_text("utf-8").partition("\n\n")[2]
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n")]
    for width in range(20, 120):
        lines = [line for each in paragraphs for line in textwrap.wrap(each, width)]
        assert not confirms(lines), width
