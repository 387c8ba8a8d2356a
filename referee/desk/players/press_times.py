"""Messages with a time that their writer has chosen: checking it, setting it, and its words."""

from datetime import datetime, timedelta

from referee.desk.orders.letter_context import LetterContext
from referee.domain.press import PressTime, goes_out
from referee.domain.schedules import in_words
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store.games import press
from referee.store.games.press import Press
from referee.store.models import Game, GameStatus


def set_time(context: LetterContext, game: Game, item: Press, when: PressTime) -> None:
    """Set when a message is delivered. Until then it can be taken back like any other.

    Raises UserError if the game does not allow it, or if the time has passed or is too late.
    """
    if not game.press_rules.at_once and any(item.recipients):
        raise UserError(
            f"In {game.name} messages to players come with the next report, so none has a time. "
            "Write it without AT. It was not sent."
        )
    if when.clock is not None:
        item.wanted_at = when.clock.after(context.row.arrived_at, context.zone)
    if when.lead is not None:
        item.lead_seconds = int(when.lead.total_seconds())
    _check(context, game, item)
    at = press.moment_of(game, item)
    item.due_at = at and max(at, goes_out(context.now, anonymous=item.anonymous))


def _check(context: LetterContext, game: Game, item: Press) -> None:
    due, at = game.due_at, item.wanted_at
    if due is not None and item.lead_seconds is not None:
        at = due - timedelta(seconds=item.lead_seconds)
    if at is not None and at <= context.now:
        raise UserError(
            f"That is {Moment(at, context.zone)}, which has passed. The message was not sent."
        )
    if at is not None and due is not None and at > due:
        raise UserError(
            f"That is {Moment(at, context.zone)}, but turn {game.turn} is due on "
            f"{Moment(due, context.zone)}. A message has a time in its turn. It was not sent."
        )


def delivery(game: Game, item: Press, zone: str) -> str:
    """Return when a message is delivered: ``on Fri 4 Sep 2026, 16:00 UTC``."""
    if item.lead_seconds is None:
        return _on(item.due_at, zone) or "with the next report"
    lead = timedelta(seconds=item.lead_seconds)
    relative = f"{in_words(lead)} before the deadline" if lead else "at the deadline"
    if item.due_at is not None:
        return f"{_on(item.due_at, zone)}, {relative}"
    held = game.status is GameStatus.HELD
    return f"{relative}, when the game goes on" if held else "with the next report"


def _on(moment: datetime | None, zone: str) -> str:
    return f"on {Moment(moment, zone)}" if moment is not None else ""
