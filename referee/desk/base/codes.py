"""Security codes: their hashes, and how many guesses there were.

After too many wrong codes, the right one needs a confirmation, too.
"""

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import ManyWrongCodes
from referee.store import Session
from referee.store.mail import rate_limits
from referee.store.models import Person

MOST: Final = 100
"""For each person. A code has 40 bits: so many guesses a day for a century find one code in
300,000. Anyone can use them up, so the right code is then asked about and never ignored."""
SPAN: Final = timedelta(days=1)


def hash_code(code: str, salt: bytes) -> bytes:
    """Return the hash of a security code; case and blanks do not matter."""
    folded = "".join(code.split()).upper()
    return hashlib.scrypt(folded.encode(), salt=salt, n=2**12, r=8, p=1, dklen=32)


def code_fits(code: str, salt: bytes, kept: bytes) -> bool:
    """Return whether *code* matches the stored hash, in constant time."""
    return hmac.compare_digest(hash_code(code, salt), kept)


def are_many_wrong(session: Session, person: Person, now: datetime) -> bool:
    """Return whether so many codes were wrong that the right one of *person* can be a guess."""
    return len(rate_limits.wrong_codes_for(session, person, now - SPAN)) >= MOST


def count_wrong(desk: Desk, person: Person) -> None:
    """Count a wrong code, and notify the primary address when there are too many."""
    if are_many_wrong(desk.session, person, desk.now):
        return
    rate_limits.note_wrong_code(desk.session, person, desk.now)
    wrong = rate_limits.wrong_codes_for(desk.session, person, desk.now - SPAN)
    if len(wrong) == MOST:
        notice = ManyWrongCodes(len(wrong), Moment(wrong[0] + SPAN, person.zone))
        serial = f"codes{person.id}x{desk.now:%Y%m%d%H%M%S}"
        post(desk, notice, Addressing(mailbox(person), serial))
