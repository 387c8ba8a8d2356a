"""Letters of ours that come back: counted for their addressee, and his GMs are told once."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.house import House
from referee.desk.posting import Slip, mailbox, post
from referee.domain.trust import ReturnToken, SeatToken, verify
from referee.letters.letter import Letter
from referee.letters.notices import BounceWarning
from referee.letters.returns import Return, read_return, reported_sender
from referee.letters.screening import Screening
from referee.store import Session, games, people
from referee.store.models import InboxLetter, OutboxLetter, Person

WORKS_AGAIN: Final = timedelta(days=3)
"""After so long without a return, a reply of his shows that his address works again."""


def take_return(
    session: Session,
    house: House,
    letter: Letter,
    row: InboxLetter,
    screening: Screening,
    now: datetime,
) -> str:
    """Count a bounce or a complaint for whom it is about, and give a note for the inbox.

    Only the signed address that our letter was sent from tells who that is; whatever else the
    report says, anybody could have written.
    """
    complaint = screening is Screening.COMPLAINT
    told = (row.envelope_recipient, *letter.recipients)
    person = _addressee(session, house, (*told, reported_sender(row.raw)) if complaint else told)
    if person is None:
        return f"{screening.value}, about nobody we know"
    if not complaint and read_return(row.raw) is Return.PASSING:
        return f"{screening.value}: a letter to account #{person.account} is delayed"
    _count(session, house, person, f"{row.id}i", now, complaint=complaint)
    return f"{screening.value}, counted for account #{person.account}"


def take_rejection(session: Session, house: House, letter: OutboxLetter, now: datetime) -> None:
    """Count a letter that its addressee's mail server refused for good when we sent it."""
    person = people.by_address(session, letter.recipient)
    if person is not None:
        _count(session, house, person, f"{letter.id}o", now, complaint=False)


def note_reply(person: Person, now: datetime) -> None:
    """Forget the bounces of a person whose replies show that our letters reach him."""
    if person.bounced_at is not None and person.bounced_at < now - WORKS_AGAIN:
        person.bounces, person.bounced_at = 0, None


def _addressee(session: Session, house: House, addresses: tuple[str, ...]) -> Person | None:
    for address in addresses:
        local, _, domain = address.rpartition("@")
        if domain.lower() != house.domain.lower():
            continue
        token = verify(local.partition("+")[2], house.key)
        if isinstance(token, ReturnToken):
            return people.by_id(session, token.person)
        if isinstance(token, SeatToken):
            seat = games.seat_by_id(session, token.seat)
            # A late bounce to an earlier holder is none of the present one's.
            return seat.person if seat is not None and seat.epoch == token.epoch else None
    return None


def _count(
    session: Session, house: House, person: Person, serial: str, now: datetime, *, complaint: bool
) -> None:
    person.bounces += 1
    person.bounced_at = now
    if person.bounces > 1:
        return
    for seat in games.seats_of(session, person):
        notice = BounceWarning(seat.game.name, seat.name, complaint)
        for master in seat.game.masters:
            if master.person_id != person.id:
                slip = Slip(mailbox(master.person), f"bounce{serial}x{seat.id}", game=seat.game)
                post(session, house, notice, slip, now)
