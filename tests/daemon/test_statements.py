"""How often a letter, a turn and a HELP ask: counts of statements, commits and rulings."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from referee.desk.due import adjudication
from referee.testing.conversation import Conversation, ConversationError
from tests.daemon.test_trouble import BEGINNING
from tests.support.faulty import Faulty

SEATS = 15
A_LETTER = 27
"""The most statements of a letter with orders, from its arrival to the sending of its answer.

The rounds ask some things only once a second, or once in half a minute; those are not counted.
"""
A_TURN = 47
"""The most statements of a turn, from its claim on; the sending of its emails is not counted."""


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the statements and commits on all databases, and how often sessions write changes."""
    counts = Counter[str]()

    def ask(*_: object) -> None:
        counts["statements"] += 1

    def commit(*_: object) -> None:
        counts["commits"] += 1

    def write(*_: object) -> None:
        counts["writes"] += 1

    heard = (
        (Engine, "before_cursor_execute", ask),
        (Engine, "commit", commit),
        (Session, "before_flush", write),
    )
    for each in heard:
        event.listen(*each)
    yield counts
    for each in heard:
        event.remove(*each)


def begin(talk: Conversation) -> None:
    """Begin a game of StarWeb with players whose names end with their numbers."""
    creation = BEGINNING.partition("=== frodo@shire.example writes")[0]
    talk.run(creation.format(ruleset="STARWEB", game="SW-1").replace("SEATS 2", f"SEATS {SEATS}"))
    joined = "".join(
        f"=== p{number}@shire.example writes\n\n"
        f"JOIN SW-1 P{chr(65 + number)} AS Empire Builder\n\n"
        f"=== p{number}@shire.example gets mail\n"
        for number in range(SEATS)
    )
    begun = "".join(f"=== p{number}@shire.example gets mail\n" for number in range(SEATS - 1))
    talk.run(f"{joined}{begun}=== gm@example.org gets mail\n")


@pytest.mark.slow
@pytest.mark.sqlite("counts its statements")
def test_a_letter_and_a_turn_ask_for_each_row_once(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(talk)
    report = talk.person("p3@shire.example").got[-1].text
    found = re.search(r"^(W\d+) \([\d,]*\) \[PD\]", report, re.MULTILINE)
    assert found is not None
    orders = (
        f"=== p3@shire.example replies\n{found[1]}B5I\n\n=== p3@shire.example gets mail\n",
        f"=== p3@shire.example replies\n{found[1]}B6I\n\n=== p3@shire.example gets mail\n",
    )
    talk.run(orders[0])
    with counted() as of_letter:
        talk.run(orders[1])
    of_turns = []
    resolve = adjudication.carry_out

    def carry_out(*given: Any) -> object:
        with counted() as of_turn:
            faults = resolve(*given)
        of_turns.append(of_turn)
        return faults

    monkeypatch.setattr(adjudication, "carry_out", carry_out)
    with pytest.raises(ConversationError, match="unexpected emails"):
        talk.run("=== it is 2026-09-06 13:00 UTC\n=== nobody gets anything\n")
    assert of_letter["statements"] <= A_LETTER
    # All that it changes is in its statements, so that no row is compared with what it was.
    assert of_letter["writes"] == 0
    assert [each["statements"] <= A_TURN for each in of_turns] == [True]
    assert [each["commits"] for each in of_turns] == [2]


def test_examples_in_help_need_few_rulings(talk: Conversation, faulty: Faulty) -> None:
    talk.run(BEGINNING.format(ruleset="FAULTY", game="FT-1"))
    faulty.calls.clear()
    talk.run("=== frodo@shire.example replies\nHELP ORDERS\n\n=== frodo@shire.example gets mail\n")
    assert 1 <= faulty.calls["validate"] <= 12


def test_a_sheet_that_replaces_another_is_ruled_on_once(talk: Conversation, faulty: Faulty) -> None:
    talk.run(BEGINNING.format(ruleset="FAULTY", game="FT-1"))
    for _ in range(2):
        faulty.calls.clear()
        talk.run(
            "=== frodo@shire.example replies\nW7B5I\nW7B1P\n\n=== frodo@shire.example gets mail\n"
        )
    asked = {name: faulty.calls[name] for name in ("validate", "unused", "explain", "forecast")}
    assert asked == {"validate": 1, "unused": 1, "explain": 2, "forecast": 1}


def test_wrong_lines_ask_for_no_grammar(talk: Conversation, faulty: Faulty) -> None:
    talk.run(BEGINNING.format(ruleset="FAULTY", game="FT-1"))
    # The first letter of a turn makes the reader.
    for number in (1, 20):
        faulty.calls.clear()
        wrong = "\n".join(f"W{each}B FACTORIES AT NOWHERE" for each in range(number))
        talk.run(f"=== frodo@shire.example replies\n{wrong}\n\n=== frodo@shire.example gets mail\n")
    assert faulty.calls["validate"]
    assert not faulty.calls["grammar"]


@pytest.mark.slow
def test_help_reads_no_more_letters_than_the_one_with_the_last_mistake(
    talk: Conversation, faulty: Faulty
) -> None:
    talk.run(BEGINNING.format(ruleset="FAULTY", game="FT-1"))
    asked = []
    for number in (1, 8):
        for each in range(number):
            wrong = f"=== frodo@shire.example replies\nADD\nW{each + 300}B1I"
            talk.run(f"{wrong}\n\n=== frodo@shire.example gets mail\n")
        faulty.calls.clear()
        talk.run(
            "=== frodo@shire.example replies\nHELP BUILD\n\n=== frodo@shire.example gets mail\n"
        )
        assert "YOUR LAST MISTAKE" in talk.person("frodo@shire.example").got[-1].text
        asked.append(faulty.calls["validate"])
    assert asked[0] == asked[1] >= 1
    faulty.calls.clear()
    talk.run("=== frodo@shire.example replies\nHELP ORDERS\n\n=== frodo@shire.example gets mail\n")
    # All orders are no kind of order, so no letter is read for a mistake.
    assert not faulty.calls["unused"]
