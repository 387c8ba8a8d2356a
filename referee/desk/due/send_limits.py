"""Sending limits: which letters can be sent now, and a stop for floods."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.outbox_writer import tell_operator
from referee.domain.shares import SHARES, Size, Thing
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.database.base import Span
from referee.store.letter_states import SendShare
from referee.store.mail import circuit_breaker, outbox
from referee.store.models import OutboxLetter

_MINUTE: Final = timedelta(minutes=1)
_ALERT: Final = OperatorAlert.__name__
_CALLED: Final = {
    SendShare.TURNS: "reports and reminders",
    SendShare.ORDERS: "answers to orders",
    SendShare.OTHERS: "emails other than reports and answers to orders",
}
_LIMITS: Final = {
    SendShare.TURNS: Thing.SENT,
    SendShare.ORDERS: Thing.SENT_BUT_TURNS,
    SendShare.OTHERS: Thing.SENT_OTHERS,
}
"""The limit of each share. The letters of the shares below count for it, too."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Rate limits of sending, shared by all referees on one database.

    Above *letters_an_hour* something must be wrong, and sending stops for an hour. A part of it is
    only for letters about turns, and another one for them and answers to orders. Above
    *a_domain_a_minute* letters to that domain wait for a minute, and all others are sent.
    """

    letters_an_hour: int = 2000
    a_domain_a_minute: int | None = None

    def room(self, share: SendShare, sent: Mapping[SendShare, int]) -> int:
        """Return how many letters of a share can still be sent in the hour."""
        left, rest = list[int](), sum(sent.values())
        for each, thing in _LIMITS.items():
            (limit,) = SHARES[thing]
            (most,) = limit.numbers({Size.LETTERS: self.letters_an_hour}).values()
            left.append(most - rest)
            rest -= sent[each]
            if each is share:
                break
        return min(left)


@dataclass(frozen=True, slots=True)
class SendSlot:
    """One sender's round: its owner, the time, the lease of each letter, and the most letters."""

    owner: str
    now: datetime
    lease: timedelta
    most: int


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
    breaker = circuit_breaker.at(session, now)
    if breaker.holds_until is None:
        sent = outbox.sent_since(session, breaker.counted_from, now)
        due = _within_pace(session, pace, slot, sent)
        if due.letters:
            return due
        _report_waiting(Desk(session, site, now), pace, sent)
    return DueLetters(outbox.claim(session, slot.owner, now, slot.lease, slot.most, kind=_ALERT))


def _within_pace(
    session: Session, pace: Pace, slot: SendSlot, sent: Mapping[SendShare, int]
) -> DueLetters:
    a_minute, minute = pace.a_domain_a_minute, Span(slot.now - _MINUTE, slot.now)
    while letters := _claim(session, pace, slot, sent):
        # Usually no domain can reach its limit, even if all letters went to one.
        if a_minute is None or outbox.sent_in(session, minute) + len(letters) <= a_minute:
            have_room = _have_room(pace, slot, sent)
            return DueLetters(letters, are_all=have_room and len(letters) < slot.most)
        recent = outbox.recipients_in(session, minute)
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


def _have_room(pace: Pace, slot: SendSlot, sent: Mapping[SendShare, int]) -> bool:
    """Return whether no share of the hourly limit can be used up by one round."""
    return all(pace.room(share, sent) >= slot.most for share in SendShare)


def _claim(
    session: Session, pace: Pace, slot: SendSlot, sent: Mapping[SendShare, int]
) -> list[OutboxLetter]:
    """Claim as many letters as one round sends, of each share no more than are left of it."""
    take = partial(outbox.claim, session, slot.owner, slot.now, slot.lease)
    if _have_room(pace, slot, sent):
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


def _report_waiting(desk: Desk, pace: Pace, sent: Mapping[SendShare, int]) -> None:
    """Notify the operator of what stops due letters, if the hourly limit or a share is used up."""
    waiting = outbox.shares_due(desk.session, desk.now)
    if waiting and pace.room(SendShare.TURNS, sent) <= 0:
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
    to_do = (
        "Check with `referee mail list outbox` what is being sent. If all is well, `referee"
        " mail resume` resumes at once; limits.letters_an_hour in the settings allows more."
    )
    alert = OperatorAlert(subject=subject, what=what, reference=reference, to_do=to_do)
    tell_operator(desk, alert, reference)


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
