"""Deletion of what is stored about a person, without a gap in the records of their games."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, delete, func, or_, select, update
from sqlalchemy.orm import Session

from referee.domain.player_settings import ReportFormat
from referee.store.database.base import Bundle
from referee.store.games.attendance import Attendance
from referee.store.games.audit import AuditEntry
from referee.store.games.diaries import DiaryEntry
from referee.store.games.press import Press
from referee.store.games.undo_log import UndoEntry
from referee.store.games.votes import Ballot
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox
from referee.store.mail.digests import PendingNotice
from referee.store.models import (
    Game,
    GameMaster,
    GameStatus,
    InboxLetter,
    OutboxLetter,
    Person,
    SeatRow,
)
from referee.store.people.absences import Absence
from referee.store.people.address_changes import AddressChange
from referee.store.people.admissions import Admission, AdmissionState
from referee.store.people.agreements import Agreement
from referee.store.people.deputies import Deputy, DeputyState
from referee.store.people.former_players import FormerPlayer
from referee.store.people.observers import Observer
from referee.store.people.offers import Offer
from referee.store.people.rule_packs import SavedPack
from referee.store.people.standbys import Standby
from referee.store.privacy.subject import Subject, with_address

_OWN: Final = (
    AddressChange,
    Absence,
    Attendance,
    Agreement,
    Ballot,
    DiaryEntry,
    GameMaster,
    Observer,
    Offer,
    PendingNotice,
    SavedPack,
    Standby,
    UndoEntry,
)
"""The tables whose rows about a person are deleted as a whole."""
_UNREAD: Final = dict.fromkeys(inbox.PERSONAL, "")


def erase(session: Session, subject: Subject, now: datetime, fingerprint: str) -> None:
    """Delete all that is stored about the subject, except what their games need.

    Sheets and former players stay, under the seats' names and the person's number. Letters keep
    their receipts and hashes, so that none is read twice. *fingerprint* is kept while a game goes
    on whose secrets the person knows. Everything that other people do about it comes before.
    """
    session.flush()
    _erase_letters(session, subject, now)
    _erase_admissions(session, subject)
    if subject.person is not None:
        _erase_roles(session, subject)
        _reword_audit(session, subject.person)
    session.expire_all()
    if subject.person is not None:
        knows = _knows_secrets(session, subject.person)
        _blank(subject.person, now, fingerprint if knows else None)
    session.flush()


def empty_letter(session: Session, number: int, now: datetime) -> None:
    """Delete the bytes and the addresses of one received letter."""
    rows = update(InboxLetter).where(InboxLetter.id == number)
    _run(session, rows.values(**_emptied(now), **_UNREAD, same_as_id=None, asked=None))


def _erase_letters(session: Session, subject: Subject, now: datetime) -> None:
    # The letter that is being read now is still waiting, but claimed.
    unread = InboxLetter.state == InboxState.WAITING, InboxLetter.owner.is_(None)
    came = select(InboxLetter.id).where(with_address(subject), ~(unread[0] & unread[1]))
    _erase_press(session, came)
    went = select(OutboxLetter.id).where(OutboxLetter.recipient.in_(subject.addresses))
    for model, numbers in ((InboxLetter, came), (OutboxLetter, went)):
        stale = select(model.bundle_id).where(model.id.in_(numbers), model.bundle_id.is_not(None))
        _run(session, update(Bundle).where(Bundle.id.in_(stale)).values(is_stale=True))
    waits = OutboxLetter.state == OutboxState.WAITING, OutboxLetter.owner.is_(None)
    _run(session, delete(OutboxLetter).where(OutboxLetter.id.in_(went), *waits))
    # Its sender is sending it now, and learns from the counter that it is no longer theirs.
    sent = update(OutboxLetter).where(OutboxLetter.id.in_(went))
    being = sent.where(OutboxLetter.state == OutboxState.WAITING)
    _run(session, being.values(state=OutboxState.SENT, fence=OutboxLetter.fence + 1, owner=None))
    _run(session, sent.values(**_emptied(now), recipient="", error=""))
    waiting = InboxLetter.state.in_((InboxState.HELD, InboxState.UNASKED))
    held = InboxLetter.id.in_(came), waiting
    # The note of a letter that waits for another person's confirmation has its sender's address.
    _run(session, update(InboxLetter).where(*held).values(state=InboxState.IGNORED, note=""))
    rows = update(InboxLetter).where(InboxLetter.id.in_(came))
    _keep_bytes(session, came)
    gone = {"same_as_id": None, "message_id": None, "asked": None}
    _run(session, rows.values(**_emptied(now), **_UNREAD, **gone))
    # What a deputy wrote still belongs to the player of the seat.
    accepted = update(InboxLetter).where(InboxLetter.holder_id == subject.number)
    _run(session, accepted.values(holder_id=None))


def _keep_bytes(session: Session, erased: Select[int]) -> None:
    """Copy the bytes of *erased* letters to the other letters that refer to them."""
    numbers = set(session.scalars(erased))
    same = select(InboxLetter).where(InboxLetter.same_as_id.in_(erased))
    for letter in session.scalars(same):
        if letter.id not in numbers:
            letter.raw, letter.same_as_id = letter.raw, None
    session.flush()


def _erase_press(session: Session, letters: Select[int]) -> None:
    of_letters = Press.letter_id.in_(letters)
    _run(session, delete(Press).where(of_letters, Press.delivered_turn.is_(None)))
    _run(session, update(Press).where(of_letters).values(text=""))


def _erase_roles(session: Session, subject: Subject) -> None:
    number = subject.number
    for model in _OWN:
        _run(session, delete(model).where(model.person_id == number))
    asked = Deputy.address.in_(subject.addresses), Deputy.person_id.is_(None)
    _run(session, delete(Deputy).where(*asked))
    served = update(Deputy).where(Deputy.person_id == number)
    _run(session, served.values(address=_nobody(number), state=DeputyState.ENDED))
    rows = update(SeatRow).where(SeatRow.person_id == number)
    _run(session, rows.values(person_id=None, epoch=SeatRow.epoch + 1))


def _erase_admissions(session: Session, subject: Subject) -> None:
    """Delete the admissions of the subject; an excluded person stays excluded, by their number."""
    named = or_(Admission.address.in_(subject.addresses), Admission.person_id == subject.number)
    excluded = Admission.state == AdmissionState.EXCLUDED, Admission.person_id == subject.number
    _run(session, update(Admission).where(*excluded).values(address=""))
    others = or_(Admission.address != "", Admission.state != AdmissionState.EXCLUDED)
    _run(session, delete(Admission).where(named, others))


def _reword_audit(session: Session, person: Person) -> None:
    """Take the person's name and addresses out of the notes about their games."""
    known = [each for each in (person.address, person.second_address) if each]
    words = [(each, "(deleted)") for each in known]
    if person.name:
        words.append((f"#{person.account} {person.name}", f"#{person.account}"))
    for old, new in words:
        rows = update(AuditEntry).where(AuditEntry.what.contains(old, autoescape=True))
        _run(session, rows.values(what=func.replace(AuditEntry.what, old, new)))


