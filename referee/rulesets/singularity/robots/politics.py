"""The politics of the robot: one partner on the other side of the board, and their faction."""

from typing import Final

from referee.rulesets.singularity.factions import planets
from referee.rulesets.singularity.orders import Declare, FireArmed, SetAlliance
from referee.rulesets.singularity.robots.position import Position

_FEWEST: Final = 4
"""The fewest players of a war with factions (rule 2)."""


def negotiate(position: Position) -> None:
    """Seek the player with the opposite colour as the only ally, and win as a faction of two."""
    state, own = position.known, position.player
    if not position.rules.factions or len(state.players) < _FEWEST:
        return
    wheel = position.rules.wheel
    opposite = wheel[(wheel.index(own.colour) + len(wheel) // 2) % len(wheel)]
    for seat, player in state.players.items():
        if seat == position.seat or player.resigned or player.lost:
            continue
        wanted = player.colour == opposite
        if wanted != (seat in own.votes):
            position.orders.append(SetAlliance(seat, yes=wanted))
        together = planets(state, (position.seat, seat))
        if seat in own.allies and wanted and together >= position.rules.to_win:
            position.orders.append(Declare((seat,)))


def aim(position: Position) -> None:
    """Fire at armed ships first, even if the rules of the game say otherwise."""
    position.orders.append(FireArmed())
