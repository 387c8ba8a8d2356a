"""Bounces, complaints and refusals, against a running game."""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import pytest

from referee.daemon import Daemon
from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail
from referee.letters.incoming.decode import decode
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.people import people
from tests.attacks.siege import FRODO, GM, SAM, Siege
from tests.letters.incoming.test_screening import COMPLAINT


def bounces(siege: Siege, address: str) -> int:
    with siege.store.read() as session:
        person = people.by_address(session, address)
        assert person is not None
        return person.bounces


def test_a_complaint_notifies_the_gm_once() -> None:
    siege = Siege()
    for _ in range(2):
        siege.reply(FRODO, "ORDERS\n", "T1")
        told = siege.mailed[-1].sender
        siege.raw(COMPLAINT.replace("games+s1-1-ack1-x@Referee.example", told), sender="<>")
    assert bounces(siege, FRODO) == 2
    assert siege.got(GM) == ["[SW-1] emails to FRODO are reported as spam"]


def test_a_forged_complaint_counts_for_no_player() -> None:
    siege = Siege()
    siege.raw(COMPLAINT, sender="<>")
    assert (bounces(siege, FRODO), siege.got(GM)) == (0, [])


def test_a_late_bounce_for_a_former_player_does_not_count_for_the_next() -> None:
    siege = Siege()
    siege.reply(FRODO, "ORDERS\n", "T1")
    old = siege.mailed[-1].sender
    siege.reply(FRODO, "RESIGN\n", "report")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    before = siege.got(GM)
    siege.arrive(
        siege.person("daemon@x.example").report(old, "Action: failed", siege.now), old, "<>"
    )
    # It counts for the address that it is about, and concerns no seat now.
    assert bounces(siege, FRODO) == 1
    assert siege.got(GM) == before


@pytest.mark.slow
def test_a_reply_days_later_shows_that_the_address_works() -> None:
    siege = Siege()
    siege.reply(FRODO, "ORDERS\n", "T1")
    back = siege.mailed[-1].sender
    siege.arrive(
        siege.person("daemon@x.example").report(back, "Action: failed", siege.now), back, "<>"
    )
    siege.reply(FRODO, "ORDERS\n", "report")
    assert bounces(siege, FRODO) == 1
    siege.later(days=4)
    siege.reply(FRODO, "ORDERS\n", "report")
    assert bounces(siege, FRODO) == 0


SECOND = "frodo@second.example"


@dataclass(slots=True)
class Refusing:
    """A mail server that accepts only letters to the GM and the operator."""

    taken: list[OutgoingMail]

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        for dispatch in dispatches:
            if dispatch.recipient.endswith("@shire.example"):
                yield Attempt(dispatch, Delivery.REJECTED, "550 5.1.1 no such user")
            else:
                self.taken.append(dispatch)
                yield Attempt(dispatch, Delivery.SENT)


def test_a_refusal_counts_like_a_bounce_and_is_in_the_digest() -> None:

    siege = Siege()
    refusing = Refusing([])
    siege.daemon = Daemon(replace(siege.daemon.app, sender=refusing))
    siege.reply(SAM, "ORDERS\n", "T1")
    assert bounces(siege, SAM) == 1
    assert [sent.recipient for sent in refusing.taken] == [GM]
    with siege.store.write() as session:
        (row, *_) = inbox.listing(session, None, 1)
        row.state, row.note = InboxState.QUARANTINED, "could not be read, reference ab12cd34"
    siege.later(days=1)
    (digest,) = [sent.raw.decode() for sent in refusing.taken if "operator" in sent.recipient]
    assert "reference ab12cd34" in digest
    assert "550 5.1.1 no such user" in " ".join(digest.split())
    assert re.search(r"account #[0-9]{6}: 1 email bounced", digest)


def test_refused_letters_and_soon_all_go_to_the_second_address() -> None:
    siege = Siege()
    siege.reply(FRODO, f"SET SECOND ADDRESS {SECOND}\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm: ")
    siege.reply(SECOND, "CONFIRM\n", "is this")
    refusing = Refusing([])
    siege.daemon = Daemon(replace(siege.daemon.app, sender=refusing))
    for _ in range(4):
        siege.reply(FRODO, "ORDERS\n", "T1")
    told = [decode(sent.raw).subject for sent in refusing.taken if sent.recipient == SECOND]
    answer = "Re: [SW-1 T1 FRODO] answer: ORDERS"
    moved = "your email comes to this address now"
    assert told == [answer, answer, answer, moved, answer]
    assert [sent.recipient for sent in refusing.taken if sent.recipient != SECOND] == [GM]
    assert bounces(siege, FRODO) == 3
