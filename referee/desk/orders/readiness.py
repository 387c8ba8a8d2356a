"""FINAL and WAIT: seats that are ready, turns that end early, and until when orders count."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.identity import Trust
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders import sheets
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import OpenSheet
from referee.desk.orders.standing_orders import standing_doubts
from referee.domain import commands as c
from referee.domain.deadlines import early_end
from referee.domain.house_rules import early_wait
from referee.domain.shares import SHARES, Thing
from referee.letters.outgoing.local_time import Moment
from referee.rules.extras import extras_of
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games, undo_log
from referee.store.games.undo_log import UndoKind
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import LONG_AGO, Game, GameStatus, SeatRow

ALL_TAKEN_BACK = (
    "This takes back everyone's FINAL: the turn waits for the new deadline unless all players send "
    "it again."
)
"""The words of a letter on a move to a later deadline while everybody is ready."""
MOST_TURNS_A_DAY: Final = SHARES[Thing.TURN_FOR_ONE][0].day
"""How many turns the games for one of a person have in a day, so that they use no core up."""
_DAY: Final = timedelta(days=1)
_MOST_IN_A_ROW: Final = 100
"""How many turns of robots are resolved at once: more than a combat round by round has."""
_ON_HOLD = "The game is on hold, so no turn is resolved until it resumes."


@command(c.Final, "FINAL", For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="fistful")
def final(context: LetterContext, _given: c.Final) -> Deed:
    """When every seat that still has to send orders is final, FINAL ends the turn early.

    Without a sheet on file, an empty one is filed, unless the seat has standing orders. Raises
    UserError if the letter is for another turn.
    """
    table = context.table_for_orders()
    turn, now = context.turn_of_orders(), table.game.turn
    if turn != now and not context.rolled_back(turn):
        over = ", which is resolved" if turn < now else ""
        raise UserError(
            f"Your email is for turn {turn}{over}, so its FINAL does not count for turn {now}. "
            f"Reply to the report of turn {now} with FINAL."
        )

    def declare() -> str:
        row = context.seat()
        sheet = context.sheet_of(table.game.turn)
        sheet.is_final = True
        sheets.file(context.session, sheet, context.now)
        _declare(context, table, row, (table.game.turn, 0), "FINAL")
        early = early_moment(table.game)
        doubt = "" if context.sheet is sheet else _doubt(sheet, early, context.now)
        asked = next(unanswered(context, row), "")
        rolled_back = context.rolled_back(context.identity.about.inherited_turn or 0)
        told = f"{rolled_back} FINAL is for turn {table.game.turn}." if rolled_back else ""
        return " ".join(filter(None, (told, _ready(context, table), doubt, asked)))

    return Deed("", declare)


@command(c.Wait, "WAIT", For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="order_typed")
def wait(context: LetterContext, _given: c.Wait) -> Deed:
    """WAIT. It takes FINAL back, so the turn is not resolved before its deadline."""
    table = context.table_for_orders()

    def declare() -> str:
        _declare(context, table, context.seat(), (0, table.game.turn), "WAIT")
        if table.game.status is GameStatus.HELD:
            return f"You are not ready. {_ON_HOLD}"
        if is_adjudicated(table.game):
            return "You are not ready, but the GM resolves the turn now."
        return "The turn waits for its deadline."

    return Deed("", declare)


def _ready(context: LetterContext, table: LoadedGame) -> str:
    if table.game.status is GameStatus.HELD:
        return f"You are ready. {_ON_HOLD}"
    if table.game.ready_at is None:
        return (
            "You are ready. The turn is resolved early when everyone has sent FINAL. "
            "Until then you can still change your orders."
        )
    return f"Everyone is ready: {end_in_words(table.game, context.zone, context.now)}"


def _doubt(sheet: OpenSheet, early: datetime | None, now: datetime) -> str:
    """Return the doubts about the sheet in the answer to a FINAL, which does not show it, or ""."""
    if not sheet.draft.entries:
        if sheet.before is not None or not sheet.row.standing:
            return "The sheet on file for you is empty."
        return f"Your standing orders run. {standing_doubts(sheet.table, sheet.row).in_words}"
    entries = sheet.table.with_orders(sheet.draft.entries)
    rejected = sheets.rejected(sheet.table, sheet.row, entries, sheet.turn)
    if not rejected:
        return ""
    are = "order on your sheet is" if len(rejected) == 1 else "orders on your sheet are"
    # Once the turn is resolved, ORDERS shows the next one.
    ends_now = early is not None and early <= now
    shown = "the report says why" if ends_now else "ORDERS shows the reasons"
    return f"{len(rejected)} {are} rejected; {shown}."


def unanswered(context: LetterContext, row: SeatRow) -> Iterator[str]:
    """Yield the other emails of the sender about which a question is open, the newest first."""
    person = context.identity.person
    for each in reversed(inbox.asking(context.session, person.id) if person is not None else []):
        is_own = Trust.of(each).is_believed and each is not context.row
        if is_own and (each.asked or {})["seat"] == row.id:
            came = Moment(each.arrived_at, context.zone)
            yield f"You have not answered our question about your email of {came}."


def set_readiness(
    session: Session, table: LoadedGame, row: SeatRow, turns: Sequence[int], now: datetime
) -> None:
    """Set the *turns* of the seat's last FINAL and WAIT, and when the game's turn ends early.

    A FINAL that is repeated moves nothing: the players were told that moment. If the turn no longer
    ends early, a worker that has claimed the game may not resolve it.
    """
    game = table.game
    row.final_turn, row.wait_turn = turns
    if row.final_turn == game.turn:
        if game.ready_at is None and not waited_for(table):
            end_early(session, game, now)
    elif not (game.ready_at is None or is_adjudicated(game)):
        game.ready_at = None
        games.revoke_claim(game)


def end_early(session: Session, game: Game, now: datetime) -> None:
    """Set when the turn ends early, because everybody is ready *now*: after the option's wait.

    The games for one of a person have so many turns a day, so the next one can wait for tomorrow.
    """
    wait = early_wait(game.options_of_house)
    due, closes = game.deadline_at or now + wait, game.closes_at or now + wait
    game.ready_at = early_end(_rested(session, game, now), wait, due, closes)


def _rested(session: Session, game: Game, now: datetime) -> datetime:
    player = next((row.person for row in game.seats if row.person is not None), None)
    if not game.for_one or player is None:
        return now
    resolved = games.turns_for_one(session, player, now - _DAY)
    return resolved[-MOST_TURNS_A_DAY] + _DAY if len(resolved) >= MOST_TURNS_A_DAY else now


def pass_over_robots(session: Session, table: LoadedGame, now: datetime) -> None:
    """Resolve a turn of robots at once, unless so many have passed that no player is asked."""
    if is_of_robots(table) and len(games.told_in(session, table.game, None)) < _MOST_IN_A_ROW:
        table.game.ready_at = _rested(session, table.game, now)


def is_of_robots(table: LoadedGame) -> bool:
    """Return whether players act by turns, and now robots do, with a player in the game.

    Where all act at once, a player who is not asked can still have orders.
    """
    rules = table.ruleset
    by_turns = len(rules.info.phases) > 1 or extras_of(rules).in_turn
    playing = any(row.person is not None and not table.is_out(row) for row in table.game.seats)
    return by_turns and playing and awaits_only_robots(table)


def awaits_only_robots(table: LoadedGame) -> bool:
    """Return whether robots have orders to send, and nobody else."""
    awaited = [row for row in table.game.seats if table.awaits(row)]
    return bool(awaited) and all(row.robot is not None for row in awaited)


def is_adjudicated(game: Game) -> bool:
    """Return whether the GM has sent RESOLVE for the turn, which no player can stop."""
    return game.ready_at == LONG_AGO


def is_cut(game: Game, now: datetime) -> bool:
    """Return whether a GM ends the turn before the deadline that its players had."""
    is_early = is_adjudicated(game) and game.deadline_at is not None and now < game.deadline_at
    return is_early or game.extended_seconds < 0


def early_moment(game: Game) -> datetime | None:
    """Return when the running game's turn ends early, because everybody is ready, or None."""
    return game.ready_at if game.status is GameStatus.RUNNING else None


