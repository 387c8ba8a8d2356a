"""Letters leave: which of them may go now, and what keeps a fault from becoming a flood."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.base.site import Site
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.database.types import Span
from referee.store.mail import circuit_breaker, outbox
from referee.store.models import OutboxLetter

_MINUTE: Final = timedelta(minutes=1)
_SHARE: Final = 10
_ALERT: Final = OperatorAlert.__name__


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast letters may leave; all referees on one database are counted together.

    Beyond *letters_an_hour* something must be wrong: sending stops for an hour. Beyond
    *a_domain_a_minute* letters to that domain wait for a minute, while all others go.
    """

    letters_an_hour: int = 2000
    a_domain_a_minute: int | None = None


class Allowance:
    """Letters that may go before those that went are counted again.

    Counting takes the longer the more they are. All referees on one database are counted, but each
    knows only of what it sends itself: it has a tenth of the room, for a minute.
    """

    def __init__(self) -> None:
        self._left = 0
        self._granted: datetime | None = None

    def grant(self, room: int, now: datetime) -> None:
        """Let some more letters go, now that there was room for so many."""
        self._left, self._granted = room // _SHARE, now

    def covers(self, number: int, now: datetime) -> bool:
        """Return whether so many letters may go without a new count."""
        granted = self._granted
        return granted is not None and number <= self._left and granted <= now < granted + _MINUTE

    def use(self, number: int) -> None:
        """Note that so many letters go."""
        self._left -= number


@dataclass(frozen=True, slots=True)
class SendQuota:
    """What a sender may send before it counts again, of the hour and as if to one domain."""

    hourly: Allowance = field(default_factory=Allowance)
    by_domain: Allowance = field(default_factory=Allowance)


@dataclass(frozen=True, slots=True)
class SendSlot:
    """Who sends, when, until when a letter is his, and how many he takes at once."""

    owner: str
    now: datetime
    lease: timedelta
    most: int
    measures: SendQuota


def claim_due(session: Session, site: Site, pace: Pace, turn: SendSlot) -> list[OutboxLetter]:
    """Claim the letters that are due and may go, the longest due first; none when none may.

    When the hour's measure is full and still something is due, sending stops and the operator is
    told, once; that letter goes all the same. Letters to a domain that has its fill are put off
    without counting an attempt.
    """
    now = turn.now
    if not outbox.is_due(session, now):
        return []
    if circuit_breaker.holds_until(session, now) is None:
        if (room := _room(session, pace, turn)) > 0:
            letters = _paced(session, pace, turn, room)
            turn.measures.hourly.use(len(letters))
            return letters
        _stop(Desk(session, site, now), pace)
    return outbox.claim(session, turn.owner, now, turn.lease, turn.most, kind=_ALERT)


def _room(session: Session, pace: Pace, turn: SendSlot) -> int:
    if not turn.measures.hourly.covers(turn.most, turn.now):
        sent = outbox.sent_since(session, circuit_breaker.counted_from(session, turn.now), turn.now)
        room = pace.letters_an_hour - sent
        turn.measures.hourly.grant(room, turn.now)
        return min(turn.most, room)
    return turn.most


def _paced(session: Session, pace: Pace, turn: SendSlot, room: int) -> list[OutboxLetter]:
    a_minute = pace.a_domain_a_minute
    while letters := outbox.claim(session, turn.owner, turn.now, turn.lease, room):
        if a_minute is None or _have_room(session, a_minute, turn, len(letters)):
            return letters
        lately = outbox.recipients_in(session, Span(turn.now - _MINUTE, turn.now))
        busy = Counter(map(_domain, lately))
        going = []
        for letter in letters:
            domain = _domain(letter.recipient)
            if busy[domain] < a_minute:
                busy[domain] += 1
                going.append(letter)
            else:
                outbox.put_off(session, letter, turn.now + _MINUTE)
        if going:
            return going
    return []


def _have_room(session: Session, a_minute: int, turn: SendSlot, number: int) -> bool:
    """Return whether no domain can have its fill, even if all letters went to one.

    So it is mostly, and then nobody need look at them.
    """
    if not turn.measures.by_domain.covers(number, turn.now):
        room = a_minute - outbox.sent_in(session, Span(turn.now - _MINUTE, turn.now))
        if room < number:
            return False
        turn.measures.by_domain.grant(room, turn.now)
    turn.measures.by_domain.use(number)
    return True


def _stop(desk: Desk, pace: Pace) -> None:
    number = circuit_breaker.trip(desk.session, desk.now)
    if not desk.site.operator:
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
    post(desk, alert, Addressing(MailAddress("", desk.site.operator), f"flood{number}"))


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
