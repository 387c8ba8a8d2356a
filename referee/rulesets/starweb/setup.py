"""A new game: the players, their characters and home worlds in a new galaxy (s2, s3)."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp, UserError
from referee.rulesets.starweb.galaxy import USUAL_WORLDS, Galaxy, make_galaxy
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.state import MOST, Character, Player, State
from referee.rulesets.starweb.steps.blackbox import draw_power

CHARACTER: Final = "character"
"""The choice of a character type at sign-up."""
WORLDS: Final = "worlds"
"""The option for the number of worlds; 0 is the usual number."""
ENDING: Final = "ending"
"""The option for the score that ends the game if nobody votes."""
INTRODUCED: Final = "introduced"
"""The option for a start at which all players have met (s26)."""
GAME: Final = "game"
"""The option for the name of the game, which the head of the reports shows."""

OFFERED: Final = tuple(Character)
"""The character types that players can choose."""

FEWEST_PLAYERS, MOST_PLAYERS = 2, 15


def setup(seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice) -> State:
    """Return the state before the first orders: all at home, none met unless introduced.

    A player gets the first chosen character that exists; without one, it is drawn. Raises
    UserError if the players do not fit into the worlds.
    """
    if not FEWEST_PLAYERS <= len(seats) <= MOST_PLAYERS:
        raise UserError(f"A game has {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {len(seats)}.")
    worlds = int(options.get(WORLDS, 0)) or min(MOST, USUAL_WORLDS * len(seats))
    galaxy = make_galaxy(len(seats), worlds, dice.at("setup"))
    state = State(
        turn=1,
        worlds=galaxy.worlds,
        fleets=galaxy.fleets,
        players={},
        fairness=_fairness(galaxy),
    )
    state.box.power = draw_power(dice.at("black box"))
    state.game = str(options.get(GAME, state.game))
    state.ending = int(options.get(ENDING, state.ending))
    for signup, home in zip(seats, galaxy.homes, strict=True):
        _settle(state, signup, home, dice.at("character", signup.seat))
    if options.get(INTRODUCED, False):
        for player in state.players.values():
            player.met = [seat for seat in state.players if seat != player.seat]
    return state


def _settle(state: State, signup: SignUp, home: WorldNumber, dice: Dice) -> None:
    seat = signup.seat
    state.players[seat] = Player(
        seat=seat,
        name=signup.name.upper(),
        character=_character(signup, dice),
        home=home,
        worlds={home},
        charted={home: dict.fromkeys(state.worlds[home].gates, state.turn)},
    )
    state.worlds[home].owner = seat
    _hand_over_keys(state, seat, home)


def _hand_over_keys(state: State, seat: Seat, home: WorldNumber) -> None:
    for fleet in state.fleets.values():
        if fleet.world == home:
            fleet.owner = seat


def _character(signup: SignUp, dice: Dice) -> Character:
    offered = {character.value.casefold(): character for character in OFFERED}
    for wish in signup.choices.get(CHARACTER, ()):
        if wish.casefold() in offered:
            return offered[wish.casefold()]
    return dice.pick(OFFERED)


def _fairness(galaxy: Galaxy) -> str:
    spreads = "; ".join(str(spread) for spread in galaxy.spreads)
    return f"Within three jumps of the home worlds lie, from the poorest to the richest: {spreads}."