def end_in_words(game: Game, zone: str, now: datetime) -> str:
    """Return a sentence on when the turn ends in which everybody is ready, and what stops it."""
    if game.ready_at is None or game.ready_at <= now:
        return "the turn is resolved now."
    return (
        f"the turn is resolved on {Moment(game.ready_at, zone)}. Until then WAIT stops that, and "
        "so do new orders without FINAL."
    )


def can_be_taken_back(game: Game) -> bool:
    """Return whether everybody is ready, and more time for the turn takes every FINAL back."""
    return game.ready_at is not None and not is_adjudicated(game)


def take_back_all(game: Game) -> None:
    """Take every FINAL back of a turn that would end early, so that it waits for its deadline."""
    if not can_be_taken_back(game):
        return
    game.ready_at = None
    for row in game.seats:
        if row.final_turn == game.turn:
            row.final_turn = 0
    games.revoke_claim(game)


def take_back_final(context: LetterContext, early: datetime | None) -> str:
    """Take the seat's FINAL back if its new orders have none; return what that means, or "".

    This is so only in the time between the last FINAL and the end of the turn. *early* is that
    end as it was before the letter.
    """
    sheet = context.sheet
    if early in (None, LONG_AGO) or sheet is None or sheet.filed is None:
        return ""
    table, row = sheet.table, sheet.row
    is_ready = table.game.ready_at == early and not waited_for(table)
    if sheet.turn != table.game.turn or row.final_turn != sheet.turn or not is_ready:
        return ""
    done = undo_log.of_letter(context.session, row, context.row.id)
    if any(each.kind is UndoKind.READY for each in done):
        return ""
    _declare(context, table, row, (0, 0), "withdrawal of FINAL")
    return (
        "These orders came without FINAL, so your earlier FINAL is taken back and the turn waits "
        "for its deadline."
    )


