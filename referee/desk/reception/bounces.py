"""Letters of ours that come back: counted, sent on to a second address, and the GMs are told."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post, with_token
from referee.desk.base.site import Site
from referee.desk.seats import address_switch
from referee.domain.trust import ReturnToken, SeatToken, verify
from referee.letters.incoming.bounces import Return, read_return, reported_sender
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing import address_notices, notices
from referee.store import Session
from referee.store.games import games
from referee.store.mail import outbox
from referee.store.models import InboxLetter, OutboxLetter, Person
from referee.store.people import people

WORKS_AGAIN: Final = timedelta(days=3)
"""After so long without a return, a reply of his shows that his address works again."""
DEAD_AFTER: Final = 3
"""After so many returns everything goes to the second address, if there is one."""

_ASKED_AT_HOME: Final = frozenset(
    {notices.Confirmation.__name__, address_notices.AddressConfirm.__name__}
)
"""Kinds of letters that ask whether he meant it: who reads the second address alone, does not."""


@dataclass(frozen=True, slots=True)
class _Returned:
    """Whose letter came back, and which one it was, if it is still known."""

    person: Person
    letter: OutboxLetter | None


def take_return(desk: Desk, letter: Letter, row: InboxLetter, screening: Screening) -> str:
    """Count a bounce or a complaint for whom it is about, and give a note for the inbox.

    Only the signed address that our letter was sent from tells who that is; whatever else the
    report says, anybody could have written.
    """
    complaint = screening is Screening.COMPLAINT
    told = (row.envelope_recipient, *letter.recipients)
    told = (*told, reported_sender(row.raw)) if complaint else told
    found = _returned(desk.session, desk.site, told)
    if found is None:
        return f"{screening.value}, about nobody we know"
    account = f"account #{found.person.account}"
    if not complaint and read_return(row.raw) is Return.PASSING:
        return f"{screening.value}: a letter to {account} is delayed"
    if not _take(desk, found, f"{row.id}i", complaint=complaint):
        return f"{screening.value}, about an address that {account} has no more"
    return f"{screening.value}, counted for {account}"


def take_rejection(desk: Desk, letter: OutboxLetter) -> None:
    """Count a letter that its addressee's mail server refused for good when we sent it."""
    person = people.by_address(desk.session, letter.recipient)
    if person is not None:
        _take(desk, _Returned(person, letter), f"{letter.id}o", complaint=False)


def note_reply(person: Person, now: datetime) -> None:
    """Forget the bounces of a person whose replies show that our letters reach him."""
    if person.bounced_at is not None and person.bounced_at < now - WORKS_AGAIN:
        person.second_bounces, person.bounced_at = 0, None
        # His replies to what came to the second address say nothing of the first.
        person.bounces = person.bounces if person.is_at_second else 0


def _returned(session: Session, site: Site, addresses: tuple[str, ...]) -> _Returned | None:
    for address in addresses:
        local, _, domain = address.rpartition("@")
        if domain.lower() != site.domain.lower():
            continue
        token = verify(local.partition("+")[2], site.key)
        if isinstance(token, ReturnToken | SeatToken):
            person = _whose(session, token)
            letter = outbox.newest_sent_from(session, with_token(site, token))
            return _Returned(person, letter) if person is not None else None
    return None


def _whose(session: Session, token: ReturnToken | SeatToken) -> Person | None:
    if isinstance(token, ReturnToken):
        return people.by_id(session, token.person)
    seat = games.seat_by_id(session, token.seat)
    # A late bounce to an earlier holder is none of the present one's.
    return seat.person if seat is not None and seat.epoch == token.epoch else None


def _take(desk: Desk, returned: _Returned, serial: str, *, complaint: bool) -> bool:
    """Count a return for the address it is about, and return whether that is still one of his.

    The GMs are told of the first one. A letter that could not be delivered goes to the second
    address; nobody is followed there who calls our letters unwanted.
    """
    person, letter = returned.person, returned.letter
    failed = letter.recipient if letter is not None else person.mailing_address
    if failed not in (person.address, person.second_address):
        return False
    first = failed == person.address
    goes_on = first and person.second_address is not None and not complaint
    if _count(person, desk.now, first=first) == 1:
        _warn(desk, person, serial, complaint=complaint, goes_on=goes_on)
    if goes_on:
        _send_on(desk, returned)
    return True


def _count(person: Person, now: datetime, *, first: bool) -> int:
    person.bounced_at = now
    if first:
        person.bounces += 1
        return person.bounces
    person.second_bounces += 1
    return person.second_bounces


def _send_on(desk: Desk, returned: _Returned) -> None:
    """Send a letter to the second address, and after too many of them let all others follow."""
    person, letter = returned.person, returned.letter
    assert person.second_address is not None
    if letter is not None and letter.kind not in _ASKED_AT_HOME:
        outbox.redirect(letter, person.second_address, desk.now)
    if person.bounces >= DEAD_AFTER and not (person.is_at_second or person.second_bounces):
        address_switch.fall_back(desk, person)


def _warn(desk: Desk, person: Person, serial: str, *, complaint: bool, goes_on: bool) -> None:
    for seat in games.seats_of(desk.session, person):
        notice = notices.BounceWarning(seat.game.name, seat.name, complaint, goes_on)
        for master in seat.game.masters:
            if master.person_id != person.id:
                to, name = mailbox(master.person), f"bounce{serial}x{seat.id}"
                post(desk, notice, Addressing(to, name, game=seat.game, can_wait=True))
