"""The desk handles any letter: nothing raises, and nothing goes to quarantine."""

import zlib
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.plugins import installed_rulesets
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.testing.conversation import Conversation
from tests.support.examples import examples

PLAYER = "frodo@shire.example"
BEGINNING = """\
=== gm@example.org writes

CREATE STARWEB SEATS 2 DEADLINE "300 days" OPTION introduced=yes
=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO
=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
"""

VOCABULARY = """
HELP STATUS ORDERS CHECK CLEAR CANCEL ADD FINAL WAIT REPORT LIST JOIN SET ZONE NAME PRESS TO
ANONYMOUS SAM ALL STANDING SIGN END CONFIRM CREATE STARWEB START HOLD RESUME SCHEDULE RESIGN
BROADCAST GM SW-1 SW-9 T1 T2 [FRODO] [SAM] F1W2 F1TF2 W7B3I ENDING 8000 Z A=SAM <3> 72 hours
SECOND ADDRESS x@y.example NONE REMINDERS 2 days FORMAT CHANGES DIGEST ON QUIET 22:00-07:00 WHO FULL
weekdays 20:00 UTC Europe/Berlin OPTION worlds=60 "x y" AS OR Pirate #1 > - --
"""
WORDS = st.sampled_from(VOCABULARY.split()) | st.text(max_size=12)
LINES = st.lists(WORDS, max_size=6).map(" ".join)
BODIES = st.lists(LINES, max_size=12).map("\n".join)
SUBJECTS = st.sampled_from(["", "CHECK", "Re: [SW-1 T1 FRODO] report", "[SW-1]", "[SW-9 T3 X]"])
SENDERS = st.sampled_from([PLAYER, "gm@example.org", "nobody@example.com", "a@b, c@d", "<", ""])


@pytest.fixture(scope="module")
def running() -> Iterator[Conversation]:
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(BEGINNING)
        yield conversation


def unread(conversation: Conversation) -> int:
    """Return the number of letters that broke the reader: waiting for a retry or quarantined."""
    with conversation.store.read() as session:
        counts = inbox.counts(session)
    return counts[InboxState.QUARANTINED] + counts[InboxState.WAITING]


@examples(60)
@given(st.binary(max_size=400))
def test_any_bytes_are_dealt_with(running: Conversation, raw: bytes) -> None:
    running.arrive(raw)
    assert unread(running) == 0


@pytest.mark.slow
@examples(150)
@given(SENDERS, SUBJECTS, BODIES, st.booleans())
def test_any_words_are_dealt_with(
    running: Conversation, sender: str, subject: str, body: str, reply: bool
) -> None:
    player = running.person(PLAYER)
    number = zlib.crc32(body.encode("utf-8", "replace"))
    head = f"From: {sender}\nSubject: {subject}\nMessage-ID: <{number}@x>\n"
    text = f"{head}Content-Type: text/plain; charset=utf-8\n\n{body}"
    raw = text.encode("utf-8", "replace")
    running.arrive(raw, player.got[-1].reply_to if reply else "games@referee.example")
    assert unread(running) == 0
