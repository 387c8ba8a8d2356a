"""The proposals that a seat can put to the vote, and by how much a turn can be extended."""

from datetime import timedelta
from typing import Final

from referee.domain.house_rules import VotingRules
from referee.domain.schedules import in_words
from referee.domain.votes import Motion, Quorum
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.games import votes
from referee.store.models import Game, GameStatus, SeatRow

USUAL_EXTENSION: Final = timedelta(days=2)
"""The length that VOTE EXTEND proposes if the player names none."""


def check_proposal(
    session: Session, row: SeatRow, motion: Motion, span: timedelta | None = None
) -> None:
    """Raise UserError if the seat cannot propose *motion* now; *span* is that of an EXTEND."""
    game = row.game
    if VotingRules.of(game.options_of_house).quorums[motion] is Quorum.NEVER:
        raise UserError(f"In {game.name} there are no votes on that. RULES mails the house rules.")
    if motion in (Motion.EXTEND, Motion.HOLD) and game.status is GameStatus.HELD:
        raise UserError(f"{game.name} is on hold.")
    if votes.opened(session, row, motion, game.turn):
        raise UserError(
            "You have already proposed that in this turn; a player can do so once a turn."
        )
    if motion is Motion.EXTEND:
        if game.deadline_at is None or game.closes_at is None:
            raise UserError(f"Turn {game.turn} of {game.name} has no deadline.")
        check_extension(game, span or USUAL_EXTENSION)


def check_extension(game: Game, span: timedelta, advice: str = "") -> None:
    """Raise UserError, ending with *advice*, if the current turn cannot be extended by *span*."""
    left = game.left_to_extend
    if span > left:
        can = "cannot be extended any further"
        if left:
            can = f"can be extended by at most {in_words(left)} more"
        message = f"Turn {game.turn} of {game.name} {can}. {advice}"
        raise UserError(message.rstrip())
