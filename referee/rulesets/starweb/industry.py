"""Usable industry, as the report shows it and the next turn uses it; and its prices."""

from collections.abc import Sequence

from referee.rulesets.starweb.ships import shots
from referee.rulesets.starweb.state import Character, Fleet, Player, State, World


def usable_industry(state: State, world: World, fleets: Sequence[Fleet]) -> int:
    """Return the industry that can build with the metal, people and enemies there now (s9).

    *fleets* are those at the world. A world that recovers from plunder builds nothing (s19).
    A neutral world's industry is shown in full, although nobody builds with it.
    """
    if world.owner is None or not world.industry:
        return world.industry
    if world.recovery:
        return 0
    unhindered = max(0, world.industry - _hindered(state, world, fleets))
    return min(unhindered, world.metal, world.population)


def industry_price(player: Player) -> int:
    """Return the industry, metal and people that one new industry costs (s9, s4A)."""
    return 4 if player.character is Character.EMPIRE_BUILDER else 5


def scrap_price(player: Player) -> int:
    """Return the I-Ships that one new industry costs (s6, s4A)."""
    return 4 if player.character is Character.EMPIRE_BUILDER else 6


def _hindered(state: State, world: World, fleets: Sequence[Fleet]) -> int:
    """Return the industry that enemies hinder: one for each shot beyond the defence (s9)."""
    enemy = 0
    defence = 2 * world.iships + world.pships
    for fleet in fleets:
        if fleet.owner is None:
            continue
        if fleet.owner == world.owner or world.owner in state.players[fleet.owner].allies:
            defence += fleet.ships
        elif not fleet.at_peace:
            enemy += shots(state, fleet)
    return max(0, enemy - defence)
