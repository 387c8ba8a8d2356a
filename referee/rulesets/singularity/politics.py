"""Section D, EcoPolitical: colours, alliances, and who leaves the war (rules 23 to 25)."""

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.singularity.board import COLOURS, GRAY
from referee.rulesets.singularity.orders import Resign, SetAlliance, Terraform
from referee.rulesets.singularity.state import Leaving, Planet, State
from referee.rulesets.singularity.turn_state import PLANETS, POLITICS, Turn
from referee.rulesets.singularity.units import TERRAFORM


def wish(turn: Turn) -> None:
    """Note which colours planets are to take where there is a choice (rule 23)."""
    for given in turn.given(Terraform):
        planet = turn.planet(given)
        if planet is None:
            continue
        if given.order.colour not in turn.state.rules.wheel:
            given.fail(f"{given.order.colour} is none of the colours {turn.state.rules.wheel}")
            continue
        turn.player(given.seat).wishes[planet.column] = given.order.colour


def terraform(turn: Turn) -> None:
    """Bring planets under stationary terraformers a step nearer to their owners' colours."""
    for planet in turn.state.planets.values():
        if planet.owner is None or not _has_terraformer(turn.state, planet):
            continue
        steps = next_colours(turn.state, planet.colour, turn.player(planet.owner).colour)
        if not steps:
            continue
        wished = turn.player(planet.owner).wishes.get(planet.column)
        was, planet.colour = planet.colour, wished if wished in steps else steps[0]
        turn.tell_all(
            PLANETS, f"W{planet.column} changes from {COLOURS[was]} to {COLOURS[planet.colour]}."
        )


def _has_terraformer(state: State, planet: Planet) -> bool:
    return any(
        ship.owner == planet.owner
        and not ship.moving
        and not ship.dark
        and ship.units.get(TERRAFORM)
        for ship in state.ships_at(planet.at)
    )


def next_colours(state: State, colour: str, own: str) -> list[str]:
    """Return the colours one step nearer to *own*, the usual one first; none when it is there.

    Far side, semi-opposite, gray, closest, own: where two are as near, the next clockwise on the
    wheel comes first.
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


def vote(turn: Turn) -> None:
    """Note whom everybody wants as an ally (rule 24)."""
    for given in turn.given(SetAlliance):
        other = Seat(given.order.player)
        if reason := objection_to_alliance(turn.state, given):
            given.fail(reason)
            continue
        votes = turn.player(given.seat).votes
        if given.order.yes:
            votes.add(other)
        else:
            votes.discard(other)


def objection_to_alliance(state: State, given: SheetOrder[SetAlliance]) -> str:
    """Say why a player cannot be asked for an alliance; nothing when he can (rule 24)."""
    other = state.players.get(Seat(given.order.player))
    if other is None or other.seat == given.seat:
        return f"there is no other player {given.order.player}"
    return f"{other.name} is out of the war" if is_out(state, other.seat) else ""


def is_out(state: State, seat: Seat) -> bool:
    """Return whether a player has left or lost everything."""
    return state.players[seat].resigned or state.players[seat].lost


def ally(turn: Turn) -> None:
    """Let those be allies in the following turn who both want it (rule 24)."""
    players = turn.state.players
    for seat, player in players.items():
        player.allies = {other for other in player.votes if seat in players[other].votes}
    pairs = [
        f"{turn.name(seat)} and {turn.name(other)}"
        for seat, player in players.items()
        for other in sorted(player.allies)
        if seat < other
    ]
    turn.tell_all(
        POLITICS, f"Allies in turn {turn.state.turn + 1}: {'; '.join(pairs) or 'nobody'}."
    )


def resign(turn: Turn) -> None:
    """Take out those who leave: their ships are gone, their planets nobody's (rule 25, T18)."""
    for given in turn.given(Resign):
        if turn.player(given.seat).resigned:
            given.fail("you have left the war already")
            continue
        depart(turn.state, given.seat)
        turn.tell_all(POLITICS, f"{turn.name(given.seat)} leaves the war.")


def depart(state: State, seat: Seat) -> None:
    """Let a player leave, by himself or by the GM; the GM chose what becomes of what he has."""
    state.players[seat].resigned = True
    _part(state, seat)
    if state.rules.resign is Leaving.NEUTRAL:
        _abandon(state, seat)


def bury(turn: Turn) -> None:
    """Take out those who have neither planet nor ship left: they are nobody's allies (T18)."""
    active = turn.state.active()
    for seat, player in turn.state.players.items():
        was_lost, player.lost = player.lost, seat not in active and not player.resigned
        if player.lost and not was_lost:
            _part(turn.state, seat)
            turn.tell_all(POLITICS, f"{turn.name(seat)} has lost everything and is out of the war.")


def _part(state: State, seat: Seat) -> None:
    """End all alliances of a player, and what he and others wanted of each other."""
    for player in state.players.values():
        player.votes.discard(seat)
        player.allies.discard(seat)
    state.players[seat].votes.clear()
    state.players[seat].allies.clear()


def _abandon(state: State, seat: Seat) -> None:
    """Take away a player's ships and planets."""
    for ship in state.fleet(seat):
        del state.ships[ship.number]
    for planet in state.planets_of(seat):
        planet.owner = None


def count_turn(turn: Turn) -> None:
    """Begin the next turn."""
    turn.state.turn += 1
    turn.state.round = 0
