"""Lockout of security codes: after too many wrong ones, a person's code is ignored."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import CodesIgnored
from referee.store import Session
from referee.store.mail import rate_limits
from referee.store.models import InboxLetter, Person

MOST_FOR_PERSON: Final = 5
"""A code has 40 bits, so five guesses a day find none in a lifetime."""
MOST_FROM_SENDER: Final = 10
"""After so many wrong codes, of any people, codes from this sender are ignored."""
SPAN: Final = timedelta(days=1)


def are_ignored(session: Session, person: Person, sender: str, now: datetime) -> bool:
    """Return whether codes for *person* are locked out. Replies and confirmations still work.

    *sender* is the envelope sender, or else the From.
    """
    since = now - SPAN
    if len(rate_limits.wrong_codes_for(session, person, since)) >= MOST_FOR_PERSON:
        return True
    return rate_limits.wrong_codes_from(session, sender, since) >= MOST_FROM_SENDER


def count_wrong(desk: Desk, person: Person, row: InboxLetter) -> None:
    """Count a wrong code, and notify the primary address when the person's limit is reached."""
    rate_limits.note_wrong_code(desk.session, person, sender_of(person, row), desk.now)
    wrong = rate_limits.wrong_codes_for(desk.session, person, desk.now - SPAN)
    if len(wrong) == MOST_FOR_PERSON:
        notice = CodesIgnored(len(wrong), Moment(wrong[0] + SPAN, person.zone))
        post(desk, notice, Addressing(mailbox(person), f"codes{row.id}"))


def sender_of(person: Person, row: InboxLetter) -> str:
    """Return the sender that a wrong code is counted against, besides the person."""
    return row.envelope_sender or person.address
