"""Security codes: their hashes, and how many guesses there were.

After too many wrong codes, the right one needs a confirmation, too.
"""

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base import ledger
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.domain.shares import SHARES, Charge, Key, Thing
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import ManyWrongCodes
from referee.store import Session
from referee.store.models import Person

MOST: Final = SHARES[Thing.GUESS][0].day
_SPAN: Final = timedelta(days=1)


def hash_code(code: str, salt: bytes) -> bytes:
    """Return the hash of a security code; case and blanks do not matter."""
    folded = "".join(code.split()).upper()
    return hashlib.scrypt(folded.encode(), salt=salt, n=2**12, r=8, p=1, dklen=32)


def code_fits(code: str, salt: bytes, kept: bytes) -> bool:
    """Return whether *code* matches the stored hash, in constant time."""
    return hmac.compare_digest(hash_code(code, salt), kept)


def are_many_wrong(session: Session, person: Person, now: datetime, token: str = "") -> bool:
    """Return whether so many codes were wrong that the right one of *person* can be a guess.

    *token* is the reply address of theirs to which this one came. Those count for themselves, since
    only somebody who has one of our letters can use them up.
    """
    return ledger.used(session, guesses(person, token=token), now) >= MOST


def count_wrong(desk: Desk, person: Person, token: str = "") -> None:
    """Count a wrong code, and notify the primary address when there are too many."""
    if are_many_wrong(desk.session, person, desk.now, token):
        return
    ledger.book(desk, guesses(person, token=token))
    if are_many_wrong(desk.session, person, desk.now, token):
        notice = ManyWrongCodes(MOST, Moment(desk.now + _SPAN, person.zone))
        serial = f"codes{person.id}x{desk.now:%Y%m%d%H%M%S}"
        post(desk, notice, Addressing(mailbox(person), serial))


def guesses(person: Person, number: int = 1, token: str = "") -> Charge:
    """Return the charge for guesses of a person's code, sent to a *token* of theirs or to none."""
    payers = {Key.SEAT: token} if token else {Key.CLAIMED: str(person.account)}
    return Charge(Thing.GUESS, payers, number)
