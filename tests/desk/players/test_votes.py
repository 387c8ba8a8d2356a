"""No letter or answer reveals how another player has voted in a secret vote."""

from contextlib import closing

import pytest
from sqlalchemy import select

from referee.plugins import installed_rulesets
from referee.store.games.votes import Ballot, Vote
from referee.testing.conversation import Conversation

GAME = """
=== gm@example.org writes

CREATE STARWEB SEATS 3 DEADLINE "5 days" OPTION introduced=yes vote_end=majority

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM AS Empire Builder

=== sam@shire.example gets mail
=== merry@shire.example writes

JOIN SW-1 MERRY AS Pirate

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== merry@shire.example gets mail
=== gm@example.org gets mail
=== frodo@shire.example replies
VOTE END

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== merry@shire.example gets mail
=== gm@example.org gets mail
"""
AFTER = """
=== sam@shire.example gets mail
=== frodo@shire.example replies to first report
STATUS
HISTORY

=== frodo@shire.example gets mail
=== merry@shire.example replies to first report
STATUS

=== merry@shire.example gets mail
=== gm@example.org writes

GM SW-1
STATUS
SHEETS
AUDIT

=== gm@example.org gets mail
=== it is 2026-09-04 11:00 UTC
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== merry@shire.example gets mail
"""
CLOSED = """
=== it is 2026-09-04 12:30 UTC
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== merry@shire.example gets mail
=== gm@example.org gets mail
"""


def voted(ballot: str) -> Conversation:
    conversation = Conversation(installed_rulesets())
    conversation.run(f"{GAME}\n=== sam@shire.example replies\nVOTE END {ballot}\n{AFTER.rstrip()}")
    return conversation


def mailed_to_others(ballot: str) -> list[bytes]:
    with closing(voted(ballot)) as conversation:
        return [letter.raw for letter in conversation.mailed if "sam@" not in letter.recipient]


@pytest.fixture(scope="module")
def of_a_no() -> list[bytes]:
    return mailed_to_others("NO")


@pytest.mark.slow
def test_others_are_mailed_the_same_however_a_secret_ballot_was_cast(of_a_no: list[bytes]) -> None:
    assert mailed_to_others("YES") == of_a_no


@pytest.mark.slow
def test_others_are_mailed_the_same_whether_somebody_has_voted(of_a_no: list[bytes]) -> None:
    # An invalid ballot gets an answer too, and only its sender sees either answer.
    assert mailed_to_others("PERHAPS") == of_a_no


@pytest.mark.slow
def test_no_secret_ballot_is_kept_when_the_vote_has_closed() -> None:
    with closing(voted("NO")) as conversation:
        with conversation.store.read() as session:
            assert len(session.scalars(select(Ballot)).all()) == 2
        conversation.run(CLOSED)
        with conversation.store.read() as session:
            assert session.scalars(select(Ballot)).all() == []
            assert "1 yes, 1 no, 1 did not vote" in session.scalars(select(Vote.result)).one()
