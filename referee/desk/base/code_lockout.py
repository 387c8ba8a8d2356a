"""Security codes against guessing: after too many wrong ones a person's code is not looked at."""

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
"""A code has 40 bits: at five guesses a day nobody will live to see one fit."""
MOST_FROM_SENDER: Final = 10
"""Who tries the codes of several people is not asked after this many."""
SPAN: Final = timedelta(days=1)


def are_ignored(session: Session, person: Person, sender: str, now: datetime) -> bool:
    """Return whether a code in a letter from the person's address is not looked at for now.

    *sender* is the envelope's, or else the From. The person himself is never locked out: his
    replies are believed, and his other letters are held until he confirms them.
    """
    since = now - SPAN
    if len(rate_limits.wrong_codes_for(session, person, since)) >= MOST_FOR_PERSON:
        return True
    return rate_limits.wrong_codes_from(session, sender, since) >= MOST_FROM_SENDER


def count_wrong(desk: Desk, person: Person, row: InboxLetter) -> None:
    """Count a wrong code, and tell the address of record when it was one too many."""
    rate_limits.note_wrong_code(desk.session, person, sender_of(person, row), desk.now)
    given = rate_limits.wrong_codes_for(desk.session, person, desk.now - SPAN)
    if len(given) == MOST_FOR_PERSON:
        notice = CodesIgnored(len(given), Moment(given[0] + SPAN, person.zone))
        post(desk, notice, Addressing(mailbox(person), f"codes{row.id}"))


def sender_of(person: Person, row: InboxLetter) -> str:
    """Return whom a guess is counted against besides the person."""
    return row.envelope_sender or person.address