def _declare(
    context: LetterContext, table: LoadedGame, row: SeatRow, turns: Sequence[int], what: str
) -> None:
    before = [row.final_turn, row.wait_turn]
    set_readiness(context.session, table, row, turns, context.now)
    undo_log.note(context.session, row, context.row, UndoKind.READY, what, before, turns)


def waited_for(table: LoadedGame) -> list[SeatRow]:
    """Return the seats with a player that still have to send orders and have not said FINAL."""
    held = (other for other in table.game.seats if other.person is not None)
    awaited = (other for other in held if table.awaits(other))
    return [other for other in awaited if other.final_turn != table.game.turn]


def counts_until(context: LetterContext) -> str:
    """Return until when a CONFIRM counts for the orders of a letter, or "" if nothing ends it."""
    try:
        game, turn = context.table_for_orders().game, context.turn_of_orders()
    except UserError:
        # The question lists the orders as not possible.
        return ""
    if sheets.is_too_late(game, turn, context.row.arrived_at):
        return f"The orders are for turn {turn} and came too late, so a CONFIRM does not file them."
    if game.due_at is None or game.closes_at is None:
        return ""
    if turn > game.turn:
        return f"The orders count if your CONFIRM arrives before turn {turn} is resolved."
    deadline = Moment(game.due_at, context.zone)
    if context.now > game.closes_at:
        return (
            f"The deadline of turn {turn} was {deadline}. The orders count if your CONFIRM arrives "
            "before it is resolved, so confirm now."
        )
    by = f"by its deadline, {deadline}"
    early = early_moment(game)
    if early is not None and early < game.due_at:
        by = f"by {Moment(early, context.zone)}, when it is resolved early"
    elif game.grace_seconds:
        by = f"by {Moment(game.closes_at, context.zone)}, when the grace after its deadline ends"
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
    if not sheets.came_in_time(context.session, row.game, turn, context.row.arrived_at):
        return ""
    sheet = games.sheet_of(context.session, row, turn)
    if sheet is not None:
        source = context.source_of(sheet.origin.letter_id)
        return f"Your sheet from {source} counted ({counted(len(sheet.orders), 'order')})."
    resolved = games.turn_of(context.session, row.game, turn).sheets or {}
    given = resolved.get(str(row.number), ())
    got = counted(len(given), "default or standing order") if given else "no orders"
    return f"Nothing was on file for it, so your seat got {got}."
