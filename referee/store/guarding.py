"""What is counted so that nobody guesses codes and no two programs write to each other forever."""

from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from referee.store.models import Answered, Person, Ration, WrongCode

_KEPT = timedelta(days=2)


def note_wrong_code(session: Session, person: Person, sender: str, now: datetime) -> None:
    """Count a wrong security code in a letter that bears the person's address."""
    session.execute(delete(WrongCode).where(WrongCode.at < now - _KEPT))
    session.add(WrongCode(person_id=person.id, sender=sender, at=now))
    session.flush()


def wrong_codes_for(session: Session, person: Person, since: datetime) -> list[datetime]:
    """Give when wrong codes came for the person after *since*, oldest first."""
    query = select(WrongCode.at).where(WrongCode.person_id == person.id, WrongCode.at > since)
    return list(session.scalars(query.order_by(WrongCode.at)))


def wrong_codes_from(session: Session, sender: str, since: datetime) -> int:
    """Give how many wrong codes a sender has given after *since*, for whomever."""
    query = select(func.count()).where(WrongCode.sender == sender, WrongCode.at > since)
    return session.scalar(query) or 0


def note_answer(
    session: Session, recipient: str, thread: str, ration: Ration, now: datetime
) -> None:
    """Count a letter that was answered."""
    old = delete(Answered).where(Answered.at < now - _KEPT)
    # None of them was loaded here, so none need be told.
    session.execute(old, execution_options={"synchronize_session": False})
    session.add(Answered(recipient=recipient, thread=thread, ration=ration, at=now))
    session.flush()


def answers(
    session: Session,
    since: datetime,
    *rations: Ration,
    recipient: str | None = None,
    thread: str | None = None,
) -> int:
    """Give how many letters were answered after *since* from these budgets."""
    query = select(func.count()).where(Answered.at > since, Answered.ration.in_(rations))
    if recipient is not None:
        query = query.where(Answered.recipient == recipient)
    if thread is not None:
        query = query.where(Answered.thread == thread)
    return session.scalar(query) or 0
