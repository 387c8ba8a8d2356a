"""The moments of the register that are awaited: which rows wait, for whom, and the first of all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, CompoundSelect, Select, func, literal, or_, select, true
from sqlalchemy import union_all as all_of
from sqlalchemy.orm import InstrumentedAttribute, Session

from referee.domain.moments import AfterGap, that
from referee.domain.votes import VoteResult
from referee.store.games import agenda
from referee.store.games.agenda import AgendaEntry, AgendaTopic
from referee.store.games.postponements import game_of
from referee.store.games.press import Press
from referee.store.games.votes import Vote
from referee.store.letter_states import OutboxState
from referee.store.mail.digests import PendingNotice
from referee.store.models import Game, GameStatus, OutboxLetter
from referee.store.people.absences import REMINDED_BEFORE, Absence, concerned
from referee.store.people.address_changes import AddressChange, ChangeState
from referee.store.people.deputies import Deputy
from referee.store.people.offers import Offer, OfferState


@dataclass(frozen=True, slots=True)
class Awaited:
    """A column of the register, and which of its rows wait for their moment.

    Something happens so long *before* it: by itself, or when the game of the row looks at the
    *topic* of its agenda.
    """

    column: InstrumentedAttribute[Any]
    waits: ColumnElement[bool]
    topic: AgendaTopic | None = None
    before: timedelta = timedelta(0)

    @property
    def name(self) -> str:
        """The name in the register."""
        return f"{self.model.__tablename__}.{self.column.key}"

    @property
    def model(self) -> type[Any]:
        """The class of the rows."""
        return self.column.class_  # type: ignore[return-value]

    def waiting(self, session: Session) -> Iterator[Any]:
        """Yield the rows whose moment is still to come, oldest first."""
        query = select(self.model).where(self.waits, self.column.is_not(None))
        query = query.order_by(self.model.id)
        yield from list(session.scalars(query))

    def is_waiting(self, session: Session, row: Any) -> bool:
        """Return whether the moment of the row is still to come."""
        query = select(self.model.id).where(self.model.id == row.id, self.waits)
        return session.scalar(query) is not None

    def move(self, session: Session, row: Any, moment: datetime) -> None:
        """Set the moment of a row, and have its game look at it."""
        setattr(row, self.column.key, moment)
        game = game_of(row)
        if game is not None and self.topic is not None:
            agenda.schedule(session, game, self.topic)


_RUNS: Final = Game.status == GameStatus.RUNNING
_FORMS: Final = Game.status == GameStatus.FORMING


def _ends(moment: InstrumentedAttribute[datetime | None]) -> Awaited:
    """Return the moment with the condition that a turn ends then, or is tried again."""
    rested = or_(Game.stalled_until.is_(None), Game.stalled_until < moment)
    return Awaited(moment, _RUNS & rested)


_STALLED: Final = or_(Game.closes_at <= Game.stalled_until, Game.ready_at <= Game.stalled_until)
AWAITED: Final[Mapping[str, Awaited]] = {
    each.name: each
    for each in (
        _ends(Game.closes_at),
        _ends(Game.ready_at),
        Awaited(Game.stalled_until, _RUNS & _STALLED),
        Awaited(Game.remind_at, _RUNS),
        Awaited(Game.hold_ends_at, Game.status == GameStatus.HELD, AgendaTopic.HOLDS),
        Awaited(Game.starts_at, _FORMS, AgendaTopic.START),
        Awaited(Game.call_off_at, _FORMS, AgendaTopic.START),
        Awaited(Vote.closes_at, Vote.outcome == VoteResult.OPEN, AgendaTopic.VOTES),
        Awaited(Offer.until, Offer.state == OfferState.OPEN, AgendaTopic.OFFERS),
        Awaited(Deputy.begins_at, true(), AgendaTopic.DEPUTIES),
        Awaited(Deputy.ends_at, true(), AgendaTopic.DEPUTIES),
        Awaited(Absence.begins_at, ~Absence.reminded & concerned(), before=REMINDED_BEFORE),
        Awaited(AddressChange.expires_at, AddressChange.state == ChangeState.WAITING),
        Awaited(Press.due_at, Press.delivered_turn.is_(None)),
        Awaited(PendingNotice.due_at, true()),
        Awaited(OutboxLetter.due_at, OutboxLetter.state == OutboxState.WAITING),
        Awaited(AgendaEntry.at, true()),
    )
}
"""The moments of the register that something waits for, by their names."""
BY_THEMSELVES: Final = frozenset(name for name, each in AWAITED.items() if each.topic is None)
"""The moments that no agenda looks after; ``agenda.at`` is the first of all others."""
TURNS: Final = frozenset({"games.closes_at", "games.ready_at", "games.stalled_until"})
"""The moments at which a turn is resolved."""
BY_LETTERS: Final = TURNS | {"votes.closes_at", "press.due_at"}
"""The moments whose outcome depends on the letters received before them."""
MOVABLE: Final = {name: AWAITED[name] for name in that(AfterGap.MOVES) & AWAITED.keys()}
"""The moments that get lost time back, row by row; a deadline follows its schedule."""


def first(session: Session, names: frozenset[str]) -> datetime | None:
    """Return the first of these moments, or None; in the past if it still waits."""
    found = session.execute(_first_of_each(names))
    return min((at - AWAITED[name].before for name, at in found if at is not None), default=None)


@cache
def _first_of_each(names: frozenset[str]) -> CompoundSelect[str, datetime | None]:
    """Build the query for the first moment of each name. Every round of the loop needs it."""
    return all_of(*(_first(AWAITED[name]) for name in sorted(names)))


def _first(each: Awaited) -> Select[str, datetime | None]:
    return select(literal(each.name), func.min(each.column)).where(each.waits)
