"""What a GM says to all players of his game."""

from referee.desk.mastery import UNDECIDED, mastered, noted_quietly
from referee.desk.visit import Visit
from referee.domain.commands import Broadcast
from referee.store.models import Press


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
            sender=0,
            anonymous=False,
            recipients=[row.number for row in game.seats],
            text=command.text,
        )
    )
    what = "The GM wrote to all players."
    return noted_quietly(
        visit, game, what, "Your message goes to all players with the next report."
    )
