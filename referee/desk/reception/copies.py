"""Copies of a letter: which one counts, and one letter to several seats."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from referee.desk.base import reply_limits
from referee.desk.base.desk import Desk
from referee.desk.base.identity import Identity, Trust
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.reply_limits import Asked
from referee.domain.mail_transfer import IncomingMail
from referee.domain.shares import Thing
from referee.domain.tokens import Right, verify
from referee.letters.incoming.decode import body_hash, recipients_of
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.quoting import OwnText
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import AlreadyReceived
from referee.store import Session
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.store.people import people

_MOST_SEATS: Final = 12
"""The most seats of one letter; a person plays in fewer games at a time."""


def one_for_each_seat(arrival: IncomingMail, key: bytes) -> list[IncomingMail]:
    """Return the letter once for each seat, deputy or offer whose reply address it is sent to.

    *key* signed the tokens. A mail server hands over one letter for each address, but a mailbox
    keeps only one of them.
    """
    named: dict[str, str] = {}
    for address in recipients_of(arrival.raw) if not arrival.recipient else ():
        local = address.rpartition("@")[0]
        token = verify(local.partition("+")[2], key)
        if token is not None and token.rule.right is Right.SEAT:
            named.setdefault(token.name, address)
    others = (
        replace(arrival, source_id=f"{arrival.source_id}+{number}", recipient=address)
        for number, address in enumerate([*named.values()][1:_MOST_SEATS], start=2)
    )
    return [arrival, *others]


def twins_of(
    session: Session, letter: Letter, digest: str, row: InboxLetter, sender: Identity
) -> Sequence[InboxLetter]:
    """Return the earlier letters with this Message-ID that were used the same way, oldest first.

    They have the same text, and were for the same seat. A signature does not cover all that the
    text depends on, so for a letter that is signed, those with other text are among them.
    """
    if not letter.message_id:
        return ()
    if sender.trust is Trust.ALIGNED:
        twins = inbox.twins_by_name(session, row, letter.message_id)
    else:
        twins = inbox.twins(session, letter.message_id, digest, row.id)
    return [twin for twin in twins if _is_for_same_seat(twin, sender)]


def digest_of(letter: Letter, own: OwnText, sender: Identity) -> str:
    """Return a hash of the text, and of the question of ours that it answers."""
    token = sender.answers
    return body_hash(letter, own, f"{token.name} {token.epoch}" if token is not None else "")


def original(twins: Sequence[InboxLetter], sender: Identity) -> InboxLetter | None:
    """Return the twin that a letter of *sender* is a copy of, or None.

    A letter that we believe is no copy of one that we do not: anyone can send its text first, with
    a forged From.
    """
    is_sure = _is_sure(sender.trust)
    return next((twin for twin in twins if not is_sure or _is_sure(Trust.of(twin))), None)


def supersede(twins: Sequence[InboxLetter], row: InboxLetter) -> None:
    """End the wait of the twins for a confirmation, because a letter that we believe counts."""
    for twin in twins:
        twin.end_question(f"a copy of email #{row.id}, which is believed")


def answer(desk: Desk, letter: Letter, row: InboxLetter, twin: InboxLetter) -> None:
    """Answer that the letter is a copy of an earlier one, if the address is known.

    One that was stored for several reply addresses came once, so it is answered once. So is one
    that a mail server handed over again, octet for octet, because it did not hear that the first
    was stored: nobody sent it twice.
    """
    if row.source == twin.source and _came_once(row, twin):
        return
    person = people.by_address(desk.session, letter.senders[0].address) if letter.senders else None
    if person is not None:
        # The receipt of another person's seat would be a number of theirs.
        receipt = twin.receipt if twin.holder_id == person.id else None
        notice = AlreadyReceived(receipt, Moment(twin.arrived_at, person.zone))
        addressing = Addressing(mailbox(person), f"copy{row.id}", answers=row)
        reply_limits.answer(desk, [(notice, addressing)], Asked(Thing.IDLE))


def _came_once(row: InboxLetter, twin: InboxLetter) -> bool:
    return row.sha256 == twin.sha256 or row.source_id.startswith(f"{twin.source_id}+")


def _is_for_same_seat(twin: InboxLetter, sender: Identity) -> bool:
    """Return whether an earlier letter was for no other seat than this one.

    Its player may have left that seat since. A signed letter says the same whenever it comes, so
    it does not count again if they have another seat by then.
    """
    seat, person = sender.seat, sender.person
    used = (twin.game_id, twin.seat_number)
    if twin.seat_number is None or (seat is not None and used == (seat.game_id, seat.number)):
        return True
    may_have_left = seat is None or sender.trust is Trust.ALIGNED
    return may_have_left and person is not None and twin.holder_id == person.id


def _is_sure(trust: Trust) -> bool:
    """Return whether the letter is proven, or its game asks for no more proof."""
    return trust.is_believed or trust.is_proven
