"""A player leaves his game for good."""

from referee.desk.games import vacancies
from referee.desk.orders.gm_authority import tell_person
from referee.desk.orders.letter_context import Visit
from referee.domain.commands import Resign
from referee.store.games import audit, games
from referee.store.models import GameStatus
from referee.store.people.former_players import LeaveReason


def preview_resign(visit: Visit, _command: Resign) -> str:
    """RESIGN cannot be undone."""
    row = visit.seat()
    return f"{row.name} of {row.game.name} is given up for good; you cannot take it back."


def resign(visit: Visit, _command: Resign) -> str:
    """RESIGN: the seat is vacant; before the start there is no such seat any more."""
    row = visit.seat()
    game, name = row.game, row.name
    if game.status is GameStatus.ENDED:
        return f"{game.name} has ended; there is nothing to give up any more."
    if game.status is GameStatus.FORMING:
        games.remove_seat(visit.session, row)
        return f"{name} is no longer yours. Thank you for playing."
    games.void_claim(game)
    vacancies.vacate(visit.session, row, LeaveReason.RESIGNED, visit.now)
    offered = vacancies.fill(row, visit.now)
    # The others may not know of that seat, so the note that they read does not name it.
    what = f"A player resigned. His seat is vacant{offered}."
    audit.note(visit.session, game, name, what, visit.now)
    told = f"The player of {name} in {game.name} resigned. The seat is vacant{offered}."
    told = f"{told} {vacancies.advice(visit.session, row)}"
    for master in game.masters:
        tell_person(visit, master.person, game, told)
    return f"{name} is no longer yours. Thank you for playing."
