"""Letters leave: which of them may go now, and what keeps a fault from becoming a flood."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.desk.house import House
from referee.desk.posting import Slip, post
from referee.letters.letter import Mailbox
from referee.letters.notices import OperatorAlert
from referee.store import Session, brake, outbox
from referee.store.models import OutboxLetter

_MINUTE: Final = timedelta(minutes=1)
_ALERT: Final = OperatorAlert.__name__


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast letters may leave; all referees on one database are counted together.

    Beyond *letters_an_hour* something must be wrong: sending stops for an hour. Beyond
    *a_domain_a_minute* letters to that domain wait for a minute, while all others go.
    """

    letters_an_hour: int = 2000
    a_domain_a_minute: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Who sends, when, until when a letter is his, and how many he takes at once."""

    owner: str
    now: datetime
    lease: timedelta
    most: int


def claim_due(session: Session, house: House, pace: Pace, turn: Turn) -> list[OutboxLetter]:
    """Claim the letters that are due and may go, the longest due first; none when none may.

    When the hour's measure is full and still something is due, sending stops and the operator is
    told, once; that letter goes all the same. Letters to a domain that has its fill are put off
    without counting an attempt.
    """
    now = turn.now
    if not outbox.is_due(session, now):
        return []
    if brake.holds_until(session, now) is None:
        sent = outbox.sent_since(session, brake.counted_from(session, now))
        room = min(turn.most, pace.letters_an_hour - sent)
        if room > 0:
            return _paced(session, pace, turn, room)
        _stop(session, house, pace, now)
    return outbox.claim(session, turn.owner, now, turn.lease, turn.most, kind=_ALERT)


def _paced(session: Session, pace: Pace, turn: Turn, room: int) -> list[OutboxLetter]:
    while letters := outbox.claim(session, turn.owner, turn.now, turn.lease, room):
        if pace.a_domain_a_minute is None:
            return letters
        minute = turn.now - _MINUTE
        # Mostly no domain can have its fill, even if all went to one: nobody need look at them.
        if outbox.sent_since(session, minute) + len(letters) <= pace.a_domain_a_minute:
            return letters
        busy = Counter(map(_domain, outbox.recipients_since(session, minute)))
        going = []
        for letter in letters:
            domain = _domain(letter.recipient)
            if busy[domain] < pace.a_domain_a_minute:
                busy[domain] += 1
                going.append(letter)
            else:
                outbox.put_off(session, letter, turn.now + _MINUTE)
        if going:
            return going
    return []


def _stop(session: Session, house: House, pace: Pace, now: datetime) -> None:
    number = brake.pull(session, now)
    if not house.operator:
        return
    alert = OperatorAlert(
        what=(
            f"More than {pace.letters_an_hour} letters were to go out within an hour. Sending has"
            " stopped and goes on by itself in an hour."
        ),
        reference=f"flood{number}",
        to_do=(
            "Look at `referee mail list outbox` for what is being sent. If all is well, `referee"
            " mail resume` goes on at once, and limits.letters_an_hour allows more."
        ),
    )
    post(session, house, alert, Slip(Mailbox("", house.operator), f"flood{number}"), now)


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
