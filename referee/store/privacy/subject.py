"""The person whom a request about stored rows concerns, and which letters are theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.orm import Session

from referee.store.models import LONG_AGO, InboxLetter, OutboxLetter, Person, SeatRow
from referee.store.people import people
from referee.store.people.address_changes import AddressChange, ChangeState
from referee.store.people.deputies import Deputy


@dataclass(frozen=True, slots=True)
class Held:
    """An address of the subject, and since when it is theirs and no other person's."""

    address: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Subject:
    """A person, or an address that wrote to us and is no person's, with all their addresses."""

    person: Person | None
    held: tuple[Held, ...]

    @property
    def number(self) -> int:
        """The id of the person; 0, which nobody has, for a bare address."""
        return self.person.id if self.person is not None else 0

    @property
    def addresses(self) -> Sequence[str]:
        """The addresses, primary one first."""
        return [each.address for each in self.held]


def subject_of(session: Session, person: Person) -> Subject:
    """Return the person with their present and earlier addresses.

    An earlier address that is another person's now is left out.
    """
    changes = select(AddressChange.left, AddressChange.address).where(
        AddressChange.person_id == person.id, AddressChange.state == ChangeState.DONE
    )
    earlier = [each for change in session.execute(changes) for each in change]
    named = dict.fromkeys(filter(None, (person.address, person.second_address, *earlier)))
    mine = (each for each in named if people.by_address(session, each) in (person, None))
    return Subject(person, tuple(_held(session, each, person.id) for each in mine))


def subject_at(session: Session, address: str) -> Subject:
    """Return the person with that address, or only the address if nobody has it."""
    person = people.by_address(session, address)
    if person is not None:
        return subject_of(session, person)
    return Subject(None, (_held(session, address.lower(), 0),))


def received(subject: Subject) -> ColumnElement[bool]:
    """Return the condition for letters that the subject wrote, and only they.

    A letter that was accepted as another player's is that player's, even if its From is the
    subject's address, unless the subject was deputy for that seat. So is a letter to another
    player's token, which waits for that player.
    """
    letter = InboxLetter
    as_deputy = (
        select(Deputy.id)
        .join(SeatRow, SeatRow.id == Deputy.seat_id)
        .where(Deputy.person_id == subject.number, SeatRow.game_id == letter.game_id)
        .where(SeatRow.number == letter.seat_number)
        .exists()
    )
    for_others = (
        select(SeatRow.id)
        .where(SeatRow.game_id == letter.game_id, SeatRow.number == letter.seat_number)
        .where(SeatRow.person_id != subject.number)
        .exists()
    )
    unclaimed = and_(letter.holder_id.is_(None), ~for_others)
    own = or_(unclaimed, letter.holder_id == subject.number, as_deputy)
    others = select(Person.address).where(Person.id != subject.number)
    accepted = and_(letter.holder_id == subject.number, letter.writer.not_in(others))
    return or_(and_(_since(letter.writer, letter.arrived_at, subject), own), accepted)


def sent(subject: Subject) -> ColumnElement[bool]:
    """Return the condition for letters that went to the subject, or will."""
    return _since(OutboxLetter.recipient, OutboxLetter.created_at, subject)


def with_address(subject: Subject) -> ColumnElement[bool]:
    """Return the condition for received letters with an address or a seat of the subject."""
    named = InboxLetter.writer.in_(subject.addresses)
    return or_(named, InboxLetter.holder_id == subject.number)


def _since(address: Any, moment: Any, subject: Subject) -> ColumnElement[bool]:
    each = (and_(address == held.address, moment >= held.since) for held in subject.held)
    return or_(false(), *each)


def _held(session: Session, address: str, person: int) -> Held:
    """Return since when the address is not another person's, who may have left it."""
    moment = func.max(AddressChange.proved_at), func.max(AddressChange.wished_at)
    left = AddressChange.left == address, AddressChange.person_id != person
    found = session.execute(select(*moment).where(*left)).one()
    return Held(address, max((each for each in found if each is not None), default=LONG_AGO))
