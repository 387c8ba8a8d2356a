"""The first GM of a game, whom no other GM can remove alone, and proposals to remove them.

The first GM created the game. After they leave, the GM who has been one for the longest time is the
first. A GM whom the first GM promotes begins a line, and everyone whom that GM promotes belongs to
it. So however many people a GM promotes, they all count as one.
"""

from datetime import datetime, timedelta
from typing import Final

from referee.rules.ruleset import UserError
from referee.store.games.reminders import check_reminders
from referee.store.models import FIRST_LINE, Game, GameMaster, Person

PROPOSED_FOR: Final = timedelta(days=14)
"""How long a proposal to remove the first GM counts."""


def gm_at(game: Game, address: str) -> GameMaster:
    """Return the GM with this address, who can be removed.

    Raises UserError if nobody has it, or if it is that of the only GM.
    """
    for gm in game.gms:
        if gm.person.address == address.lower():
            if len(game.gms) == 1:
                raise UserError(
                    f"{game.name} has no other GM. First make someone a GM with PROMOTE."
                )
            return gm
    raise UserError(f"{address} is not a GM of {game.name}.")


def gm_row(game: Game, person: Person | None) -> GameMaster:
    """Return the row of a person who is a GM of the game."""
    return next(gm for gm in game.gms if gm.person is person)


def promote(promoter: GameMaster, person: Person, now: datetime) -> None:
    """Make the person a GM of the promoter's game, in a new line if the first GM promotes them."""
    if promoter.is_first:
        join(promoter.game, person, now)
    else:
        line = promoter.line
        promoter.game.gms.append(GameMaster(person=person, line=line, since=now))


def join(game: Game, person: Person, now: datetime) -> None:
    """Make the person a GM in a line of their own; the first GM if the game has none."""
    line = 1 + max((gm.line for gm in game.gms), default=FIRST_LINE - 1)
    game.gms.append(GameMaster(person=person, line=line, since=now))
    check_reminders(game)


def needs_second(gm: GameMaster, by: GameMaster, now: datetime) -> bool:
    """Return whether *by* can only propose to remove *gm*: no GM of another line asks for it yet.

    Raises UserError if *by* has an open proposal.
    """
    if not gm.is_first or gm is by:
        return False
    if any(_proposes(other, now) and other.line != by.line for other in gm.game.gms):
        return False
    if _proposes(by, now):
        raise UserError(
            f"You have already asked to remove {gm.person.address}. Another GM must ask for it too."
        )
    return True


def succeed(game: Game) -> GameMaster | None:
    """Make the longest-serving GM the first one if the first has left; return them, or None.

    Proposals were about the one who left, so they end.
    """
    if not game.gms or any(gm.is_first for gm in game.gms):
        return None
    first = min(game.gms, key=lambda gm: (gm.since, gm.person_id))
    first.line = FIRST_LINE
    for gm in game.gms:
        gm.proposed_at = None
    return first


def _proposes(gm: GameMaster, now: datetime) -> bool:
    return gm.proposed_at is not None and now < gm.proposed_at + PROPOSED_FOR
