"""The end of a turn, and of the game (rule 1, F16, F20)."""

from referee.rules.ruleset import Seat
from referee.rulesets.fistful.orders import ChooseHome, Concede, StarNumber
from referee.rulesets.fistful.state import Stage, State
from referee.rulesets.fistful.turn_state import Turn


def reject_homes(turn: Turn) -> None:
    """Reject a second choice of a homeworld."""
    for given in turn.given(ChooseHome):
        given.fail("the homeworlds have already been chosen")


def concede(turn: Turn) -> None:
    """Make a player who concedes the loser."""
    for given in turn.given(Concede):
        turn.state.players[given.seat].conceded = True


def settle(turn: Turn) -> None:
    """End the game if a player has lost; both homeworlds lost in one turn is a draw (F16)."""
    state = turn.state
    losers = {seat for seat, player in state.players.items() if player.conceded}
    why = "gave up"
    if not losers:
        why = "lost the homeworld"
        losers = {s for s, p in state.players.items() if _has_lost(turn, s, p.home)}
    if losers:
        names = " and ".join(turn.name(seat) for seat in turn.by_name(losers))
        _end(state, tuple(s for s in state.players if s not in losers), f"{names} {why}.")
    elif state.turn >= state.last_turn:
        _count(state)


def _has_lost(turn: Turn, seat: Seat, home: StarNumber | None) -> bool:
    """Return whether the enemy took the homeworld this turn; recapturing it is not a loss."""
    return home in turn.captured and turn.state.stars[home].owner != seat


def _count(state: State) -> None:
    """After the last turn, make the player with the larger colonies the winner (F20)."""
    sizes = {s: sum(star.size for star in state.colonies_of(s)) for s in state.players}
    most = max(sizes.values())
    winners = tuple(seat for seat, size in sizes.items() if size == most)
    counts = ", ".join(f"{state.players[s].name} {size}" for s, size in sizes.items())
    _end(state, winners, f"Turn {state.turn} was the last. Size of all colonies: {counts}.")


def _end(state: State, winners: tuple[int, ...], ending: str) -> None:
    state.stage = Stage.OVER
    state.winners = tuple(s for s in state.players if s in winners) or tuple(state.players)
    state.ending = ending


def count_turn(turn: Turn) -> None:
    """Count the turn; new colonies produce from the next turn on."""
    turn.state.turn += 1
    for star in turn.state.stars.values():
        star.colonized = False
