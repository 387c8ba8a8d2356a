"""Orders in a subject: found there, and never in a subject of ours."""

from pathlib import Path

import pytest

from referee.desk.orders.elsewhere import only_orders, without_heading
from referee.parsing.reader import Reader, reader_of
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Phase

GOLDEN = Path(__file__).parents[2] / "letters" / "golden"


def readers() -> list[Reader]:
    """Return the reader of every phase of every game."""
    return [
        reader_of(ruleset.grammar(Phase(key, "", 1, frozenset())))
        for ruleset in installed_rulesets().values()
        for key in ruleset.info.phases
    ]


def starweb() -> Reader:
    """Return the reader of StarWeb."""
    return reader_of(installed_rulesets()["starweb"].grammar(Phase("orders", "", 1, frozenset())))


@pytest.mark.parametrize(
    ("subject", "words", "count"),
    [
        ("F3W5 W7B5I", "F3W5 W7B5I", 2),
        ("Re: [SW-1 T6 FRODO] F3W5", "F3W5", 1),
        ("SW-1 T6 [FRODO]: F3W5", "F3W5", 1),
        ("CHECK F3W5", "F3W5", 1),
        ("AW:\tF3W5\n W7B5I", "F3W5 W7B5I", 2),
        ("my orders F3W5", "my orders F3W5", 0),
        ("Z and so on", "Z and so on", 0),
        ("HELP", "HELP", 0),
        ("SW-1 T6", "", 0),
        ("", "", 0),
    ],
)
def test_a_subject_has_orders_if_it_has_nothing_else(subject: str, words: str, count: int) -> None:
    assert without_heading(subject) == words
    assert len(only_orders(words, starweb())) == count


def test_no_subject_of_ours_has_orders() -> None:
    heads = (file.read_text("utf-8").partition("\n")[0] for file in GOLDEN.glob("*.txt"))
    subjects = [head.removeprefix("Subject: ") for head in heads]
    ours = [without_heading(f"Re: [SW-1 T6 FRODO] {subject}") for subject in subjects]
    assert len(ours) > 100
    every = readers()
    assert [words for words in ours if any(only_orders(words, reader) for reader in every)] == []
