"""The players in the game and the holders of motherships, settled after every step."""

from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.turns import Step
from referee.rulesets.starfarers.losses import destroy
from referee.rulesets.starfarers.turn_state import BATTLES, PLAYERS, Round


def settle(game: Round) -> None:
    """Settle all holdings, for all players at the same time."""
    for step in _STEPS:
        step.take(game)


def leave(game: Round, seat: Seat, how: str, text: str) -> None:
    """Remove a player from the game, with all that is theirs or refers to them."""
    state = game.state
    game.player(seat).out = how
    state.ships = {n: ship for n, ship in state.ships.items() if ship.owner != seat}
    state.bases = {n: base for n, base in state.bases.items() if base.owner != seat}
    state.bids = [bid for bid in state.bids if seat not in (bid.offerer, bid.to)]
    for player in state.players.values():
        for seats in (player.allies, player.seeks, player.hostile, player.turning):
            seats -= seats if player.seat == seat else {seat}
    game.tell(PLAYERS, f"{game.name(seat)} {text}.")


def _lose_rebuilt(game: Round) -> None:
    for ship in [*game.state.ships.values()]:
        captor = game.player(ship.owner).captor
        if not game.state.is_ready(ship) and captor is not None:
            destroy(game, ship, game.name(captor))


def _free(game: Round) -> None:
    """Free each mothership where friends are and no ship of the captor, or whose captor is out."""
    state = game.state
    for seat, player in state.players.items():
        if player.captor is None:
            continue
        here = state.mothership(seat).number
        owners = {ship.owner for ship in state.ships.values() if ship.hex == here}
        came = player.captor not in owners and any(state.friends(seat, other) for other in owners)
        if came or player.captor not in state.active():
            player.captor = None
            if not player.out:
                game.tell(BATTLES, f"The mothership of {player.name} is free again.", here)


def _eliminate(game: Round) -> None:
    state = game.state
    lost = [
        seat
        for seat in state.active()
        if game.player(seat).captor is not None
        and all(ship.mercenary for ship in state.fleet(seat))
        and not state.bases_of(seat)
    ]
    for seat in lost:
        leave(game, seat, "eliminated", "has no mothership, ship or base left and is eliminated")


_STEPS: Final = (
    Step(_lose_rebuilt, "rule 36: a mothership rebuilds ships only for its owner"),
    Step(_eliminate, "G27: without mothership, starship and base a player is out"),
    Step(_free, "rules 16, 38: last, because a captor who is out holds nothing"),
)
