"""Rights of a deputy, and the notices that keep the deputy and the player informed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.desk.base.announcements import current_deadline
from referee.desk.base.identity import Identity
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.orders.letter_context import LetterContext
from referee.domain.days import Days, days_between, in_words
from referee.letters.outgoing.seat_notices import SheetChanged
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, SeatRow, Sheet
from referee.store.people import deputies
from referee.store.people.deputies import Deputy, DeputyState


def refuse_turn(identity: Identity, game: Game, turn: int | None) -> None:
    """Raise UserError if a deputy orders for a future turn, which may be after their last day."""
    if identity.deputy is not None and (turn or 0) > game.turn:
        raise UserError(f"A deputy can only order for the current turn, which is turn {game.turn}.")


@dataclass(frozen=True, slots=True)
class Watched:
    """A seat that has a deputy, and its sheet for the current turn before the letter was read."""

    seat: SeatRow
    deputy: Deputy
    before: Sheet | None


def watched(context: LetterContext) -> Watched | None:
    """Return the letter's seat and its acting deputy, or None if the seat has no deputy."""
    seat = context.identity.seat
    if seat is None or context.table is None:
        return None
    deputy = deputies.acting(context.session, seat, context.row.arrived_at)
    if deputy is None:
        return None
    return Watched(seat, deputy, games.sheet_of(context.session, seat, seat.game.turn))


def notify_of_sheet(context: LetterContext, watched: Watched) -> None:
    """Notify the player of a sheet the deputy filed, or the deputy of one the player filed."""
    seat, deputy = watched.seat, watched.deputy
    after = games.sheet_of(context.session, seat, seat.game.turn)
    if after is None or after is watched.before or seat.person is None:
        return
    theirs = context.identity.deputy is not None
    # The letter itself may have ended the deputyship.
    is_acting = deputy.state is DeputyState.ACTING
    if deputy.person is None or not (theirs or is_acting):
        return
    reader = seat.person if theirs else deputy.person
    notice = SheetChanged(
        game=seat.game.name,
        turn=after.turn,
        seat=seat.name,
        by_deputy=theirs,
        receipt=context.receipt,
        orders=tuple(after.orders),
        deadline=current_deadline(seat.game, reader.zone, context.now),
    )
    addressing = Addressing(mailbox(reader), f"sheet{context.row.id}", game=seat.game, seat=seat)
    addressing = replace(addressing, turn=seat.game.turn, deputy=None if theirs else deputy)
    post(context.desk, notice, addressing)
    if theirs and is_acting:
        context.note = (
            f"{context.note} You are deputy for {seat.name} {when(deputy)}. "
            "Its player sees what you filed."
        ).strip()


def status_lines(context: LetterContext) -> Iterator[str]:
    """Yield the STATUS lines about deputies, for the player and for the deputy."""
    mine = context.identity.deputy
    for deputy in [mine] if mine is not None else deputies.of(context.session, context.seat()):
        accepted = "" if deputy.person_id is not None else ", who has not accepted yet"
        yield f"Deputy {when(deputy)}: {deputy.address}{accepted}."


def note(session: Session, row: SeatRow) -> str:
    """Return the note for the GM's STATUS on who is deputy of a seat, or ""."""
    engaged = [each for each in deputies.of(session, row) if each.person is not None]
    return "; ".join(
        f"deputy #{each.person.account} {when(each)}" for each in engaged if each.person is not None
    )


def when(deputy: Deputy) -> Days:
    """Return the days of a deputy, which as text begin with "from" or "on"."""
    return days_between(deputy.begins_at, deputy.ends_at, deputy.zone)


def until(deputy: Deputy) -> str:
    """Return the last of a deputy's days in words."""
    return in_words(when(deputy).last)
