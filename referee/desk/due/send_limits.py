"""Sending limits: which letters can be sent now, and a stop for floods."""

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
    """Rate limits of sending, shared by all referees on one database.

    Above *letters_an_hour* something must be wrong, and sending stops for an hour. Above
    *a_domain_a_minute* letters to that domain wait for a minute, and all others are sent.
    """

    letters_an_hour: int = 2000
    a_domain_a_minute: int | None = None


class Allowance:
    """Letters that can be sent before the sent ones are counted again.

    Counting gets slower as their number grows. It covers all referees on one database, but each
    referee only knows its own later letters: so it gets a tenth of what is left, for a minute.
    """

    def __init__(self) -> None:
        self._left = 0
        self._granted: datetime | None = None

    def grant(self, room: int, now: datetime) -> None:
        """Allow a share of *room*, the number of letters left after a new count."""
        self._left, self._granted = room // _SHARE, now

    def covers(self, number: int, now: datetime) -> bool:
        """Return whether *number* letters can be sent without a new count."""
        granted = self._granted
        return granted is not None and number <= self._left and granted <= now < granted + _MINUTE

    def use(self, number: int) -> None:
        """Record that *number* letters are being sent."""
        self._left -= number


@dataclass(frozen=True, slots=True)
class SendQuota:
    """The allowances of a sender: for all letters in the hour, and as if all went to one domain."""

    hourly: Allowance = field(default_factory=Allowance)
    by_domain: Allowance = field(default_factory=Allowance)


@dataclass(frozen=True, slots=True)
class SendSlot:
    """One sender's round: its owner, the time, the lease of each letter, and the most letters."""

    owner: str
    now: datetime
    lease: timedelta
    most: int
    measures: SendQuota


def claim_due(session: Session, site: Site, pace: Pace, slot: SendSlot) -> list[OutboxLetter]:
    """Claim the letters that are due and can be sent, the longest due first.

    If the hourly limit is reached and letters are still due, sending stops, and the operator is
    notified once by an alert that is sent all the same. Letters to a domain at its limit are put
    off without counting an attempt.
    """
    now = slot.now
    if not outbox.is_due(session, now):
        return []
    if circuit_breaker.holds_until(session, now) is None:
        if (room := _room(session, pace, slot)) > 0:
            letters = _within_pace(session, pace, slot, room)
            slot.measures.hourly.use(len(letters))
            return letters
        _stop(Desk(session, site, now), pace)
    return outbox.claim(session, slot.owner, now, slot.lease, slot.most, kind=_ALERT)


def _room(session: Session, pace: Pace, slot: SendSlot) -> int:
    if not slot.measures.hourly.covers(slot.most, slot.now):
        sent = outbox.sent_since(session, circuit_breaker.counted_from(session, slot.now), slot.now)
        room = pace.letters_an_hour - sent
        slot.measures.hourly.grant(room, slot.now)
        return min(slot.most, room)
    return slot.most


def _within_pace(session: Session, pace: Pace, slot: SendSlot, room: int) -> list[OutboxLetter]:
    a_minute = pace.a_domain_a_minute
    while letters := outbox.claim(session, slot.owner, slot.now, slot.lease, room):
        if a_minute is None or _fits_any_domain(session, a_minute, slot, len(letters)):
            return letters
        recent = outbox.recipients_in(session, Span(slot.now - _MINUTE, slot.now))
        busy = Counter(map(_domain, recent))
        allowed = []
        for letter in letters:
            domain = _domain(letter.recipient)
            if busy[domain] < a_minute:
                busy[domain] += 1
                allowed.append(letter)
            else:
                outbox.put_off(session, letter, slot.now + _MINUTE)
        if allowed:
            return allowed
    return []


def _fits_any_domain(session: Session, a_minute: int, slot: SendSlot, number: int) -> bool:
    """Return whether no domain can reach its limit, even if all letters went to one.

    This is the usual case, and spares counting by domain.
    """
    if not slot.measures.by_domain.covers(number, slot.now):
        room = a_minute - outbox.sent_in(session, Span(slot.now - _MINUTE, slot.now))
        if room < number:
            return False
        slot.measures.by_domain.grant(room, slot.now)
    slot.measures.by_domain.use(number)
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
