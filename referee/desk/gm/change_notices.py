"""Notices of a GM's changes: to players, to observers, and of everything to the other GMs."""

from typing import Final

from referee.desk.base import announcements, ledger
from referee.desk.base.announcements import Move
from referee.desk.games import hold_limits
from referee.desk.gm.last_change import Before
from referee.desk.orders.gm_authority import BEGUN, news_for, notify_person, others, plays
from referee.desk.orders.letter_context import ClockChange, LetterContext, Recipient
from referee.desk.orders.readiness import ALL_TAKEN_BACK
from referee.domain.shares import Charge, Key, Thing
from referee.letters.outgoing.local_time import Moment
from referee.store.models import Game, GameStatus
from referee.store.people import observers

HELD = "The GM put the game on hold"
RESUMED = "The GM resumed the game"
_CLOSED: Final = "{0} no longer takes observers. Its GM decided this."
_OPENED: Final = "{0} takes observers again. You get its public reports. OBSERVE {0} OFF ends this."


def because(reason: str) -> str:
    """Return the sentence about a reason, with a blank before it, or ""."""
    return f" Reason: {reason}." if reason else ""


def notify(context: LetterContext, was: Before | None) -> None:
    """Send one notice to each recipient of the news, however many changes the letter made.

    *was* is the game before the letter of a GM. If the sender cannot pay for all notices, none is
    sent, and the answer says so.
    """
    if was is not None:
        _add_observers(context, context.game(), was.columns["observers_behind"])
    if context.clock is not None:
        _add_clock(context, context.game(), context.clock)
    told = {
        recipient: news
        for recipient, news in context.news.items()
        if news.lines and recipient.is_current
    }
    if not told:
        return
    payer = Key.GM if context.identity.is_gm else Key.PERSON
    charge = Charge(Thing.NEWS, {payer: context.to.address}, len(told))
    if (refused := ledger.refusal(context.desk, charge)) is not None:
        context.note = f"{context.note} {refused.words}".strip()
        return
    ledger.book(context.desk, charge)
    for recipient, news in told.items():
        what, *more = news.lines
        announcements.tell(
            context.desk,
            recipient.game,
            recipient.person,
            what,
            f"changed{context.row.id}",
            recipient.seat,
            can_wait=news.can_wait,
            has_left=recipient.is_outside,
            move=news.move,
            more=more,
            files=news.files,
        )


def _add_observers(context: LetterContext, game: Game, behind: int | None) -> None:
    """Add the news for observers if the game, read so many turns *behind*, opens or closes."""
    if (behind is None) == (game.observers_behind is None):
        return
    what = _CLOSED if behind is not None else _OPENED
    for observer in observers.of(context.session, game):
        notify_person(context, observer.person, game, what.format(game.name), is_outside=True)


def _add_clock(context: LetterContext, game: Game, clock: ClockChange) -> None:
    """Add the news of the deadline for the players and the other GMs."""
    if (news := _of_clock(game, clock)) is None:
        return
    what, move = news
    can_wait = game.status is GameStatus.HELD and move is None
    for row in game.seats:
        # The deadline does not concern an eliminated seat.
        if row.person is not None and not (row.eliminated and move):
            recipient = Recipient(row.person, game, row)
            news_for(context, recipient, can_wait=can_wait).begin(what, move)
    for person in others(context, game):
        # A GM who plays reads of the deadline as the other players do.
        if not plays(game, person):
            recipient = Recipient(person, game)
            news_for(context, recipient, can_wait=True).begin(what, move)


def _of_clock(game: Game, clock: ClockChange) -> tuple[str, Move | None] | None:
    """Return the news of the deadline besides its move, or None if it is as before the letter."""
    if game.status not in BEGUN:
        return None
    why = because("; ".join(clock.reasons)).strip()
    taken_back = ALL_TAKEN_BACK if clock.final_taken_back else ""
    is_held = game.status is GameStatus.HELD
    is_moved = announcements.shows_move(clock.before, game.deadline_at)
    deadline = f"the deadline of turn {game.turn}"
    if is_held == clock.was_held:
        move = Move(f"The GM moved {deadline}", clock.before)
        return (f"{why} {taken_back}".strip(), move) if is_moved else None
    what = HELD if is_held else RESUMED
    rest = _while_held(game) if is_held else taken_back
    if not is_moved:
        return " ".join(filter(None, (f"{what}.", why, rest))), None
    event = "game on hold, deadline moved" if is_held else "game resumed, deadline moved"
    move = Move(f"{what} and moved {deadline}", clock.before, event)
    return f"{why} {rest}".strip(), move


def _while_held(game: Game) -> str:
    text = "You can still send orders. FINAL stays in effect. VOTE RESUME proposes to go on."
    if game.hold_ends_at is None:
        return text
    end = Moment(game.hold_ends_at, "UTC")
    return f"{text} {hold_limits.limited(f'on {end}')}"
