"""Section D, EcoPolitical: colours, alliances, and leaving the war (rules 23 to 25)."""

from itertools import combinations
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.singularity.board import COLOURS, GRAY
from referee.rulesets.singularity.orders import Order, Resign, SetAlliance, Terraform
from referee.rulesets.singularity.replaced import replace_earlier
from referee.rulesets.singularity.state import Leaving, Planet, State
from referee.rulesets.singularity.turn_state import PLANETS, POLITICS, Turn
from referee.rulesets.singularity.units import TERRAFORM


def choose_colours(turn: Turn) -> None:
    """Record the colours that owners chose for their planets (rule 23)."""
    for given in turn.given(Terraform):
        if turn.planet(given) and given.order.colour not in turn.state.rules.wheel:
            given.fail(objection_to_colour(turn.state, given))
    replace_earlier(turn, Terraform)
    for given in turn.given(Terraform):
        turn.player(given.seat).wishes[given.order.planet] = given.order.colour


def objection_to_colour(state: State, given: SheetOrder[Terraform]) -> str:
    """Return why a planet can never take this colour (rule 23)."""
    return f"{given.order.colour} is not a colour. The colours are {', '.join(state.rules.wheel)}"


def terraform(turn: Turn) -> None:
    """Bring planets with stationary terraformers a step nearer to their owners' colours."""
    for planet in turn.state.planets.values():
        if planet.owner is None or not has_terraformer(turn.state, planet):
            continue
        steps = next_colours(turn.state, planet.colour, turn.player(planet.owner).colour)
        if not steps:
            continue
        wished = turn.player(planet.owner).wishes.get(planet.column)
        was, planet.colour = planet.colour, wished if wished in steps else steps[0]
        turn.tell_all(
            PLANETS, f"W{planet.column} changes from {COLOURS[was]} to {COLOURS[planet.colour]}."
        )


def has_terraformer(state: State, planet: Planet) -> bool:
    """Return whether a stationary terraformer of the owner is at a planet (rule 23)."""
    return any(
        ship.owner == planet.owner
        and not ship.moving
        and not ship.dark
        and ship.units.get(TERRAFORM)
        for ship in state.ships_at(planet.at)
    )


def next_colours(state: State, colour: str, own: str) -> list[str]:
    """Return the colours one step nearer to *own*, the usual one first; empty if it is *own*.

    Opposite, semi-opposite, gray, closest, own. Of two equally near colours, the next clockwise
    on the wheel comes first.
    """
    wheel = state.rules.wheel
    at = wheel.index(own)
    around = [wheel[(at + step) % len(wheel)] for step in range(len(wheel))]
    if colour == own:
        return []
    if colour == GRAY:
        return [around[1], around[-1]]
    apart = min(around.index(colour), len(wheel) - around.index(colour))
    return {1: [own], 2: [GRAY], 3: [around[2], around[-2]]}[apart]


def record_votes(turn: Turn) -> None:
    """Record the players that each player wants as allies (rule 24)."""
    for given in turn.given(SetAlliance):
        if reason := objection_to_alliance(turn.state, given):
            given.fail(reason)
    replace_earlier(turn, SetAlliance)
    for given in turn.given(SetAlliance):
        votes, other = turn.player(given.seat).votes, Seat(given.order.player)
        if given.order.yes:
            votes.add(other)
        else:
            votes.discard(other)


def objection_to_alliance(state: State, given: SheetOrder[SetAlliance]) -> str:
    """Return why a player cannot be asked for an alliance, or an empty string (rule 24)."""
    other = Seat(given.order.player)
    if reason := objection_to_player(state, given.seat, other):
        return reason
    return f"{state.players[other].name} is no longer in the war" if is_out(state, other) else ""


def objection_to_player(state: State, seat: Seat, number: int) -> str:
    """Return why a number is not another player of this war, or an empty string."""
    if number == seat:
        return f"player {number} is you"
    last = len(state.players)
    absent = f"there is no player {number}. The players are 1 to {last}"
    return "" if Seat(number) in state.players else absent


def is_out(state: State, seat: Seat) -> bool:
    """Return whether a player has left or lost everything."""
    return state.players[seat].resigned or state.players[seat].lost


def ally(turn: Turn) -> None:
    """Form the alliances of the next turn, between players who want each other (rule 24)."""
    players = turn.state.players
    for seat, player in players.items():
        player.allies = {other for other in player.votes if seat in players[other].votes}
    pairs = [
        f"{turn.name(seat)} and {turn.name(other)}"
        for seat, other in combinations(turn.by_name(players), 2)
        if other in players[seat].allies
    ]
    # The report with this news is already one of the next turn, and the desk counts otherwise.
    turn.tell_all(POLITICS, f"Allies from now on: {'; '.join(pairs) or 'nobody'}.")


LEFT: Final = "you have already left the war"
"""The reason to reject a second order to leave."""


def resign(turn: Turn) -> None:
    """Handle players who leave: remove their ships and free their planets (rule 25, T18)."""
    for given in turn.given(Resign):
        if turn.player(given.seat).resigned:
            given.fail(LEFT)
            continue
        leave(turn.state, given.seat)
        turn.tell_all(POLITICS, f"{turn.name(given.seat)} leaves the war.")
        fail_others(turn, given.seat)


def fail_others(turn: Turn, seat: Seat) -> None:
    """Fail all other orders of a player who leaves."""
    for given in turn.given(Order):
        if given.seat == seat and not isinstance(given.order, Resign):
            given.fail("you leave the war first, with Q")


def leave(state: State, seat: Seat) -> None:
    """Take a player out of the war. The options say what happens to ships and planets."""
    state.players[seat].resigned = True
    _end_alliances(state, seat)
    if state.rules.resign is Leaving.NEUTRAL:
        _abandon(state, seat)


def eliminate(turn: Turn) -> None:
    """Eliminate players without a planet and a ship, and end their alliances (T18)."""
    active = turn.state.active()
    for seat in turn.by_name(turn.state.players):
        player = turn.player(seat)
        was_lost, player.lost = player.lost, seat not in active and not player.resigned
        if player.lost and not was_lost:
            _end_alliances(turn.state, seat)
            turn.tell_all(POLITICS, f"{turn.name(seat)} has lost everything and is eliminated.")


def _end_alliances(state: State, seat: Seat) -> None:
    """End all alliances of a player, and all votes for or by the player."""
    for player in state.players.values():
        player.votes.discard(seat)
        player.allies.discard(seat)
    state.players[seat].votes.clear()
    state.players[seat].allies.clear()


def _abandon(state: State, seat: Seat) -> None:
    """Remove a player's ships and free the planets."""
    for ship in state.fleet(seat):
        del state.ships[ship.number]
    for planet in state.planets_of(seat):
        planet.owner = None


def count_turn(turn: Turn) -> None:
    """Start the next turn."""
    turn.state.turn += 1
    turn.state.round = 0
