"""Orders that wait for a CONFIRM: until when it counts, and what counted if it came too late."""

from datetime import timedelta

from referee.desk.base.identity import Trust
from referee.desk.orders import readiness
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import came_in_time, is_too_late
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.models import GameStatus, SeatRow


def until(context: LetterContext) -> str:
    """Return until when a CONFIRM counts for the orders of a letter, or "" if nothing ends it."""
    try:
        game, turn = context.table_for_orders().game, context.turn_of_orders()
    except UserError:
        # The question lists the orders as not possible.
        return ""
    if is_too_late(game, turn, context.row.arrived_at):
        return f"The orders are for turn {turn} and came too late, so a CONFIRM does not file them."
    if game.status is GameStatus.HELD or game.due_at is None:
        return ""
    if turn > game.turn:
        return f"The orders count if your CONFIRM arrives before turn {turn} is resolved."
    deadline = Moment(game.due_at, context.zone)
    last = game.due_at + timedelta(seconds=game.grace_seconds)
    if context.now > last:
        return (
            f"The deadline of turn {turn} was {deadline}. The orders count if your CONFIRM arrives "
            "before it is resolved, so confirm now."
        )
    by = f"by its deadline, {deadline}"
    early = readiness.early_moment(game)
    if early is not None and early < game.due_at:
        by = f"by {Moment(early, context.zone)}, when it is resolved early"
    elif game.grace_seconds:
        by = f"by {Moment(last, context.zone)}, when the grace after its deadline ends"
    return (
        f"The orders count for turn {turn} if your CONFIRM arrives {by}, and before the turn is "
        "resolved."
    )


def what_counted(context: LetterContext, turn: int) -> str:
    """Return the orders counted for a resolved *turn*, if only a letter's CONFIRM came too late.

    Otherwise "". The letter is still pending while it is carried out.
    """
    is_confirmed = context.identity.trust is Trust.CONFIRMED
    if not is_confirmed or context.row.state is not InboxState.HELD:
        return ""
    row = context.seat()
    if not came_in_time(context.session, row.game, turn, context.row.arrived_at):
        return ""
    return _counted(context, row, turn)


def _counted(context: LetterContext, row: SeatRow, turn: int) -> str:
    sheet = games.sheet_of(context.session, row, turn)
    if sheet is not None:
        source = context.source_of(sheet.origin.letter_id)
        return f"Your sheet from {source} counted ({counted(len(sheet.orders), 'order')})."
    resolved = games.turn_of(context.session, row.game, turn).sheets or {}
    given = resolved.get(str(row.number), ())
    got = counted(len(given), "default or standing order") if given else "no orders"
    return f"Nothing was on file for it, so your seat got {got}."
