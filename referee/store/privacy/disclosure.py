"""All that is stored about a person, as values for JSON, and the tables that have nothing."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from referee.domain.mailboxes import mailbox_of
from referee.domain.shares import Key
from referee.store.database.base import Bundle
from referee.store.database.bundle_format import unpack
from referee.store.games.attendance import Attendance
from referee.store.games.diaries import DiaryEntry
from referee.store.games.press import Press
from referee.store.games.undo_log import UndoEntry
from referee.store.games.votes import Ballot, Vote
from referee.store.mail import inbox
from referee.store.mail.bookings import Booking
from referee.store.mail.digests import PendingNotice
from referee.store.models import (
    Game,
    GameMaster,
    InboxLetter,
    OutboxLetter,
    Person,
    SeatRow,
    Sheet,
)
from referee.store.people.absences import Absence
from referee.store.people.address_changes import AddressChange
from referee.store.people.admissions import Admission, AdmissionState
from referee.store.people.agreements import Agreement
from referee.store.people.deputies import Deputy
from referee.store.people.former_players import FormerPlayer
from referee.store.people.observers import Observer
from referee.store.people.offers import Offer
from referee.store.people.rule_packs import SavedPack
from referee.store.people.standbys import Standby
from referee.store.privacy import subject as whose
from referee.store.privacy.subject import Subject

Where = Callable[[Subject], ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Section:
    """The rows of one table about a person, and the columns that are theirs to see."""

    model: Any
    columns: str
    where: Where

    @property
    def table(self) -> str:
        """The name of the table, which names the section too."""
        name: str = self.model.__tablename__
        return name


def _of_person(column: Any) -> Where:
    return lambda subject: column == subject.number


def _in_letter(column: Any) -> Where:
    return lambda subject: column.in_(select(InboxLetter.id).where(whose.received(subject)))


def _is_charged(subject: Subject) -> ColumnElement[bool]:
    """Return whether something was charged to an address or a mailbox of the subject."""
    account = [str(subject.person.account)] if subject.person is not None else []
    whole = [*subject.addresses, *map(mailbox_of, subject.addresses), *account]
    keys = (Key.PERSON, Key.CLAIMED, Key.MAILBOX, Key.PERSON_IN_GAME, Key.CLAIMED_IN_GAME)
    named = [f"{key.name} {each}" for key in keys for each in whole]
    # A game or a command can stand behind the address.
    in_part = (Booking.purse.startswith(f"{each} ", autoescape=True) for each in named)
    return or_(Booking.purse.in_(named), *in_part)


_SETTINGS: Final = (
    "address second_address is_at_second name zone attachments report_format reminders digest "
    "html quiet_from quiet_until bounces bounced_at second_bounces moves signs created_at"
)
SECTIONS: Final = (
    Section(Person, f"account {_SETTINGS}", _of_person(Person.id)),
    Section(
        SeatRow,
        "number choices standing joined_at heard_at missed missed_all eliminated",
        _of_person(SeatRow.person_id),
    ),
    Section(GameMaster, "since proposed_at heard_at", _of_person(GameMaster.person_id)),
    Section(FormerPlayer, "reason at", _of_person(FormerPlayer.person_id)),
    Section(Observer, "since read_turn", _of_person(Observer.person_id)),
    # An excluded person does not learn from us that a private game exists.
    Section(
        Admission,
        "address state since wish",
        lambda subject: and_(
            or_(Admission.person_id == subject.number, Admission.address.in_(subject.addresses)),
            Admission.state != AdmissionState.EXCLUDED,
        ),
    ),
    Section(
        SavedPack,
        "name schedule settings press options ruleset of_ruleset saved_at",
        _of_person(SavedPack.person_id),
    ),
    Section(Standby, "scope since", _of_person(Standby.person_id)),
    Section(Offer, "state made_at until", _of_person(Offer.person_id)),
    Section(Absence, "begins_at ends_at zone reminded", _of_person(Absence.person_id)),
    # A request that was never sent to its address would show who wants a deputy.
    Section(Deputy, "address begins_at ends_at zone state asked_at", _of_person(Deputy.person_id)),
    Section(Attendance, "turn punctuality undone", _of_person(Attendance.person_id)),
    Section(Ballot, "yes cast_at", _of_person(Ballot.person_id)),
    Section(DiaryEntry, "number turn text written_at", _of_person(DiaryEntry.person_id)),
    Section(Agreement, "part agrees", _of_person(Agreement.person_id)),
    Section(
        AddressChange,
        "kind address left state asked_at expires_at wished_at proved_at",
        _of_person(AddressChange.person_id),
    ),
    # Emails with the address may come from somebody else.
    Section(Booking, "thing purse minute amount", _is_charged),
    Section(PendingNotice, "subject text written_at due_at", _of_person(PendingNotice.person_id)),
    Section(UndoEntry, "letter_id turn kind what", _of_person(UndoEntry.person_id)),
    Section(Sheet, "letter_id turn revision orders filed_at", _in_letter(Sheet.letter_id)),
    Section(
        Press, "letter_id turn anonymous text receipt delivered_turn", _in_letter(Press.letter_id)
    ),
    Section(
        InboxLetter,
        "id receipt arrived_at writer envelope_sender network source state note trust read_at "
        "emptied_at",
        whose.received,
    ),
    Section(
        OutboxLetter, "id created_at kind recipient state sent_at error emptied_at", whose.sent
    ),
)
"""The tables with rows about a person, and what they see of them."""

NOT_PERSONAL: Final[Mapping[str, str]] = {
    "agenda": "when a game has something to check",
    "audit": "what was done to a game: GMs by number, players by their seats",
    "bundles": "old letters and states, which are shown with their rows",
    "call_outs": "public events of games, by seats",
    "games": "the game itself",
    "heartbeats": "when the referee worked",
    "intake_leases": "programs of the installation",
    "mailbox_cursors": "how far a mailbox was read",
    "mailbox_leases": "programs of the installation",
    "postponements": "moments that an outage moved",
    "reminded": "which seats were reminded",
    "turns": "the record of the game, by seats",
    "votes": "proposals and results, by seats",
}
"""The tables without a person, and what they have instead."""


_NUMBERED: Final = re.compile(r"\b(email|receipt|change) #?[0-9]+")
"""Ids in a note to the operator: they count the letters of everyone."""


def disclose(
    session: Session, subject: Subject, most: int | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Return everything stored about the subject, by table.

    The newest letters come with their text, up to *most* octets in all; None means all. Any other
    has the text None.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    left = most
    for section in SECTIONS:
        key: Any = section.model.__table__.primary_key.columns.values()
        rows = session.scalars(select(section.model).where(section.where(subject)).order_by(*key))
        found[section.table] = [_shown(session, section, row) for row in rows]
        if section.model in (InboxLetter, OutboxLetter):
            left = _add_texts(session, section, found[section.table], left)
    return {name: rows for name, rows in found.items() if rows}


def _shown(session: Session, section: Section, row: Any) -> dict[str, Any]:
    values = {name: _plain(getattr(row, name)) for name in section.columns.split()}
    if "letter_id" in values:
        values = {"letter": inbox.receipt_of(session, values.pop("letter_id")) or None, **values}
    if "note" in values:
        values["note"] = _NUMBERED.sub(r"\1", values["note"])
    return {**_place(session, row), **values}


def _place(session: Session, row: Any) -> dict[str, Any]:
    """Return the game and the seat that the row names."""
    seat = row if isinstance(row, SeatRow) else None
    if seat is None and getattr(row, "seat_id", None) is not None:
        seat = session.get(SeatRow, row.seat_id)
    number = seat.game_id if seat is not None else getattr(row, "game_id", None)
    if isinstance(row, Ballot):
        return {"motion": session.get_one(Vote, row.vote_id).motion.value, **_named(seat)}
    game = session.get(Game, number) if number is not None else None
    return {**({"game": game.name} if game is not None else {}), **_named(seat)}


def _named(seat: SeatRow | None) -> dict[str, Any]:
    return {"game": seat.game.name, "seat": seat.name} if seat is not None else {}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else value


def _add_texts(
    session: Session, section: Section, letters: list[dict[str, Any]], most: int | None
) -> int | None:
    """Add their texts to the letters, newest first; return how many octets are left."""
    numbers = [letter["id"] for letter in letters]
    texts = dict(_texts(session, section.model, numbers, most))
    for letter in letters:
        octets = texts.get(letter["id"])
        letter["text"] = octets.decode("utf-8", "backslashreplace") if octets is not None else None
        del letter["id"]
    return None if most is None else max(most - sum(map(len, texts.values())), 0)


def _texts(
    session: Session, model: Any, numbers: list[int], most: int | None
) -> Iterator[tuple[int, bytes]]:
    """Yield the letters as bytes, newest first, unpacking each bundle once."""
    if most == 0:
        return
    bundles: dict[int, list[int]] = defaultdict(list)
    for number in reversed(numbers):
        letter = session.get_one(model, number)
        if letter.bundle_id is not None:
            bundles[letter.bundle_id].append(number)
            continue
        yield number, letter.raw
        if most is not None and (most := most - len(letter.raw)) <= 0:
            return
    for bundle, members in bundles.items():
        content = unpack(session.get_one(Bundle, bundle).content)[model.__tablename__]
        for number in members:
            yield number, content[number]
            if most is not None and (most := most - len(content[number])) <= 0:
                return
