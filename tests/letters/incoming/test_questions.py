"""Questions about an email: no words that they repeat change what is read from a reply."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.incoming.press_marks import shows_press
from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Confirmation, LineError
from tests.letters.incoming.test_press_marks import EVIL, PROGRAMS, Program
from tests.support.examples import examples
from tests.support.seen import own_text

ASKED = Confirmation("SW-7", "orders", Moment(datetime(2026, 9, 7, tzinfo=UTC), "UTC"), (), "Why.")
LINES = st.lists(st.sampled_from(EVIL) | st.text(max_size=90), min_size=1, max_size=6)


def sent(says: list[str]) -> str:
    """Return the text of a question that repeats these lines wherever it can."""
    asked = replace(
        ASKED,
        preview=(says[0], "Sent:\n" + "\n".join(says)),
        typed=tuple(" ".join(line.split()) for line in says),
        undone=(
            *(LineError(n, line, "Not a word.", line, at=0) for n, line in enumerate(says)),
            LineError(9, says[0], "", is_words=True),
        ),
    )
    return Composer("games@referee.example").words(asked).text


def read(program: Program, says: list[str]) -> list[str]:
    """Return the own text in a reply to the question."""
    ours = sent(says)
    own = own_text(program.reply(ours), ours)
    return [line.text for line in own.lines if line.text.strip() and not shows_press(line.text)]


@pytest.mark.slow
@examples(400)
@given(LINES, PROGRAMS)
def test_nothing_that_a_question_repeats_is_read_from_any_reply(
    says: list[str], program: Program
) -> None:
    assert read(program, says) == read(program, ["Hello."] * len(says))


@given(LINES)
def test_every_line_that_a_question_repeats_is_marked(says: list[str]) -> None:
    text = sent(says)
    repeated = text.partition("IF YOU CONFIRM\n")[2].partition("\n\nThe email arrived")[0]
    ours = ("WHAT THE EMAIL SAYS", "NOT POSSIBLE (", "WORDS (")
    lines = [line for line in repeated.split("\n") if not line.startswith(ours)]
    assert [line for line in lines if line and not shows_press(line)] == []
    assert max(map(len, lines)) <= 78


@pytest.mark.parametrize("title", ["IF YOU CONFIRM", "WHAT THE EMAIL SAYS", "NOT POSSIBLE (1)"])
def test_its_lines_pasted_without_marks_are_not_read(title: str) -> None:
    below = sent(["RESIGN"]).partition(f"{title}\n")[2].partition("\n\n")[0]
    assert "RESIGN" in below
    assert own_text(below).lines == ()
