"""Orders in a subject: found there, and never in a subject of ours."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk.orders.elsewhere import codes_among_words, without_heading
from referee.letters.outgoing.layout import answered
from referee.letters.outgoing.notices import CommandReply, LineError
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
    assert len(starweb().orders_of(words)) == count


@pytest.mark.slow
def test_no_subject_of_ours_has_orders() -> None:
    heads = (file.read_text("utf-8").partition("\n")[0] for file in GOLDEN.glob("*.txt"))
    subjects = [head.removeprefix("Subject: ") for head in heads]
    ours = [without_heading(f"Re: [SW-1 T6 FRODO] {subject}") for subject in subjects]
    assert len(ours) > 100
    every = readers()
    assert [words for words in ours if any(reader.orders_of(words) for reader in every)] == []


@pytest.mark.parametrize(
    ("subject", "codes"),
    [
        ("T1 orders: F8W35 F10W2", ["F8W35", "F10W2"]),
        ("my orders F8W35", ["F8W35"]),
        ("Re: T1 orders: F8W35", ["F8W35"]),
        ("please do F8W35 instead", ["F8W35"]),
        ("T7 F8W2", ["F8W2"]),
        ("Re: [SW-1 T6 FRODO] orders:F8W35,f10w2.", ["F8W35", "f10w2"]),
        ("orders (F8W35; ENDING=8000) for SW-1 T6", ["F8W35"]),
        ("moved F8W35, F8W35!", ["F8W35"]),
        ("not done: F8W35", ["F8W35"]),
        ("Re: [SW-1 T6 F8W35] my orders", []),
        ("Re: [SW-1 T6 FRODO] not done: F8W35, W7B5I", []),
        ("T1 orders", []),
        ("F8 and W35 are mine", []),
        ("Z and so on", []),
    ],
)
def test_codes_among_the_words_of_a_subject_are_found(subject: str, codes: list[str]) -> None:
    assert list(codes_among_words(subject, starweb())) == codes


def test_no_subject_of_ours_has_codes_among_its_words() -> None:
    heads = (file.read_text("utf-8").partition("\n")[0] for file in GOLDEN.glob("*.txt"))
    ours = [f"Re: [SW-1 T6 FRODO] {head.removeprefix('Subject: ')}" for head in heads]
    assert len(ours) > 100
    every = readers()
    assert [head for head in ours if any(codes_among_words(head, one) for one in every)] == []


@given(
    st.lists(st.tuples(st.sampled_from("dan"), st.sampled_from(["F8W35", "W7B5I,"])), max_size=9)
)
def test_an_answer_that_names_codes_has_none_in_its_subject(named: list[tuple[str, str]]) -> None:
    done, answers = (
        [CommandReply(1, text, "", kind == "a") for kind, text in named if kind == group]
        for group in "da"
    )
    faults = [LineError(1, text, "") for kind, text in named if kind == "n"]
    subject = f"Re: [SW-1 T6 FRODO] {answered(done, answers, faults)}"
    assert codes_among_words(subject, starweb()) == {}
