"""How much of the shares is used, and whose they are, in words for the operator."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from referee.domain.shares import Charge, Key, Level, Share, Size, Span, Thing
from referee.store.database.engine import Session
from referee.store.games import games
from referee.store.mail import bookings
from referee.store.mail.bookings import Purse, Spent
from referee.store.people import people

REFUSED: Final = "NO "
"""Stands before the thing of a purse whose refusals are counted."""
_LONGEST: Final = 300
"""The most characters of a purse: an address in From can be longer."""
_NOTHING: Final = Spent(0, 0)


def levels(session: Session, sizes: Mapping[Size, int], now: datetime) -> Iterator[Level]:
    """Yield how much is used of each share from which something was spent within a day."""
    spent = bookings.spent(session, None, now)
    others = REFUSED, Thing.NOTICE.name
    for purse in (each for each in spent if not each.thing.startswith(others)):
        name, _, whose = purse.payer.partition(" ")
        # The pool of some parts is what those have who prove nothing.
        charge = Charge(Thing[purse.thing], {Key.ANYBODY: "", Key[name]: whose})
        for share, of_whom in charge.shares():
            if share.key is Key[name]:
                found = charge.levels(share, of_whom, reader(spent), sizes)
                yield from (level for level in found if level.used)


def owner_of(session: Session, key: Key, whose: str) -> str:
    """Return whose a share is, in words for the operator, who reads no address."""
    kind: str = key.value
    if key in (Key.DOMAIN, Key.NETWORK):
        return f"emails from {whose}"
    number = whose.partition(" ")[0].removeprefix("s")
    if key is Key.SEAT and number.isdigit():
        seat = games.seat_by_id(session, int(number))
        return f"the player of {seat.name} of {seat.game.name}" if seat is not None else kind
    person = people.by_address(session, whose.partition(" ")[0]) if whose else None
    if person is None:
        return kind
    held = ", ".join(f"{row.name} of {row.game.name}" for row in games.seats_of(session, person))
    return f"account #{person.account}{f' ({held})' * bool(held)}: {kind}"


def reader(spent: Mapping[Purse, Spent]) -> Callable[[Share, str, Span], int]:
    """Return the reader of the amount spent of a share by a payer within a span."""
    return lambda share, whose, span: within(span, spent.get(purse_of(share, whose), _NOTHING))


def spent_of(session: Session, charges: Iterable[Charge], now: datetime) -> Mapping[Purse, Spent]:
    """Return the amounts spent of the shares that these charges concern."""
    purses = {
        purse_of(share, whose)
        for charge in charges
        for share, whose in charge.shares()
        if share.is_booked
    }
    return bookings.spent(session, purses, now) if purses else {}


def within(span: Span, spent: Spent) -> int:
    """Return the amount spent within a span."""
    return spent.day if span is Span.DAY else spent.hour


def purse_of(share: Share, whose: str) -> Purse:
    """Return the purse of a share and its payer."""
    return named(share.thing, share.key, whose)


def named(thing: Thing, key: Key, whose: str) -> Purse:
    """Return the purse of a thing and a payer."""
    return Purse(thing.name, f"{key.name} {whose}"[:_LONGEST])
