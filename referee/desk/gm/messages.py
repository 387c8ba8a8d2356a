"""What a GM says to the players of his game."""

from referee.desk.orders.gm_authority import BEGUN, UNDECIDED, mastered, noted_quietly, seat_called
from referee.desk.orders.letter_context import Visit
from referee.desk.players.press import GM, check_text
from referee.domain.commands import Broadcast
from referee.parsing.body import PressBlock
from referee.rules.ruleset import Mistake
from referee.store.games.press import Press
from referee.store.models import SeatRow


def preview_broadcast(visit: Visit, command: Broadcast) -> str:
    """BROADCAST cannot be undone."""
    game = mastered(visit, *UNDECIDED)
    return f"This goes to all players of {game.name} with the next report:\n{command.text}"


def broadcast(visit: Visit, command: Broadcast) -> str:
    """BROADCAST: it goes to all players with the next report."""
    game = mastered(visit, *UNDECIDED)
    visit.session.add(
        Press(
            game_id=game.id,
            turn=game.turn,
            letter_id=visit.row.id,
            sender=GM,
            anonymous=False,
            recipients=[row.number for row in game.seats],
            text=command.text,
        )
    )
    what = "The GM wrote to all players."
    return noted_quietly(
        visit, game, what, "Your message goes to all players with the next report."
    )


def is_by_gm(visit: Visit) -> bool:
    """Say whether the messages of the letter are the GM's, who has no seat in its game."""
    return visit.identity.is_master and visit.identity.seat is None


def preview_write(visit: Visit, message: PressBlock) -> str:
    """PRESS by the GM goes out at once, so nobody can take it back."""
    names = ", ".join(row.name for row in _addressed(visit, message))
    return f"This goes to {names} at once, from the GM:\n{message.text}"


def write(visit: Visit, message: PressBlock) -> str:
    """PRESS by the GM: it is delivered at once."""
    rows = _addressed(visit, message)
    game = rows[0].game
    visit.session.add(
        Press(
            game_id=game.id,
            turn=game.turn,
            letter_id=visit.row.id,
            sender=GM,
            anonymous=False,
            recipients=[row.number for row in rows],
            text=message.text,
            due_at=visit.now,
        )
    )
    names = ", ".join(row.name for row in rows)
    return noted_quietly(visit, game, f"The GM wrote to {names}.", f"Your message goes to {names}.")


def _addressed(visit: Visit, message: PressBlock) -> list[SeatRow]:
    """Give the seats a GM writes to. Raises Mistake when he may not, or there is none such."""
    game = mastered(visit, *BEGUN)
    check_text(message.text)
    if message.anonymous:
        raise Mistake("A GM signs his messages: PRESS TO and the names.")
    names = list(dict.fromkeys(name.upper() for name in message.recipients))
    rows = list(game.seats) if "ALL" in names else [seat_called(game, name) for name in names]
    if vacant := [row.name for row in rows if row.person is None and "ALL" not in names]:
        raise Mistake(f"Nobody holds the seat {vacant[0]}, so nobody would read the message.")
    return [row for row in rows if row.person is not None]
