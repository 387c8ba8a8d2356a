"""Receipts: the numbers of letters, counted for each seat.

People see these and no others. The id of a letter counts the letters of the whole site, so it would
show a player when others write.
"""

from functools import cache

from sqlalchemy import Select, Update, bindparam, func, select, union_all, update
from sqlalchemy.orm import Session, defer
from sqlalchemy.orm.attributes import set_committed_value

from referee.store.database.base import table
from referee.store.mail.epochs import SOURCE
from referee.store.models import Game, InboxLetter, SeatRow


def take(session: Session, letter: InboxLetter, seat: SeatRow) -> int:
    """Return the receipt of a letter for *seat*, which is the seat's next one if it has none.

    The caller has locked the game.
    """
    asked = {"number": letter.id, "game": seat.game_id, "seat": seat.number}
    receipt: int = session.scalars(_taking(), asked).one()
    set_committed_value(letter, "receipt", receipt)
    return receipt


def of(session: Session, letter_id: int) -> int:
    """Return the receipt of a letter, by its id; 0 if it has none."""
    return session.scalar(_of(), {"number": letter_id}) or 0


def letter_with(session: Session, seat: SeatRow, receipt: int) -> int | None:
    """Return the id of the seat's letter with that receipt, or None."""
    query = select(InboxLetter.id).where(
        InboxLetter.game_id == seat.game_id,
        InboxLetter.seat_number == seat.number,
        InboxLetter.receipt == receipt,
    )
    return session.scalar(query)


def letters_with(session: Session, game: Game, receipt: int) -> list[InboxLetter]:
    """Return the letters of all seats of a game with that receipt, without their bytes."""
    query = select(InboxLetter).where(
        InboxLetter.game_id == game.id,
        InboxLetter.seat_number.is_not(None),
        InboxLetter.receipt == receipt,
    )
    return list(session.scalars(query.order_by(InboxLetter.id).options(defer(InboxLetter.stored))))


@cache
def _taking() -> Update:
    """Build the statement that gives a letter its receipt; every letter for a seat needs it."""
    letters = table(InboxLetter)
    earlier = letters.alias().c
    of_seat = earlier.game_id == bindparam("game"), earlier.seat_number == bindparam("seat")
    # What a restored database does not know of may have any number up to that of the restore.
    used = union_all(
        select(func.max(earlier.receipt).label("highest")).where(*of_seat),
        select(func.max(earlier.receipt)).where(earlier.source == SOURCE),
    ).subquery()
    following = select(func.coalesce(func.max(used.c.highest), 0) + 1).scalar_subquery()
    here = letters.c.receipt
    return (
        update(letters)
        .where(letters.c.id == bindparam("number"))
        .values(receipt=func.coalesce(here, following))
        .returning(here)
    )


@cache
def _of() -> Select[int | None]:
    return select(InboxLetter.receipt).where(InboxLetter.id == bindparam("number"))
