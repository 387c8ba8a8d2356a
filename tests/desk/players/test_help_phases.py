"""HELP on orders, and orders of the wrong phase, in a game whose phases have other orders."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from referee.rules import ruleset as r
from referee.testing.conversation import Conversation, ConversationError
from tests.testing.test_mail_contract import Count, Counting


class Phased(Counting):
    """A game that counts in odd turns, and takes something in even ones."""

    info = replace(Counting.info, phases=("count", "take"))

    def phase(self, state: Count) -> r.Phase:
        key = "count" if state.turn % 2 else "take"
        return r.Phase(key, f"Turn {state.turn}", frozenset(state.players))

    def grammar(self, phase: r.Phase) -> r.Grammar:
        if phase.key == "count":
            return super().grammar(phase)
        source = '// takes a lot     TAKE LAMP\norder: take\ntake: "TAKE"i NAME\nNAME: /[A-Z]+/i\n'
        orders: Any = {"take": str}
        return r.Grammar(source + '%ignore " "\n', orders, separator=r.Separator.LINES)


@pytest.fixture
def talk() -> Iterator[Conversation]:
    with closing(Conversation({"counting": Phased()})) as conversation:
        yield conversation


BEGUN = """
=== gm@example.org writes

CREATE COUNTING SEATS 2
DEADLINE "2 days"
=== gm@example.org gets mail
=== alma@one.example writes

JOIN CO-1 ALMA
=== alma@one.example gets mail
=== bruno@two.example writes

JOIN CO-1 BRUNO
=== bruno@two.example gets mail
=== alma@one.example gets mail
=== gm@example.org gets mail
"""


@pytest.mark.slow
def test_no_map_is_attached_in_a_game_without_one(talk: Conversation) -> None:
    talk.run(f"""{BEGUN}
=== alma@one.example replies
SET ATTACHMENTS REPORT MAP PNG
=== alma@one.example gets mail
=== 2 days pass
=== alma@one.example gets
Subject: report
Attachments: report.json
=== alma@one.example gets mail
=== bruno@two.example gets mail
""")


def test_an_order_of_another_phase_is_answered_as_one(talk: Conversation) -> None:
    talk.run(f"""{BEGUN}
=== alma@one.example replies
COUNT
take lamp
=== alma@one.example gets
Subject: 1 of 2 orders rejected
TAKE is an order of another phase.
! WORDS
=== alma@one.example replies
HELP TAKE
=== alma@one.example gets
TAKE is an order of another phase.
takes a lot
""")


@pytest.mark.slow
def test_rules_of_the_same_key_share_nothing_that_was_read(talk: Conversation) -> None:
    with closing(Conversation({"counting": Counting()})) as other:
        other.run(f"{BEGUN}\n=== alma@one.example replies\nCOUNT\n=== alma@one.example gets mail\n")
    test_an_order_of_another_phase_is_answered_as_one(talk)


def test_a_line_out_of_order_is_not_called_missing(talk: Conversation) -> None:
    with pytest.raises(ConversationError, match='"ACCEPTED" is not below the lines before it:'):
        talk.run(f"""{BEGUN}
=== alma@one.example replies
COUNT
=== alma@one.example gets
Receipt
ACCEPTED
""")
    with pytest.raises(ConversationError, match='"Nothing" is not in the email:'):
        talk.run("=== alma@one.example replies\nCOUNT\n=== alma@one.example gets\nNothing\n")