def _knows_secrets(session: Session, person: Person) -> bool:
    """Return whether a game goes on in which the person had a role or was excluded."""
    seats = select(SeatRow.game_id).join(Deputy, Deputy.seat_id == SeatRow.id)
    roles = (
        select(FormerPlayer.game_id).where(FormerPlayer.person_id == person.id),
        select(Observer.game_id).where(Observer.person_id == person.id),
        select(Admission.game_id).where(Admission.person_id == person.id),
        seats.where(Deputy.person_id == person.id),
    )
    goes_on = select(Game.id).where(Game.status != GameStatus.ENDED)
    query = goes_on.where(or_(*(Game.id.in_(role) for role in roles)))
    return session.scalar(query.limit(1)) is not None


def _blank(person: Person, now: datetime, fingerprint: str | None) -> None:
    person.address, person.second_address, person.name = _nobody(person.id), None, ""
    person.signs = None
    person.zone, person.attachments, person.report_format = "UTC", [], ReportFormat.FULL
    person.reminders, person.digest, person.html = None, False, None
    person.quiet_from = person.quiet_until = person.bounced_at = None
    person.code_salt = person.code_hash = b""
    person.bounces = person.second_bounces = 0
    person.is_at_second = False
    # Offers and confirmations name the number of moves.
    person.moves += 1
    person.forgotten_at, person.fingerprint = now, fingerprint


def _nobody(number: int) -> str:
    """Return the substitute for the address of a forgotten person; no letter can have it."""
    return f"forgotten {number}"


def _emptied(now: datetime) -> dict[str, Any]:
    return {"stored": b"", "emptied_at": now, "bundle_id": None}


def _run(session: Session, statement: Any) -> None:
    session.execute(statement, execution_options={"synchronize_session": False})
