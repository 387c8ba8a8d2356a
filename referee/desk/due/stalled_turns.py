"""Stalled games: a game that fails waits to be retried, and the people in charge are notified."""

from datetime import datetime
from typing import Final, NamedTuple

from referee.desk.base.announcements import tell
from referee.desk.base.desk import Desk
from referee.desk.base.faults import consequence
from referee.desk.base.outbox_writer import tell_operator
from referee.desk.due.adjudication import Claim
from referee.desk.games import stalls
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus


class _Words(NamedTuple):
    operator: str
    gms: str


_OF_TURN: Final = _Words(
    "Turn {turn} of {game} cannot be resolved. The rules of {ruleset}, or the emails about the "
    "turn, have a fault. The game is unchanged, all other games go on, and the turn is retried "
    "automatically.",
    "Turn {turn} could not be resolved. This is a fault on our side, not in the orders. "
    "Nothing is lost: the turn waits, and the operator has been notified. Once it is fixed, the "
    "turn is resolved automatically.",
)
_OF_START: Final = _Words(
    "{game} is full and cannot be started. The rules of {ruleset}, or the emails about the start, "
    "have a fault. All other games go on, and the start is retried automatically.",
    "The game is full, but it could not be started. This is a fault on our side. Nothing is lost: "
    "the game waits, and the operator has been notified. Once it is fixed, the game starts "
    "automatically.",
)


def set_aside(session: Session, claim: Claim, now: datetime) -> None:
    """Delay the next attempt at a claimed game, longer each time; change nothing else.

    Raises ClaimLost if another worker has claimed it.
    """
    game = games.claimed(session, claim.game, claim.fence)
    stalls.rest(game, now)
    games.release(session, game)


def set_start_aside(session: Session, number: int, now: datetime) -> None:
    """Delay the start of a game that cannot be started, unless another worker has started it."""
    game = games.lock(session, session.get_one(Game, number))
    if game.status is GameStatus.FORMING:
        agenda.reschedule(session, game, AgendaTopic.START, stalls.rest(game, now))


def report_stall(desk: Desk, number: int, reference: str) -> None:
    """Notify the operator and the GMs that a turn waits. Idempotent: the letters stay the same."""
    game = games.by_id(desk.session, number)
    if game is None or not game.stalls:
        return
    occasion = f"stalled{game.turn}b{game.rollbacks}"
    words = _OF_TURN if game.turn else _OF_START
    what = words.operator.format(turn=game.turn, game=game.name, ruleset=game.ruleset)
    to_do = (
        f"Find reference {reference} in the log and fix the fault that it names. "
        "`referee status` shows which games are stalled."
    )
    subject = f"turn {game.turn} cannot be resolved" if game.turn else "the game cannot be started"
    tell_operator(desk, OperatorAlert(subject, what, reference, to_do), occasion, game)
    for gm in game.gms:
        tell(desk, game, gm.person, words.gms.format(turn=game.turn), occasion)


def report_failed_step(desk: Desk, number: int, reference: str, *, step: str) -> None:
    """Report to the operator, once per turn, that a step of the loop fails in a game."""
    game = games.by_id(desk.session, number)
    if game is None:
        return
    what = (
        f'The step "{step}" fails in {game.name}. The program or the ruleset {game.ruleset} has '
        "a fault. The step is retried automatically, and all other games go on."
    )
    to_do = f"Find reference {reference} in the log and fix the fault that it names."
    occasion = f"{step.replace(' ', '')}{game.turn}b{game.rollbacks}"
    subject = consequence(step) or f'the step "{step}" fails'
    tell_operator(desk, OperatorAlert(subject, what, reference, to_do), occasion, game)
