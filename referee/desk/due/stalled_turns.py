"""A turn that cannot be resolved, through a fault of ours: it rests, and its people are told."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.announcements import tell
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.due.adjudication import Claim
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.games import games

FIRST_REST: Final = timedelta(minutes=1)
LONGEST_REST: Final = timedelta(hours=1)


def set_aside(session: Session, claim: Claim, now: datetime) -> None:
    """Let a claimed game rest, each time longer; nothing else of it is touched.

    Raises ClaimLost when somebody else has taken it.
    """
    game = games.claimed(session, claim.game, claim.fence)
    game.stalls += 1
    rest = min(FIRST_REST * 2 ** min(game.stalls - 1, 16), LONGEST_REST)
    game.stalled_until = now + rest
    games.release(session, game)


def tell_of_stall(desk: Desk, number: int, reference: str) -> None:
    """Tell the operator and the GMs that a turn waits; said again, the letters are the same."""
    game = games.by_id(desk.session, number)
    if game is None or not game.stalls:
        return
    occasion = f"stalled{game.turn}b{game.rollbacks}"
    if desk.site.operator:
        alert = OperatorAlert(
            what=f"Turn {game.turn} of {game.name} cannot be resolved: the rules of "
            f"{game.ruleset}, or the letters about it, end in a fault of the program. The game "
            "stands as it did, all other games go on, and the turn is tried again by itself.",
            reference=reference,
            to_do=f"Look for {reference} in the log, and mend what it names. `referee status` "
            "shows which games wait.",
        )
        slip = Addressing(MailAddress("", desk.site.operator), occasion, game=game)
        post(desk, alert, slip)
    what = (
        f"Turn {game.turn} could not be resolved at its deadline, through a fault of the referee "
        "and not of anybody's orders. Nothing is lost: the turn waits as it is, the operator has "
        "been told, and as soon as the fault is mended it is resolved by itself."
    )
    for master in game.masters:
        tell(desk, game, master.person, what, occasion)
