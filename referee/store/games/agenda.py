"""The agenda: in which games something has to be looked at, in which matter, and from when.

So that no round of the loop asks for all votes, offers, deputies and observers there are.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import ForeignKey, Index, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, enum_of
from referee.store.database.dialect import is_postgres
from referee.store.games import games
from referee.store.models import LONG_AGO, Game


class AgendaTopic(Enum):
    """What is looked at."""

    START = "start"
    """A forming game, whether its seats are all taken."""
    VOTES = "votes"
    OFFERS = "offers"
    """Seats that are offered to standbys, and what was asked of whom."""
    DEPUTIES = "deputies"
    OBSERVERS = "observers"


class AgendaEntry(Base):
    """A look that has to be taken at a game."""

    __tablename__ = "agenda"
    __table_args__ = (Index("ix_agenda_matter_at", "matter", "at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    matter: Mapped[AgendaTopic] = mapped_column(enum_of(AgendaTopic), primary_key=True)
    at: Mapped[datetime | None]
    """From when; None once something changes that the matter hangs on."""


def due(session: Session, matter: AgendaTopic, now: datetime) -> list[int]:
    """Return the ids of the games to be looked at in a matter by now."""
    query = select(AgendaEntry.game_id).where(AgendaEntry.matter == matter, AgendaEntry.at <= now)
    return sorted(session.scalars(query))


def looks(session: Session, matter: AgendaTopic, now: datetime) -> Iterator[Game]:
    """Lock the games to be looked at in a matter by now, and give one after the other."""
    for number in due(session, matter, now):
        game = games.lock(session, session.get_one(Game, number))
        if take(session, game, matter, now):
            yield game


def take(session: Session, game: Game, matter: AgendaTopic, now: datetime) -> bool:
    """Return whether the locked game still has to be looked at, and nobody is just changing it.

    What changes from now on waits for the end of this transaction, and is looked at again.
    """
    query = select(AgendaEntry.at).where(
        AgendaEntry.game_id == game.id, AgendaEntry.matter == matter, AgendaEntry.at <= now
    )
    return session.scalar(query.with_for_update(skip_locked=True)) is not None


def settle(session: Session, game: Game, matter: AgendaTopic, at: datetime | None) -> None:
    """Let the game be looked at again at a moment; None when only a change can be the reason."""
    # What this look has changed itself is no reason.
    session.flush()
    look = AgendaEntry.game_id == game.id, AgendaEntry.matter == matter
    session.execute(update(AgendaEntry).where(*look).values(at=at))


def close(session: Session, game: Game, matter: AgendaTopic) -> None:
    """Take the matter off the agenda: in that game there is nothing to look at any more."""
    session.flush()
    session.execute(
        delete(AgendaEntry).where(AgendaEntry.game_id == game.id, AgendaEntry.matter == matter)
    )


def stir(session: Session, game: Game, *topics: AgendaTopic) -> None:
    """Let the game be looked at again in these topics; if none is named, in all on its agenda.

    Who changes what a topic hangs on says so after the change: who plays which seat, what missed
    how many turns, is out or on offer, whether the game runs, in which turn, for how many, and
    every vote, offer, deputy and observer. A look too many finds nothing; one too few is never
    made up for.
    """
    for topic in topics:
        _put(session, game, topic)
    if not topics:
        # Of most games nothing is on the agenda, and so nothing is written.
        entries = update(AgendaEntry).where(AgendaEntry.game_id == game.id)
        session.execute(entries.values(at=LONG_AGO))


def stir_all(session: Session, topic: AgendaTopic) -> None:
    """Let all games on whose agenda the topic is be looked at again in it."""
    entries = update(AgendaEntry).where(AgendaEntry.matter == topic)
    session.execute(entries.values(at=LONG_AGO))


def _put(session: Session, game: Game, topic: AgendaTopic) -> None:
    make: Any = postgresql.insert if is_postgres(session) else sqlite.insert
    row = make(AgendaEntry).values(game_id=game.id, matter=topic, at=LONG_AGO)
    session.execute(
        row.on_conflict_do_update(index_elements=["game_id", "matter"], set_={"at": LONG_AGO})
    )
