"""Takers: who takes letters in beside mailboxes, and up to when all that reached him are kept."""

from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.database.claims import lease_clock
from referee.store.database.dialect import insert_those_missing


class IntakeLease(Base):
    """A referee with a receiver or a Maildir, or the pipe of a mail server."""

    __tablename__ = "intake_leases"

    owner: Mapped[str] = mapped_column(primary_key=True)
    kept_until: Mapped[datetime]
    """Every letter that reached him up to then is kept."""
    lease_until: Mapped[datetime]
    """Until then everybody waits for him."""


def tell(
    session: Session, owner: str, kept_until: datetime, now: datetime, lease: timedelta
) -> bool:
    """Let *owner* be waited for, who has kept every letter that reached him up to *kept_until*.

    Say whether nobody waited for him before.
    """
    words = {"kept_until": kept_until, "lease_until": lease_clock(session, now) + lease}
    told = (
        update(IntakeLease)
        .where(IntakeLease.owner == owner)
        .values(words)
        .returning(IntakeLease.owner)
    )
    if session.scalar(told) is not None:
        return False
    insert_those_missing(session, IntakeLease, [{"owner": owner, **words}])
    return True


def leave(session: Session, owner: str) -> None:
    """Let nobody wait for *owner* any more, who has nothing at hand."""
    session.execute(delete(IntakeLease).where(IntakeLease.owner == owner))


def is_awaited(session: Session, owner: str) -> bool:
    """Return whether *owner* is waited for; if so, nobody gives him up before this transaction
    ends.

    He may say meanwhile how far he is.
    """
    query = select(IntakeLease.owner).where(IntakeLease.owner == owner)
    return session.scalar(query.with_for_update(read=True, key_share=True)) is not None


def is_overdue(session: Session, now: datetime) -> bool:
    """Return whether somebody has said nothing for so long that he need not be waited for."""
    query = (
        select(IntakeLease.owner)
        .where(IntakeLease.lease_until <= lease_clock(session, now))
        .limit(1)
    )
    return session.scalar(query) is not None


def give_up(session: Session, now: datetime) -> None:
    """Wait no more for those who are overdue, but for letters they are just keeping."""
    session.execute(delete(IntakeLease).where(IntakeLease.lease_until <= lease_clock(session, now)))


def kept_until(session: Session, besides: str) -> datetime | None:
    """Give up to when all takers but *besides* have kept their letters; None when there are none.

    Who is overdue counts until he is given up.
    """
    query = select(func.min(IntakeLease.kept_until)).where(IntakeLease.owner != besides)
    return session.scalar(query)


def owners(session: Session) -> frozenset[str]:
    """Return everybody who takes letters in, dead or alive."""
    return frozenset(session.scalars(select(IntakeLease.owner)))
