"""A letter comes in: kept, screened, tied to its sender, read, answered."""

from datetime import datetime

from referee.desk import routing
from referee.desk.house import House
from referee.desk.identity import Identity
from referee.desk.posting import Slip, mailbox, post
from referee.domain.post import Arrival
from referee.letters.decode import decode
from referee.letters.letter import Letter, Mailbox
from referee.letters.moments import Moment
from referee.letters.notices import AlreadyReceived, OperatorAlert, Quarantined
from referee.letters.screening import Screening, screen
from referee.store import Session, inbox, people
from referee.store.models import InboxLetter, InboxState


def accept(session: Session, arrival: Arrival) -> int:
    """Keep a letter before anybody reads it, and give its receipt number.

    When the transaction has committed the source may be told that the letter is ours. The same
    letter from the same place gives the same number.
    """
    return inbox.keep(session, arrival).id


def read_letter(session: Session, house: House, row: InboxLetter, now: datetime) -> None:
    """Do what a claimed letter asks for and answer it, all in the caller's transaction.

    A machine's letter is neither obeyed nor answered. A copy of an earlier letter changes nothing.
    """
    letter = decode(row.raw)
    screening = screen(letter, row.raw, row.envelope_sender, house.loop_token)
    if screening is not Screening.HUMAN:
        _conclude(session, row, letter, InboxState.IGNORED, screening.value, now)
        return
    twin = inbox.twin(session, letter.message_id, letter.body_hash, row.id)
    if letter.message_id and twin is not None:
        _answer_copy(session, house, letter, row, twin, now)
        _conclude(session, row, letter, InboxState.IGNORED, f"a copy of receipt {twin.id}", now)
        return
    read = routing.route(session, house, letter, row, now)
    _conclude(session, row, letter, read.state, read.note, now, read.identity)


def give_up(
    session: Session, house: House, row: InboxLetter, reference: str, now: datetime
) -> None:
    """Set a letter aside that breaks the reader, and tell its sender and the operator.

    The sender gets a reference number that stands in the log, and nothing of his own words.
    """
    inbox.quarantine(session, row, f"could not be read, reference {reference}", now)
    letter = decode(row.raw)
    known = [people.by_address(session, sender.address) for sender in letter.senders]
    for person in known:
        if person is not None and len(known) == 1:
            slip = Slip(mailbox(person), f"quarantine{row.id}", answers=row)
            post(session, house, Quarantined(reference), slip, now)
    if house.operator:
        alert = OperatorAlert(
            what=f"Letter {row.id} could not be read and lies in quarantine.",
            reference=reference,
            to_do=f"Look for {reference} in the log; then: referee mail release {row.id}",
        )
        slip = Slip(Mailbox("", house.operator), f"alert{row.id}x{row.attempts}")
        post(session, house, alert, slip, now)


def _answer_copy(
    session: Session,
    house: House,
    letter: Letter,
    row: InboxLetter,
    twin: InboxLetter,
    now: datetime,
) -> None:
    """Tell the sender that his letter came before, if the first copy came from somebody known."""
    person = people.by_address(session, letter.senders[0].address) if letter.senders else None
    if person is not None:
        notice = AlreadyReceived(twin.id, Moment(twin.arrived_at, person.zone))
        slip = Slip(mailbox(person), f"copy{row.id}", answers=row)
        post(session, house, notice, slip, now)


def _conclude(
    session: Session,
    row: InboxLetter,
    letter: Letter,
    state: InboxState,
    note: str,
    now: datetime,
    identity: Identity | None = None,
) -> None:
    game = identity.game if identity is not None else None
    seat = identity.seat if identity is not None else None
    inbox.conclude(
        session,
        row,
        state,
        note,
        now,
        message_id=letter.message_id,
        body_hash=letter.body_hash,
        game_id=game.id if game is not None else None,
        seat_number=seat.number if seat is not None else None,
    )
