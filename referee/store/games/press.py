"""Press: messages between players, before and after their delivery."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    bindparam,
    or_,
    select,
)
from sqlalchemy.orm import Mapped, Session, contains_eager, mapped_column, relationship

from referee.domain.press import punctual
from referee.store.database.base import Base
from referee.store.models import Game, GameStatus, InboxLetter, SeatRow


class Press(Base):
    """A message between players, kept before and after its delivery."""

    __tablename__ = "press"
    __table_args__ = (
        Index("ix_press_game_id_delivered_turn", "game_id", "delivered_turn"),
        Index("ix_press_delivered_turn_due_at", "delivered_turn", "due_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    turn: Mapped[int]
    letter_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    sender: Mapped[int]
    """The seat number; 0 is the GM."""
    anonymous: Mapped[bool]
    recipients: Mapped[list[Any]]
    """Seat numbers; 0 is the GM."""
    text: Mapped[str]
    receipt: Mapped[bool] = mapped_column(default=False)
    """Whether the sender gets a delivery receipt."""
    due_at: Mapped[datetime | None]
    """The time of delivery; None for delivery with the next report."""
    wanted_at: Mapped[datetime | None]
    """The time that the writer has chosen, by the clock."""
    lead_seconds: Mapped[int | None]
    """Or how long before the deadline of the turn."""
    delivered_turn: Mapped[int | None]

    letter: Mapped[InboxLetter] = relationship()

    @property
    def is_timed(self) -> bool:
        """Whether the writer has chosen the time of delivery."""
        return self.wanted_at is not None or self.lead_seconds is not None


def pending_of(session: Session, seat: SeatRow, letter: int) -> list[Press]:
    """Return the seat's undelivered messages from the letter with that id."""
    query = select(Press).where(*_of(seat), Press.letter_id == letter)
    return list(session.scalars(query.where(Press.delivered_turn.is_(None)).order_by(Press.id)))


def waiting(session: Session, seat: SeatRow) -> list[Press]:
    """Return the seat's undelivered messages, in the order of writing."""
    query = select(Press).where(*_of(seat), Press.delivered_turn.is_(None))
    return list(session.scalars(query.order_by(Press.id)))


def has_gone(session: Session, seat: SeatRow, letter: int) -> bool:
    """Return whether messages from the letter with that id were delivered."""
    query = select(Press.id).where(*_of(seat), Press.letter_id == letter)
    return session.scalar(query.where(Press.delivered_turn.is_not(None)).limit(1)) is not None


def twin(
    session: Session, seat: SeatRow, recipients: Sequence[int], text: str, *, anonymous: bool
) -> Press | None:
    """Return the seat's undelivered message with the same text and recipients, or None."""
    query = select(Press).where(*_of(seat), Press.delivered_turn.is_(None), Press.text == text)
    found = session.scalars(query.where(Press.anonymous == anonymous).order_by(Press.id))
    return next((item for item in found if item.recipients == list(recipients)), None)


def delivered_twin(
    session: Session, seat: SeatRow, recipients: Sequence[int], text: str, first_turn: int
) -> Press | None:
    """Return the player's newest delivered message with the same words and recipients, or None.

    It was written in *first_turn* or later, by the present player of the seat. Line breaks and
    blanks do not matter, because email programs change them.
    """
    query = select(Press).where(
        *_of(seat), Press.delivered_turn.is_not(None), Press.turn >= first_turn
    )
    query = query.join(InboxLetter, InboxLetter.id == Press.letter_id)
    found = session.scalars(
        query.where(InboxLetter.holder_id == seat.person_id).order_by(Press.id.desc())
    )
    words = text.split()
    same = (item for item in found if item.text.split() == words)
    return next((item for item in same if item.recipients == list(recipients)), None)


def written(session: Session, seat: SeatRow, turn: int, *, to_gm: bool) -> list[str]:
    """Return the messages from the seat in a turn: those to the GM, or those to players."""
    found = session.scalars(select(Press).where(*_of(seat), Press.turn == turn))
    return [item.text for item in found if (item.recipients == [0]) is to_gm]


