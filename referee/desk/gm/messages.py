"""Messages from a GM to the players of a game."""

from collections.abc import Sequence
from datetime import datetime

from referee.desk.base import ledger, robots
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import BEGUN, UNDECIDED, log_change, require_gm
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import seat_called
from referee.desk.players.press import GM, check_message
from referee.domain.gm_commands import Broadcast
from referee.domain.shares import Charge, Key, Thing
from referee.parsing.body import PressBlock
from referee.rules.ruleset import UserError
from referee.store.games.press import Press
from referee.store.models import Game, SeatRow


@command(Broadcast, "BROADCAST", For.GM, Effect.FOR_GOOD, shown_in="gm_messages")
def broadcast(context: LetterContext, given: Broadcast) -> Deed:
    """BROADCAST cannot be undone. The message goes to all players with the next report."""
    game = require_gm(context, *UNDECIDED)

    def send() -> str:
        _keep(context, game, game.seats, given.text)
        answer = "Your message goes to all players with the next report."
        return log_change(context, game, "The GM wrote to all players.", answer)

    says = f"This goes to all players of {game.name} with the next report:\n{given.text}"
    return Deed(says, send)


def is_by_gm(context: LetterContext) -> bool:
    """Return whether the letter's messages come from a GM who has no seat in the game."""
    return context.identity.is_gm and context.identity.seat is None


def write(context: LetterContext, message: PressBlock) -> Deed:
    """PRESS from the GM goes out at once and cannot be undone."""
    rows = _addressed(context, message)
    names = ", ".join(row.name for row in rows)
    charge = Charge(Thing.NEWS, {Key.GM: context.to.address}, len(rows))
    if ledger.refusal(context.desk, charge) is not None:
        raise UserError("Too many messages go out at once. A BROADCAST is in the next report.")

    def send() -> str:
        ledger.book(context.desk, charge)
        game = rows[0].game
        _keep(context, game, rows, message.text, context.now)
        told = f"The GM wrote to {names}."
        return log_change(context, game, told, f"Your message goes to {names}.")

    return Deed(f"This goes to {names} at once, from the GM:\n{message.text}", send)


def _keep(
    context: LetterContext,
    game: Game,
    rows: Sequence[SeatRow],
    text: str,
    due: datetime | None = None,
) -> None:
    """Keep a message from the GM until *due*, or until the next report."""
    item = Press(
        game_id=game.id,
        turn=game.turn,
        letter_id=context.row.id,
        sender=GM,
        anonymous=False,
        recipients=[row.number for row in rows],
        text=text,
        due_at=due,
    )
    context.session.add(item)


def _addressed(context: LetterContext, message: PressBlock) -> list[SeatRow]:
    """Return the seats a GM writes to. Raises UserError if one is unknown or not allowed."""
    game = require_gm(context, *BEGUN)
    check_message(message)
    if message.anonymous:
        raise UserError("A GM always signs. Write PRESS TO and the names.")
    if message.when is not None:
        raise UserError("A GM's message goes out at once. Write PRESS TO and the names.")
    names = list(dict.fromkeys(name.upper() for name in message.recipients))
    excluded = {seat_called(game, name.upper()).number for name in message.excluded}
    rows = list(game.seats) if "ALL" in names else [seat_called(game, name) for name in names]
    rows = [row for row in rows if row.number not in excluded]
    if vacant := [row for row in rows if row.person is None and "ALL" not in names]:
        state = robots.without_player(vacant[0])
        raise UserError(f"The seat {vacant[0].name} is {state}, so nobody would read the message.")
    return [row for row in rows if row.person is not None]
