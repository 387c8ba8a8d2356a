"""The numbers of new hexes, ships and bases.

They count in the order of discovery. In fog such a number would show how much others did unseen, so
each galaxy counts its own hexes, and the numbers of ships and bases are drawn.
"""

from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.state import State
from referee.rulesets.starfarers.turn_state import Round

BLOCK: Final = 30
"""The numbers that are shuffled together. Few players ever have as many ships or bases."""


def new_hex(state: State, galaxy: Seat) -> int:
    """Return the number of the next explored hex of a galaxy.

    In fog of three players, the galaxy of player 2 has the hexes 2, 5, 8 and so on.
    """
    if not state.rules.fog:
        return max(state.hexes) + 1
    explored = sum(place.galaxy == galaxy for place in state.hexes.values())
    number = galaxy + explored * len(state.players)
    while number in state.hexes:
        number += len(state.players)
    return number


def new_ship(game: Round, owner: Seat) -> int:
    """Return the number of the next ship that a player builds or hires, and count it."""
    state, player = game.state, game.player(owner)
    state.built_ships += 1
    if not state.rules.fog:
        return state.built_ships
    player.ships += 1
    while (number := _drawn(game, "ship", owner, player.ships)) in state.ships:
        player.ships += 1
    return number


def new_base(game: Round, owner: Seat) -> int:
    """Return the number of the next base that a player builds, and count it."""
    state, player = game.state, game.player(owner)
    state.built_bases += 1
    if not state.rules.fog:
        return state.built_bases
    player.bases += 1
    while (number := _drawn(game, "base", owner, player.bases)) in state.bases:
        player.bases += 1
    return number


def _drawn(game: Round, what: str, owner: Seat, count: int) -> int:
    """Return the number of a player's ship or base, 1 for the first. No two players share any."""
    block, place = divmod(count - 1, BLOCK)
    numbers = range(block * BLOCK + 1, (block + 1) * BLOCK + 1)
    shuffled = game.game_dice.at("numbers", what, owner, block).shuffled(numbers)
    return owner + len(game.state.players) * shuffled[place]