def undelivered(session: Session, game: Game) -> list[Press]:
    """Return the messages for the game's next report, timed ones among them.

    Signed ones are in the order of writing, anonymous ones in an order that reveals nothing.
    """
    return _in_order(session.scalars(_undelivered(), {"game": game.id}))


def follow(session: Session, game: Game) -> None:
    """Set when the timed messages of a game are delivered, after something about it has changed."""
    query = select(Press).where(Press.game_id == game.id, Press.delivered_turn.is_(None))
    for item in session.scalars(query.where(_is_timed())):
        item.due_at = moment_of(game, item)


def moment_of(game: Game, item: Press) -> datetime | None:
    """Return when a timed message is delivered, or None if it waits for the report.

    So it does if the game has no deadline now, has ended, or delivers messages with the report.
    """
    wanted = item.wanted_at
    if item.lead_seconds is not None and game.due_at is not None:
        wanted = game.due_at - timedelta(seconds=item.lead_seconds)
    at_once = game.press_rules.at_once or item.recipients == [0]
    if wanted is None or not at_once or game.status is GameStatus.ENDED:
        return None
    return punctual(wanted, anonymous=item.anonymous)


def _in_order(items: Iterable[Press]) -> list[Press]:
    return sorted(items, key=lambda item: (item.anonymous, item.text if item.anonymous else ""))


def in_reports(session: Session, game: Game) -> list[Press]:
    """Return the messages that came with the reports of the current turn, in their order there."""
    query = select(Press).where(Press.game_id == game.id, Press.delivered_turn == game.turn)
    found = session.scalars(
        query.where(Press.due_at.is_(None), Press.text != "").order_by(Press.id)
    )
    return _in_order(found)


def of_masters(session: Session, game: Game, turn: int) -> list[Press]:
    """Return the GMs' messages that were delivered in *turn*, by report or by letter."""
    query = select(Press).where(Press.game_id == game.id, Press.sender == 0)
    return list(session.scalars(query.where(Press.delivered_turn == turn).order_by(Press.id)))


def all_of_masters(session: Session, game: Game) -> list[Press]:
    """Return all messages of the GMs that were delivered, in the order of writing."""
    query = select(Press).where(Press.game_id == game.id, Press.sender == 0)
    return list(session.scalars(query.where(Press.delivered_turn.is_not(None)).order_by(Press.id)))


def to_reveal(session: Session, game: Game, agreeing: Collection[int]) -> list[Press]:
    """Return the signed messages between players that were delivered, in the order of writing.

    Only those of the *agreeing* people, by their ids: each is of the seat's player at that time.
    """
    query = (
        select(Press)
        .join(Press.letter)
        .where(Press.game_id == game.id, Press.sender != 0, Press.anonymous.is_(False))
        .where(Press.delivered_turn.is_not(None), Press.text != "")
        .where(InboxLetter.holder_id.in_(agreeing))
        .options(contains_eager(Press.letter).defer(InboxLetter.stored))
    )
    return [item for item in session.scalars(query.order_by(Press.id)) if all(item.recipients)]


def games_due(session: Session, now: datetime) -> list[int]:
    """Return the ids of the games with messages to deliver by *now*."""
    query = select(Press.game_id).where(Press.delivered_turn.is_(None), Press.due_at <= now)
    return list(session.scalars(query.distinct().order_by(Press.game_id)))


def due(session: Session, game: Game, now: datetime) -> list[Press]:
    """Return the game's messages to deliver by *now*, the longest due first."""
    query = select(Press).where(Press.game_id == game.id, Press.delivered_turn.is_(None))
    return list(session.scalars(query.where(Press.due_at <= now).order_by(Press.due_at, Press.id)))


def _of(seat: SeatRow) -> tuple[ColumnElement[bool], ...]:
    return Press.game_id == seat.game_id, Press.sender == seat.number


def _is_timed() -> ColumnElement[bool]:
    return or_(Press.wanted_at.is_not(None), Press.lead_seconds.is_not(None))


@cache
def _undelivered() -> Select[Press]:
    of_game = Press.game_id == bindparam("game"), Press.delivered_turn.is_(None)
    in_report = or_(Press.due_at.is_(None), _is_timed())
    return select(Press).where(*of_game, in_report).order_by(Press.id)
