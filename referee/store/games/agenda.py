"""Agenda: which games have something to check, about which topic and from when.

It saves the loop from querying all votes, offers, deputies and observers in every round.
"""

from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import ForeignKey, Index, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, enum_of, is_postgres
from referee.store.games import games
from referee.store.models import LONG_AGO, Game


class AgendaTopic(Enum):
    """The subject of a check in a game."""

    START = "start"
    """A forming game that starts when its seats are all taken."""
    VOTES = "votes"
    OFFERS = "offers"
    """Seats offered to standbys, and the questions to those standbys."""
    DEPUTIES = "deputies"
    OBSERVERS = "observers"
    HOLDS = "holds"
    """A hold that ends by itself."""
    BOOK = "book"
    """The book of a game that has ended, for its players and GMs."""


class AgendaEntry(Base):
    """A check of a game that is scheduled."""

    __tablename__ = "agenda"
    __table_args__ = (Index("ix_agenda_at_topic", "at", "topic"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    topic: Mapped[AgendaTopic] = mapped_column(enum_of(AgendaTopic), primary_key=True)
    at: Mapped[datetime | None]
    """The time of the check; None until something changes that the topic depends on."""


def due(session: Session, topic: AgendaTopic, now: datetime) -> list[int]:
    """Return the ids of the games whose check of a topic is due."""
    query = select(AgendaEntry.game_id).where(AgendaEntry.topic == topic, AgendaEntry.at <= now)
    return sorted(session.scalars(query))


def look_at(session: Session, number: int, topic: AgendaTopic, now: datetime) -> Game | None:
    """Lock and return a game that was found due, or None if the check is no longer due."""
    game = games.lock(session, session.get_one(Game, number))
    return game if take(session, game, topic, now) else None


def take(session: Session, game: Game, topic: AgendaTopic, now: datetime) -> bool:
    """Return whether the locked game's check is still due and no one else is changing it.

    Later changes wait for the end of this transaction and cause another check.
    """
    query = select(AgendaEntry.at).where(
        AgendaEntry.game_id == game.id, AgendaEntry.topic == topic, AgendaEntry.at <= now
    )
    return session.scalar(query.with_for_update(skip_locked=True)) is not None


def has(session: Session, game: Game, topic: AgendaTopic) -> bool:
    """Return whether the topic is on the game's agenda."""
    return session.get(AgendaEntry, (game.id, topic)) is not None


def reschedule(session: Session, game: Game, topic: AgendaTopic, at: datetime | None) -> None:
    """Schedule the next check of the game; None if only a change can require it."""
    # Changes by this check itself must not cause another one.
    session.flush()
    look = AgendaEntry.game_id == game.id, AgendaEntry.topic == topic
    session.execute(update(AgendaEntry).where(*look).values(at=at))


def close(session: Session, game: Game, topic: AgendaTopic) -> None:
    """Remove the topic from the game's agenda, because there is nothing left to check."""
    session.flush()
    session.execute(
        delete(AgendaEntry).where(AgendaEntry.game_id == game.id, AgendaEntry.topic == topic)
    )


def schedule(session: Session, game: Game, *topics: AgendaTopic) -> None:
    """Schedule checks of the game now, of these topics or else of all on its agenda.

    Call it after every change that a topic depends on: who holds a seat, missed turns, eliminated
    or offered seats, the game's status, turn and number of seats, and each vote, offer, deputy and
    observer. An unnecessary check does no harm, but a forgotten one is never made up for.
    """
    for topic in topics:
        _put(session, game, topic)
    if not topics:
        # Most games have an empty agenda, so that nothing is written.
        entries = update(AgendaEntry).where(AgendaEntry.game_id == game.id)
        session.execute(entries.values(at=LONG_AGO))


def schedule_all(session: Session, topic: AgendaTopic) -> None:
    """Schedule checks now for all games with the topic on their agenda."""
    entries = update(AgendaEntry).where(AgendaEntry.topic == topic)
    session.execute(entries.values(at=LONG_AGO))


def _put(session: Session, game: Game, topic: AgendaTopic) -> None:
    make: Any = postgresql.insert if is_postgres(session) else sqlite.insert
    row = make(AgendaEntry).values(game_id=game.id, topic=topic, at=LONG_AGO)
    session.execute(
        row.on_conflict_do_update(index_elements=["game_id", "topic"], set_={"at": LONG_AGO})
    )
