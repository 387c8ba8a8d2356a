"""The answer to a letter that belongs to no seat and asks nothing that anyone can ask."""

from referee.desk.base.answered import answered_letter
from referee.desk.base.private_games import join_line
from referee.desk.orders.letter_context import LetterContext
from referee.letters.outgoing.notices import Unknown
from referee.store.games import games
from referee.store.models import Game, GameStatus
from referee.store.people import admissions
from referee.store.people.admissions import AdmissionState


def is_creator(context: LetterContext) -> bool:
    """Return whether the settings name the sender's address as one that may CREATE games."""
    return context.identity.address in (context.site.creators or ())


def unknown(context: LetterContext) -> Unknown:
    """Return the answer, which tells an invited person how to join."""
    identity = context.identity
    game = identity.game.name if identity.game is not None else ""
    if (invited := _invited_to(context)) is not None:
        return Unknown(wrong_code=False, game=invited.name, join=join_line(context.site, invited))
    return Unknown(identity.wrong_code, game, creates=is_creator(context))


def _invited_to(context: LetterContext) -> Game | None:
    """Return the game that waits for players, to the invitation of which the letter replies."""
    session, address = context.session, context.identity.address
    ours = answered_letter(session, context.letter, context.site.key)
    if ours is None or ours.kind != "Invitation" or ours.game_id is None:
        return None
    game = games.by_id(session, ours.game_id)
    if game is None or game.status is not GameStatus.FORMING:
        return None
    decided = admissions.find(session, game, address)
    is_allowed = decided is not None and decided.state is AdmissionState.ALLOWED
    return game if is_allowed else None
