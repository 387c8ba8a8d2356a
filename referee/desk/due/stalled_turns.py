"""Stalled games: a game that fails waits to be retried, and the people in charge are notified."""

from datetime import datetime
from typing import Final, NamedTuple

from referee.desk.base.announcements import tell
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.due.adjudication import Claim
from referee.desk.games import stalls
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus


class _Words(NamedTuple):
    operator: str
    gms: str


_OF_TURN: Final = _Words(
    "Turn {turn} of {game} cannot be resolved: the rules of {ruleset}, or the letters about it, "
    "end in a fault of the program. The game stands as it did, all other games go on, and the turn "
    "is tried again by itself.",
    "Turn {turn} could not be resolved at its deadline, through a fault of the referee and not of "
    "anybody's orders. Nothing is lost: the turn waits as it is, the operator has been told, and "
    "as soon as the fault is mended it is resolved by itself.",
)
_OF_START: Final = _Words(
    "{game} is full and cannot be started: the rules of {ruleset}, or the letters about it, end in "
    "a fault of the program. All other games go on, and the start is tried again by itself.",
    "The game is full, and could not be started through a fault of the referee. Nothing is lost: "
    "it waits as it is, the operator has been told, and as soon as the fault is mended it starts "
    "by itself.",
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
        agenda.settle(session, game, AgendaTopic.START, stalls.rest(game, now))


def tell_of_stall(desk: Desk, number: int, reference: str) -> None:
    """Notify the operator and the GMs that a turn waits. Idempotent: the letters stay the same."""
    game = games.by_id(desk.session, number)
    if game is None or not game.stalls:
        return
    occasion = f"stalled{game.turn}b{game.rollbacks}"
    words = _OF_TURN if game.turn else _OF_START
    what = words.operator.format(turn=game.turn, game=game.name, ruleset=game.ruleset)
    to_do = (
        f"Look for {reference} in the log, and mend what it names. `referee status` shows which "
        "games wait."
    )
    _alert(desk, game, OperatorAlert(what, reference, to_do), occasion)
    for gm in game.masters:
        tell(desk, game, gm.person, words.gms.format(turn=game.turn), occasion)


def tell_of_step(desk: Desk, number: int, reference: str, *, step: str) -> None:
    """Report to the operator, once per turn, that a step of the loop fails in a game."""
    game = games.by_id(desk.session, number)
    if game is None:
        return
    what = (
        f'The step "{step}" fails in {game.name}, by a fault of the program or of its ruleset '
        f"{game.ruleset}. It is tried again by itself, and all other games go on."
    )
    to_do = f"Look for {reference} in the log, and mend what it names."
    occasion = f"{step.replace(' ', '')}{game.turn}b{game.rollbacks}"
    _alert(desk, game, OperatorAlert(what, reference, to_do), occasion)


def _alert(desk: Desk, game: Game, alert: OperatorAlert, occasion: str) -> None:
    if desk.site.operator:
        post(desk, alert, Addressing(MailAddress("", desk.site.operator), occasion, game=game))
