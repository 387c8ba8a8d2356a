"""The ledger: asks whether a share has enough left for a charge, and books what is spent."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Final

from publicsuffixlist import PublicSuffixList

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import tell_operator
from referee.domain.mailboxes import mailbox_of
from referee.domain.shares import Charge, Key, Level, Span, Thing
from referee.letters.outgoing.notices import OperatorAlert
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store import Session
from referee.store.mail import bookings, levels
from referee.store.mail.bookings import Purse

Payers = Mapping[Key, str]
_ASKING: Final = (Thing.QUESTION, Thing.CODE, Thing.STRANGER, Thing.NEWCOMER)


def payers_of(
    address: str,
    *,
    is_known: bool,
    is_proven: bool,
    game: str = "",
    token: str = "",
    network: str = "",
    is_large: bool = False,
) -> Payers:
    """Return who pays for a letter with this address in From, by the proof in the letter.

    *token* is the reply address that it was sent to by its owner. *network* handed it over, if that
    was seen. A letter that proves nothing is never paid by the person that it names. *is_large*
    counts only for the room that it takes.
    """
    if token:
        return {Key.SEAT: token, Key.DOMAIN: registered(address)}
    pool = {Key.DOMAIN: registered(address)} if is_proven else {Key.ANYBODY: ""}
    pool |= {Key.ANYBODY_LARGE: ""} if is_large and not is_proven else {}
    pool |= {Key.NETWORK: network} if network else {}
    if not is_known:
        return {Key.MAILBOX: mailbox_of(address), **pool}
    if is_proven:
        return {Key.PERSON: address, Key.PERSON_IN_GAME: f"{address} {game}", **pool}
    return {Key.CLAIMED: address, Key.CLAIMED_IN_GAME: f"{address} {game}", **pool}


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


def refusal(desk: Desk, *charges: Charge) -> Level | None:
    """Return the first share that has not enough left for one of the charges, or None."""
    spent = levels.reader(levels.spent_of(desk.session, charges, desk.now))
    each = (charge.refused(spent, desk.site.sizes) for charge in charges)
    found = next(filter(None, each), None)
    if found is not None:
        note_refusal(desk, found)
    return found


def require(desk: Desk, *charges: Charge) -> None:
    """Raise UserError in the words of the share that has not enough left for one of the charges."""
    if (refused := refusal(desk, *charges)) is not None:
        raise UserError(refused.words)


def book(desk: Desk, *charges: Charge) -> None:
    """Book charges on all shares that pay for them, whether or not they have enough left."""
    amounts = Counter[Purse]()
    for charge in charges:
        for share, whose in charge.shares():
            if share.is_booked:
                amounts[levels.purse_of(share, whose)] += charge.amount
    bookings.add(desk.session, amounts, desk.now)


def used(session: Session, charge: Charge, now: datetime) -> int:
    """Return how much of the thing was spent in a day by the payer who spent most."""
    return max((spent.day for spent in levels.spent_of(session, [charge], now).values()), default=0)


def give_back(desk: Desk, address: str, network: str = "") -> None:
    """Return the cost of the last question to an address to its payers: it is confirmed.

    *network* handed over the letter that it is about.
    """
    own = {Key.PERSON: address, Key.CLAIMED: address, Key.MAILBOX: mailbox_of(address)}
    purses = [levels.named(thing, *payer) for thing in _ASKING for payer in own.items()]
    if (newest := bookings.newest(desk.session, purses, desk.now)) is None:
        return
    purse, minute = newest
    thing = Thing[purse.thing]
    domain = levels.named(thing, Key.DOMAIN, registered(address))
    shared = levels.named(thing, Key.NETWORK, network), levels.named(thing, Key.SITE, "")
    for each in (purse, *shared):
        bookings.take_back(desk.session, each, minute)
    if not bookings.take_back(desk.session, domain, minute):
        bookings.take_back(desk.session, levels.named(thing, Key.ANYBODY, ""), minute)


def is_first_notice(desk: Desk, thing: Thing, payers: Payers, span: Span) -> bool:
    """Book a notice that a share is used up; return whether it is the first in that span."""
    notice = Charge(thing, payers)
    spent = levels.spent_of(desk.session, [notice], desk.now)
    if any(levels.within(span, each) for each in spent.values()) or not any(notice.shares()):
        return False
    book(desk, notice)
    return True


def note_refusal(desk: Desk, level: Level) -> None:
    """Count a refusal for the daily summary, and alert the operator if the share says so."""
    purse = levels.purse_of(level.share, level.whose)
    bookings.add(desk.session, {Purse(levels.REFUSED + purse.thing, purse.payer): 1}, desk.now)
    if level.share.alerts_operator:
        _warn_operator(desk, level)


def used_up(session: Session, now: datetime) -> Iterator[str]:
    """Yield a line for each share that was used up within a day, for the operator."""
    for purse, spent in bookings.spent(session, None, now).items():
        if purse.thing.startswith(levels.REFUSED):
            key, _, whose = purse.payer.partition(" ")
            thing = Thing[purse.thing.removeprefix(levels.REFUSED)]
            owner = levels.owner_of(session, Key[key], whose)
            yield f"{thing.value}: used up by {owner} ({counted(spent.day, 'refusal')})"


def _warn_operator(desk: Desk, level: Level) -> None:
    """Warn the operator, once a day for each row of the table, that somebody has used it up."""
    share = level.share
    row = f"{share.thing.name}-{share.key.name}".lower()
    if not desk.site.operator or not is_first_notice(
        desk, Thing.NOTICE, {Key.OPERATOR: row}, Span.DAY
    ):
        return
    setting = share.grows_with.value if share.grows_with else ""
    wanted = f" If they are wanted, set {setting} higher and restart the referee." * bool(setting)
    owner = levels.owner_of(desk.session, share.key, level.whose)
    used = f"{share.thing.value}: {level.figures} are used up by {owner}"
    alert = OperatorAlert(
        subject=f"used up: {share.thing.value}",
        what=f"{used}. Emails that need more of it wait, or are not answered, done or received, "
        "until some of it is free again. If others use up theirs today, the summary names them.",
        reference=f"{desk.now:%Y%m%d}-{row}",
        to_do="`referee status` shows what is used, and `referee mail list` what came. If somebody "
        f"floods the address, block them at your mail server.{wanted}",
    )
    tell_operator(desk, alert, f"used{alert.reference}")


def registered(address: str) -> str:
    """Return the domain of an address that somebody had to register, as example.co.uk."""
    domain = address.rpartition("@")[2].lower()
    return _suffixes().privatesuffix(domain) or domain


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
