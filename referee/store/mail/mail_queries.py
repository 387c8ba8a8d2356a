"""Queries across the mail: letters sent earlier, and letters not yet read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache

from sqlalchemy import ColumnElement, Executable, bindparam, select
from sqlalchemy.orm import Session, defer

from referee.store.database.base import table
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import Game, InboxLetter, OutboxLetter, Person, SeatRow


def report_of(session: Session, game: Game, seat: int, turn: int) -> OutboxLetter | None:
    """Return the newest report to the seat with this number for a turn, or None if none is kept."""
    return session.scalar(
        select(OutboxLetter)
        .where(OutboxLetter.game_id == game.id, OutboxLetter.turn == turn)
        .where(OutboxLetter.seat_number == seat, OutboxLetter.kind == "Report")
        .where(OutboxLetter.emptied_at.is_(None))
        .order_by(OutboxLetter.id.desc())
        .limit(1)
    )


def reports_of(session: Session, game: Game, seat: int) -> Sequence[OutboxLetter]:
    """Return all reports to the seat with this number that are kept, in the order of their making.

    A turn that was corrected or resolved again has several.
    """
    return session.scalars(
        select(OutboxLetter)
        .where(OutboxLetter.game_id == game.id, OutboxLetter.turn.is_not(None))
        .where(OutboxLetter.seat_number == seat, OutboxLetter.kind == "Report")
        .where(OutboxLetter.emptied_at.is_(None))
        .order_by(OutboxLetter.id)
    ).all()


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sent letter, with the fields that matter for a reply quoting it."""

    message_id: str
    raw: bytes = field(repr=False)
    game_id: int | None
    seat_number: int | None
    answers_id: int | None
    created_at: datetime
    kind: str


def letter_called(session: Session, message_id: str) -> Quotable | None:
    """Return the letter with this Message-ID, given without brackets, or None."""
    found = session.execute(_letter_called(), {"message_id": f"<{message_id}>"}).first()
    if found is None:
        return None
    number, bundle, raw, *rest = found
    if bundle is not None:
        raw = session.get_one(OutboxLetter, number).raw
    return Quotable(message_id, raw, *rest)


def refusal_of(session: Session, letter: InboxLetter) -> OutboxLetter | None:
    """Return the letter that rejected the orders of *letter* as too late, or None."""
    return session.scalar(
        select(OutboxLetter)
        .where(OutboxLetter.answers_id == letter.id, OutboxLetter.kind == "TooLate")
        .limit(1)
    )


def refusals(session: Session, game: Game, turn: int) -> list[OutboxLetter]:
    """Return the letters in a turn that rejected orders as too late."""
    return _refusals(session, game, OutboxLetter.turn == turn)


def refused_since(session: Session, game: Game, turn: int) -> list[OutboxLetter]:
    """Return the letters since a turn began that rejected orders as too late."""
    return _refusals(session, game, OutboxLetter.turn >= turn)


def _refusals(session: Session, game: Game, when: ColumnElement[bool]) -> list[OutboxLetter]:
    query = select(OutboxLetter).where(OutboxLetter.game_id == game.id, when)
    return list(
        session.scalars(query.where(OutboxLetter.kind == "TooLate").order_by(OutboxLetter.id))
    )


def refused_by(
    session: Session, game: Game, refusal: OutboxLetter
) -> tuple[SeatRow, InboxLetter] | None:
    """Return the seat and the letter that a refusal answers, or None if the letter is gone.

    The refusal itself names no seat if it went to a deputy.
    """
    letter = session.get(InboxLetter, refusal.answers_id or 0)
    seats = (row for row in game.seats if letter is not None and row.number == letter.seat_number)
    row = next(seats, None)
    return (row, letter) if row is not None and letter is not None else None


def held_of(
    session: Session, game: Game, person: Person | None, seat: SeatRow | None = None
) -> list[InboxLetter]:
    """Return the letters that wait for the confirmation of a person for a seat, or as a GM."""
    query = select(InboxLetter).where(InboxLetter.game_id == game.id)
    query = query.where(InboxLetter.state == InboxState.HELD).options(defer(InboxLetter.stored))
    asked = (person.id if person is not None else None), (seat.id if seat is not None else None)
    return [
        letter
        for letter in session.scalars(query.order_by(InboxLetter.id))
        if letter.asked is not None and (letter.asked["person"], letter.asked["seat"]) == asked
    ]


def question_about(session: Session, letter: InboxLetter) -> OutboxLetter | None:
    """Return the newest letter that asks for a confirmation of *letter*, or None."""
    return session.scalar(
        select(OutboxLetter)
        .where(OutboxLetter.answers_id == letter.id, OutboxLetter.kind == "Confirmation")
        .order_by(OutboxLetter.id.desc())
        .limit(1)
    )


def recipients(session: Session, game: Game, kind: str) -> list[str]:
    """Return the recipients of letters of a kind about the game."""
    query = select(OutboxLetter.recipient).where(OutboxLetter.game_id == game.id)
    return list(session.scalars(query.where(OutboxLetter.kind == kind)))


def unread_before(session: Session, moment: datetime) -> bool:
    """Return whether a letter that arrived by *moment*, of those turns wait for, is unread."""
    oldest = inbox.oldest_awaited(session)
    return oldest is not None and oldest <= moment


@cache
def _letter_called() -> Executable:
    """Build the query for a sent letter by Message-ID. Most letters with orders are replies."""
    ours = table(OutboxLetter).c
    belongs = (ours.game_id, ours.seat_number, ours.answers_id)
    return select(ours.id, ours.bundle_id, ours.raw, *belongs, ours.created_at, ours.kind).where(
        ours.message_id == bindparam("message_id")
    )
