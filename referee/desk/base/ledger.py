"""The ledger: asks whether a share has enough left for a charge, and books what is spent."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from publicsuffixlist import PublicSuffixList

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.domain.mailboxes import mailbox_of
from referee.domain.shares import Charge, Key, Refusal, Share, Size, Span, Thing
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.mail import bookings
from referee.store.mail.bookings import Purse, Spent

Payers = Mapping[Key, str]
_LONGEST: Final = 300
"""The most characters of a purse: an address in From can be longer."""
_NOTHING: Final = Spent(0, 0)
_ASKING: Final = (Thing.QUESTION, Thing.CODE, Thing.STRANGER, Thing.NEWCOMER)


def payers_of(
    address: str, *, is_known: bool, is_proven: bool, game: str = "", token: str = ""
) -> Payers:
    """Return who pays for a letter with this address in From, by the proof in the letter.

    *token* is the reply address that it was sent to by its owner. A letter that proves nothing is
    never paid by the person that it names.
    """
    if token:
        return {Key.SEAT: token, Key.KNOWN: ""}
    if not is_known:
        pool = {Key.DOMAIN: registered(address)} if is_proven else {Key.ANYBODY: ""}
        return {Key.MAILBOX: mailbox_of(address), **pool}
    if is_proven:
        return {Key.PERSON: address, Key.PERSON_IN_GAME: f"{address} {game}", Key.KNOWN: ""}
    return {Key.CLAIMED: address, Key.CLAIMED_IN_GAME: f"{address} {game}", Key.ANYBODY: ""}


def holding(thing: Thing, address: str, holders: Sequence[str], game: str = "") -> Charge:
    """Return the charge for one more thing of an address, with an address for each that is held."""
    domain = registered(address)
    own = holders.count(address)
    payers = {Key.PERSON: address, Key.GM: address, Key.DOMAIN: domain, Key.GAME: game}
    held = {
        Key.PERSON: own,
        Key.GM: own,
        Key.DOMAIN: sum(registered(each) == domain for each in holders),
        Key.GAME: len(holders),
        Key.SITE: len(holders),
    }
    return Charge(thing, payers, held=held)


def refusal(desk: Desk, *charges: Charge) -> Refusal | None:
    """Return the first share that has not enough left for one of the charges, or None."""
    spent = _spent(desk.session, charges, desk.now)
    refused = (
        _Books(charge, spent).refusal(share, whose, desk.site.sizes)
        for charge in charges
        for share, whose in charge.shares()
    )
    return next(filter(None, refused), None)


def require(desk: Desk, charge: Charge) -> None:
    """Raise UserError in the words of the share that has not enough left for a charge."""
    if (refused := refusal(desk, charge)) is not None:
        raise UserError(refused.words)


def book(desk: Desk, *charges: Charge) -> None:
    """Book charges on all shares that pay for them, whether or not they have enough left."""
    amounts = Counter[Purse]()
    for charge in charges:
        for share, whose in charge.shares():
            if share.is_booked:
                amounts[_purse(share, whose)] += charge.amount
    bookings.add(desk.session, amounts, desk.now)


def used(session: Session, charge: Charge, now: datetime) -> int:
    """Return how much of the thing was spent in a day by the payer who spent most."""
    return max((spent.day for spent in _spent(session, [charge], now).values()), default=0)


def first_spent(session: Session, charge: Charge, now: datetime) -> datetime:
    """Return the minute in the last day in which the payers first spent something."""
    purses = [_purse(share, whose) for share, whose in charge.shares()]
    return min(filter(None, (bookings.first(session, purse, now) for purse in purses)), default=now)


def give_back(desk: Desk, address: str) -> None:
    """Return the cost of the last question to an address to its payers: it is confirmed."""
    own = {Key.PERSON: address, Key.CLAIMED: address, Key.MAILBOX: mailbox_of(address)}
    purses = [_named(thing, *payer) for thing in _ASKING for payer in own.items()]
    if (newest := bookings.newest(desk.session, purses, desk.now)) is None:
        return
    purse, minute = newest
    thing = Thing[purse.thing]
    domain = _named(thing, Key.DOMAIN, registered(address))
    for each in (purse, _named(thing, Key.SITE, "")):
        bookings.take_back(desk.session, each, minute)
    if not bookings.take_back(desk.session, domain, minute):
        bookings.take_back(desk.session, _named(thing, Key.ANYBODY, ""), minute)


def is_first_notice(desk: Desk, payers: Payers, span: Span) -> bool:
    """Book a notice that a share is used up; return whether it is the first in that span."""
    notice = Charge(Thing.NOTICE, payers)
    spent = _spent(desk.session, [notice], desk.now)
    is_noted = any(_in(span, each) for each in spent.values())
    book(desk, notice)
    return not is_noted and any(notice.shares())


def warn_operator(desk: Desk, refused: Refusal, what: str, to_do: str) -> None:
    """Warn the operator, once a day for each share, that it is used up."""
    purse = _purse(refused.share, refused.whose)
    digest = hashlib.sha256(" ".join(purse).encode()).hexdigest()[:6]
    if not desk.site.operator or not is_first_notice(desk, {Key.OPERATOR: digest}, Span.DAY):
        return
    reference = f"{desk.now:%Y%m%d}x{digest}"
    alert = OperatorAlert("used up: " + refused.share.thing.value, what, reference, to_do)
    post(desk, alert, Addressing(MailAddress("", desk.site.operator), f"used{reference}"))


@dataclass(frozen=True, slots=True)
class _Books:
    """A charge, and what was spent from the purses that pay for it."""

    charge: Charge
    spent: Mapping[Purse, Spent]

    def refusal(self, share: Share, whose: str, sizes: Mapping[Size, int]) -> Refusal | None:
        """Return that the share has not enough left, or None if it has."""
        pool, of_whom = self.charge.pool if share.of_the_rest else (share, whose)
        for span, most in pool.numbers(sizes).items():
            if share.of_the_rest:
                left = most - self._used(pool, of_whom, span)
                # A key can have as much as a third of what everyone has left.
                most = -(-max(left, 0) // 3)
            if self._used(share, whose, span) + self.charge.amount > most:
                return Refusal(share, whose, span, most)
        return None

    def _used(self, share: Share, whose: str, span: Span) -> int:
        if span in (Span.TURN, Span.AT_ONCE):
            return self.charge.held.get(share.key, 0)
        return _in(span, self.spent.get(_purse(share, whose), _NOTHING))


def _spent(session: Session, charges: Iterable[Charge], now: datetime) -> Mapping[Purse, Spent]:
    purses = {
        _purse(share, whose)
        for charge in charges
        for share, whose in charge.shares()
        if share.is_booked
    }
    return bookings.spent(session, purses, now) if purses else {}


def _in(span: Span, spent: Spent) -> int:
    return spent.day if span is Span.DAY else spent.hour


def _purse(share: Share, whose: str) -> Purse:
    return _named(share.thing, share.key, whose)


def _named(thing: Thing, key: Key, whose: str) -> Purse:
    return Purse(thing.name, f"{key.name} {whose}"[:_LONGEST])


def registered(address: str) -> str:
    """Return the domain of an address that somebody had to register, as example.co.uk."""
    domain = address.rpartition("@")[2].lower()
    return _suffixes().privatesuffix(domain) or domain


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
