"""Bounces of our letters: counted, redirected to a second address, and reported to the GMs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.outbox_writer import Addressing, mailbox, post, tell_operator, with_extension
from referee.desk.seats import address_switch, forgetting
from referee.domain.tokens import Kind, verify
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.screening import Return, Screening, read_return, reported_sender
from referee.letters.outgoing import address_notices, notices
from referee.letters.outgoing.gm_notices import BounceWarning
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.games import games
from referee.store.mail import outbox
from referee.store.models import InboxLetter, OutboxLetter, Person
from referee.store.people import people

DEAD_AFTER: Final = 3
"""After this many bounces, all letters go to the second address, if there is one."""

_PRIMARY_ONLY: Final = frozenset(
    {notices.Confirmation.__name__, address_notices.AddressConfirm.__name__}
)
"""Kinds of letters never redirected: only a reader of the primary address may confirm them."""

_RETURNED: Final = {Screening.BOUNCE: "bounced", Screening.COMPLAINT: "reported as spam"}
"""The error of a letter when it was counted, until it is sent again."""


@dataclass(frozen=True, slots=True)
class _Returned:
    """The person whose letter bounced, and the letter itself, if still known."""

    person: Person
    letter: OutboxLetter | None


def take_return(desk: Desk, letter: Letter, row: InboxLetter, screening: Screening) -> str:
    """Count a bounce or complaint for the person it concerns, and return a note for the inbox.

    It counts once for each time that the letter was sent, since anyone who has got hold of its
    return address can make up more, and not at all for a letter that is no longer here. Only the
    signed address that our letter was sent from identifies the person. It is not the reply
    address and is shown nowhere in the letter, so a person who saw a token cannot make up a report.
    The rest of the report could have been written by anyone.
    """
    complaint = screening is Screening.COMPLAINT
    told = (*letter.recipients, reported_sender(row.raw)) if complaint else letter.recipients
    found = _returned(desk.session, desk.site, told)
    if found is None:
        return f"{screening.value}, about someone we do not know"
    account = f"account #{found.person.account}"
    if not complaint and read_return(row.raw) is Return.PASSING:
        return f"{screening.value}: a letter to {account} is delayed"
    if found.letter is None:
        return f"{screening.value}, about an email to {account} that is no longer here"
    if found.letter.error in _RETURNED.values():
        return f"{screening.value}, counted before for {account}"
    if not _count_return(desk, found, f"{row.id}i", complaint=complaint):
        return f"{screening.value}, about an address that {account} no longer has"
    found.letter.error = _RETURNED[screening]
    return f"{screening.value}, counted for {account}"


def take_rejection(desk: Desk, letter: OutboxLetter) -> None:
    """Count a letter that the recipient's mail server permanently rejected when we sent it."""
    person = people.by_address(desk.session, letter.recipient)
    if person is not None:
        _count_return(desk, _Returned(person, letter), f"{letter.id}o", complaint=False)


def _returned(session: Session, site: Site, addresses: tuple[str, ...]) -> _Returned | None:
    for address in addresses:
        local, _, domain = address.rpartition("@")
        if domain.lower() != site.domain.lower():
            continue
        extension = local.partition("+")[2].lower()
        token = verify(extension, site.key)
        if token is not None and token.kind is Kind.RETURN:
            person = people.by_id(session, token.number)
            letter = outbox.newest_sent_from(session, with_extension(site, extension))
            if person is None or person.forgotten_at is not None:
                return None
            return _Returned(person, letter)
    return None


def _count_return(desk: Desk, returned: _Returned, serial: str, *, complaint: bool) -> bool:
    """Count a bounce for its address; return whether the person still has that address.

    The GMs are notified of the first one. An undelivered letter is redirected to the second
    address. After a complaint it is not: the person does not want our letters.
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
    """Redirect a letter to the second address, and after too many bounces all letters."""
    person, letter = returned.person, returned.letter
    assert person.second_address is not None
    if letter is not None and letter.kind not in _PRIMARY_ONLY:
        outbox.redirect(letter, person.second_address, desk.now)
    if person.bounces >= DEAD_AFTER and not (person.is_at_second or person.second_bounces):
        address_switch.fall_back(desk, person)


def _warn(desk: Desk, person: Person, serial: str, *, complaint: bool, goes_on: bool) -> None:
    for seat in games.seats_of(desk.session, person):
        notice = BounceWarning(seat.game.name, seat.name, complaint, goes_on)
        for gm in seat.game.gms:
            if gm.person_id != person.id:
                to, name = mailbox(gm.person), f"bounce{serial}x{seat.id}"
                post(desk, notice, Addressing(to, name, game=seat.game, can_wait=True))
    if not goes_on:
        _alert(desk, person, serial)


def _alert(desk: Desk, person: Person, serial: str) -> None:
    """Alert the operator if no GM is left whom our emails about a game reach."""
    names = " and ".join(forgetting.run_alone(desk.session, person))
    if not names or desk.site.operator == person.address:
        return
    alert = OperatorAlert(
        subject=f"emails to the only GM of {names} bounce",
        what=f"We could not deliver an email to account #{person.account}, the only GM of {names}.",
        reference=serial,
        to_do=(
            "If you can reach them another way, ask them for an address that works. Run `referee "
            "person move OLD NEW` with it: the new address is asked, and gets all they have."
        ),
    )
    tell_operator(desk, alert, f"lonely{serial}")
