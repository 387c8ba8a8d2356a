"""Sending limits: which letters can be sent now, and a stop for floods."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.outbox_writer import Addressing, post
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.database.base import Span
from referee.store.letter_states import SendShare
from referee.store.mail import circuit_breaker, outbox
from referee.store.models import OutboxLetter

_MINUTE: Final = timedelta(minutes=1)
_SHARE: Final = 10
_ALERT: Final = OperatorAlert.__name__
_STRANGERS: Final = 10
_CALLED: Final = {
    SendShare.TURNS: "reports and reminders",
    SendShare.ORDERS: "answers to orders",
    SendShare.OTHERS: "emails other than reports and answers to orders",
    SendShare.STRANGERS: "emails to unknown addresses",
}


@dataclass(frozen=True, slots=True)
class Pace:
    """Rate limits of sending, shared by all referees on one database.

    Above *letters_an_hour* something must be wrong, and sending stops for an hour. A quarter of it
    is only for letters about turns, another quarter only for them and for answers to orders.
    Letters to strangers are not counted; there are a tenth as many of them. Above
    *a_domain_a_minute* letters to that domain wait for a minute, and all others are sent.
    """

    letters_an_hour: int = 2000
    a_domain_a_minute: int | None = None

    def room(self, share: SendShare, sent: Mapping[SendShare, int]) -> int:
        """Return how many letters of a share can still be sent in the hour."""
        most = self.letters_an_hour
        if share is SendShare.STRANGERS:
            return max(most // _STRANGERS, 1) - sent[share]
        others = sent[SendShare.OTHERS]
        orders = others + sent[SendShare.ORDERS]
        left = [most - orders - sent[SendShare.TURNS]]
        if share is not SendShare.TURNS:
            left.append(max(most * 3 // 4, 1) - orders)
        if share is SendShare.OTHERS:
            left.append(max(most // 2, 1) - others)
        return min(left)


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


@dataclass(frozen=True, slots=True)
class DueLetters:
    """The claimed letters of a round, and whether they are all that can be sent now."""

    letters: list[OutboxLetter]
    are_all: bool = False


def claim_due(session: Session, site: Site, pace: Pace, slot: SendSlot) -> DueLetters:
    """Claim the letters that are due and can be sent, the longest due first.

    If the hourly limit is reached and letters are still due, sending stops, and the operator is
    notified once by an alert that is sent all the same. If only a share of it is used up, the
    letters of that share wait, and the operator is notified once an hour. Letters to a domain at
    its limit are put off without counting an attempt.
    """
    now = slot.now
    if not outbox.is_due(session, now):
        return DueLetters([], are_all=True)
    if circuit_breaker.holds_until(session, now) is None:
        sent = _sent(session, pace, slot)
        due = _within_pace(session, pace, slot, sent)
        if due.letters:
            slot.measures.hourly.use(len(due.letters))
            return due
        if sent is not None:
            _report_waiting(Desk(session, site, now), pace, sent)
    return DueLetters(outbox.claim(session, slot.owner, now, slot.lease, slot.most, kind=_ALERT))


def _sent(session: Session, pace: Pace, slot: SendSlot) -> dict[SendShare, int] | None:
    """Return the letters of each share sent in the hour, or None if no share can be used up."""
    if slot.measures.hourly.covers(slot.most, slot.now):
        return None
    sent = outbox.sent_since(session, circuit_breaker.counted_from(session, slot.now), slot.now)
    slot.measures.hourly.grant(min(pace.room(share, sent) for share in SendShare), slot.now)
    return sent


def _within_pace(
    session: Session, pace: Pace, slot: SendSlot, sent: Mapping[SendShare, int] | None
) -> DueLetters:
    a_minute = pace.a_domain_a_minute
    while letters := _claim(session, pace, slot, sent):
        if a_minute is None or _fits_any_domain(session, a_minute, slot, len(letters)):
            have_room = _have_room(pace, slot, sent)
            return DueLetters(letters, are_all=have_room and len(letters) < slot.most)
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
            return DueLetters(allowed)
    return DueLetters([])


def _have_room(pace: Pace, slot: SendSlot, sent: Mapping[SendShare, int] | None) -> bool:
    """Return whether no share of the hourly limit can be used up by one round."""
    return sent is None or all(pace.room(share, sent) >= slot.most for share in SendShare)


def _claim(
    session: Session, pace: Pace, slot: SendSlot, sent: Mapping[SendShare, int] | None
) -> list[OutboxLetter]:
    """Claim as many letters as one round sends, of each share no more than are left of it."""
    take = partial(outbox.claim, session, slot.owner, slot.now, slot.lease)
    if sent is None or _have_room(pace, slot, sent):
        return take(slot.most)
    letters: list[OutboxLetter] = []
    counted = dict(sent)
    for share in SendShare:
        most = min(pace.room(share, counted), slot.most - len(letters))
        if most > 0:
            claimed = take(most, share=share)
            counted[share] += len(claimed)
            letters += claimed
    return letters


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


def _report_waiting(desk: Desk, pace: Pace, sent: Mapping[SendShare, int]) -> None:
    """Notify the operator of what stops due letters, if the hourly limit or a share is used up."""
    waiting = outbox.shares_due(desk.session, desk.now)
    if waiting - {SendShare.STRANGERS} and pace.room(SendShare.TURNS, sent) <= 0:
        number = circuit_breaker.trip(desk.session, desk.now)
        what = (
            f"More than {pace.letters_an_hour} emails were due within an hour, so sending has"
            " stopped. It resumes automatically in an hour."
        )
        _alert(desk, "sending is paused for an hour", what, f"flood{number}")
        return
    for share in sorted(waiting, key=list(SendShare).index):
        if pace.room(share, sent) <= 0:
            what = (
                f"Too many {_CALLED[share]} were due within an hour, so they wait until fewer were"
                " sent in the last hour. Reports and reminders go on."
            )
            reference = f"waiting{share.value}{desk.now:%Y%m%d%H}"
            _alert(desk, f"{_CALLED[share]} are waiting", what, reference)


def _alert(desk: Desk, subject: str, what: str, reference: str) -> None:
    if not desk.site.operator:
        return
    to_do = (
        "Check with `referee mail list outbox` what is being sent. If all is well, `referee"
        " mail resume` resumes at once; limits.letters_an_hour in the settings allows more."
    )
    alert = OperatorAlert(subject=subject, what=what, reference=reference, to_do=to_do)
    post(desk, alert, Addressing(MailAddress("", desk.site.operator), reference))


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
