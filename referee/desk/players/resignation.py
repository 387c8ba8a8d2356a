"""RESIGN: a player leaves a game for good."""

from referee.desk.games import vacancies
from referee.desk.orders.gm_authority import notify_person
from referee.desk.orders.letter_context import LetterContext
from referee.domain.commands import Resign
from referee.store.games import audit, games
from referee.store.models import GameStatus
from referee.store.people.former_players import LeaveReason


def preview_resign(context: LetterContext, _command: Resign) -> str:
    """Return the preview of RESIGN, which is final."""
    row = context.seat()
    return f"You give up {row.name} of {row.game.name} for good and cannot take this back."


def resign(context: LetterContext, _command: Resign) -> str:
    """Handle RESIGN. The seat becomes vacant; before the start it is removed."""
    row = context.seat()
    game, name = row.game, row.name
    if game.status is GameStatus.ENDED:
        return f"{game.name} has ended, so there is nothing to give up."
    if game.status is GameStatus.FORMING:
        games.remove_seat(context.session, row)
        return f"{name} is no longer yours. Thank you for playing."
    games.revoke_claim(game)
    vacancies.vacate(context.session, row, LeaveReason.RESIGNED, context.now)
    offered = vacancies.fill(context.session, row, context.now)
    # The other players may not have met the seat, so the note they read does not name it.
    what = f"A player resigned. Their seat is vacant{offered}."
    audit.note(context.session, game, name, what, context.now)
    told = f"The player of {name} in {game.name} resigned. The seat is vacant{offered}."
    told = f"{told} {vacancies.advice(context.session, row)}"
    for gm in game.gms:
        notify_person(context, gm.person, game, told)
    return f"{name} is no longer yours. Thank you for playing."
