"""Notices of a GM's changes: to players, to observers, and of everything to the other GMs."""

from dataclasses import dataclass
from typing import Final

from referee.desk.base import announcements
from referee.desk.base.announcements import Move
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import hold_limits
from referee.desk.gm.last_change import Before
from referee.desk.orders.gm_authority import BEGUN, notify_seat, occasion, others, plays
from referee.desk.orders.letter_context import ClockChange, LetterContext
from referee.desk.orders.readiness import ALL_TAKEN_BACK
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import GameChanged
from referee.store.models import Game, GameStatus
from referee.store.people import observers

HELD = "The GM put the game on hold"
RESUMED = "The GM resumed the game"
_CLOSED: Final = "{0} no longer takes observers. Its GM decided this."
_OPENED: Final = "{0} takes observers again. You get its public reports. OBSERVE {0} OFF ends this."


@dataclass(frozen=True, slots=True)
class _News:
    """The news of the deadline; without a *move* it is all in *what*."""

    what: str
    move: Move | None = None


def because(reason: str) -> str:
    """Return the sentence about a reason, with a blank before it, or ""."""
    return f" Reason: {reason}." if reason else ""


def notify(context: LetterContext, was: Before | None) -> None:
    """Send one notice to each player, observer and other GM, however many changes the letter made.

    *was* is the game before the letter.
    """
    if was is not None:
        _notify_observers(context, context.game(), was.columns["observers_behind"])
    if context.clock is None and not context.gm_news:
        return
    game = context.game()
    news = _of_clock(game, context.clock) if context.clock is not None else None
    if news is not None:
        _notify_players(context, game, news)
    _notify_gms(context, game, news)


def _notify_observers(context: LetterContext, game: Game, behind: int | None) -> None:
    """Notify the observers if the game, which they read so many turns *behind*, opens or closes."""
    if (behind is None) == (game.observers_behind is None):
        return
    what = _CLOSED if behind is not None else _OPENED
    for observer in observers.of(context.session, game):
        notice = GameChanged(game.name, game.turn, what.format(game.name), None)
        serial = f"observer{context.row.id}"
        post(context.desk, notice, Addressing(mailbox(observer.person), serial, game=game))


def _notify_players(context: LetterContext, game: Game, news: _News) -> None:
    can_wait = game.status is GameStatus.HELD and news.move is None
    for row in game.seats:
        # The deadline does not concern an eliminated seat.
        if not (row.eliminated and news.move):
            notify_seat(context, row, news.what, move=news.move, can_wait=can_wait)


def _notify_gms(context: LetterContext, game: Game, news: _News | None) -> None:
    told = {person.id: person for person in others(context, game)}
    for number, person in told.items():
        lines = context.gm_news.get(number, [])
        # A GM who plays reads of the deadline as the other players do.
        of_clock = None if plays(game, person) else news
        if of_clock is None and not lines:
            continue
        what, *more = (of_clock.what, *lines) if of_clock is not None else lines
        announcements.tell(
            context.desk,
            game,
            person,
            what,
            occasion(context),
            can_wait=True,
            move=of_clock.move if of_clock is not None else None,
            more=more,
        )


def _of_clock(game: Game, clock: ClockChange) -> _News | None:
    """Return the news of the deadline, or None if it is as it was before the letter."""
    if game.status not in BEGUN:
        return None
    why = because("; ".join(clock.reasons)).strip()
    taken_back = ALL_TAKEN_BACK if clock.final_taken_back else ""
    is_held, is_moved = game.status is GameStatus.HELD, game.deadline_at != clock.before
    deadline = f"the deadline of turn {game.turn}"
    if is_held == clock.was_held:
        move = Move(f"The GM moved {deadline}", clock.before)
        return _News(f"{why} {taken_back}".strip(), move) if is_moved else None
    what = HELD if is_held else RESUMED
    rest = _while_held(game) if is_held else taken_back
    if not announcements.shows_move(clock.before, game.deadline_at):
        return _News(" ".join(filter(None, (f"{what}.", why, rest))))
    event = "game on hold, deadline moved" if is_held else "game resumed, deadline moved"
    move = Move(f"{what} and moved {deadline}", clock.before, event)
    return _News(f"{why} {rest}".strip(), move)


def _while_held(game: Game) -> str:
    text = "You can still send orders. FINAL stays in effect. VOTE RESUME proposes to go on."
    if game.hold_ends_at is None:
        return text
    end = Moment(game.hold_ends_at, "UTC")
    return f"{text} {hold_limits.limited(f'on {end}')}"
