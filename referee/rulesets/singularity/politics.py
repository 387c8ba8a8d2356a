"""Section D, EcoPolitical: colours, alliances, factions, and who has won (rules 1 to 3, 23, 24)."""

from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.board import GRAY
from referee.rulesets.singularity.orders import Declare, Resign, SetAlliance, Terraform
from referee.rulesets.singularity.state import Faction, Leaving, Planet, Section, State
from referee.rulesets.singularity.units import TERRAFORM
from referee.rulesets.singularity.working import PLANETS, POLITICS, Given, Turn

SINGLE_TURNS: Final = 3
FACTION_TURNS: Final = 2
"""So many turns after its declaration a faction wins."""


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
        turn.tell_all(PLANETS, f"W{planet.column} changes from {was} to {planet.colour}.")


def _has_terraformer(state: State, planet: Planet) -> bool:
    return any(
        ship.owner == planet.owner
        and not ship.moving
        and not ship.dark
        and ship.units.get(TERRAFORM)
        for ship in state.ships_at(planet.at)
    )


def next_colours(state: State, colour: str, own: str) -> list[str]:
    """Give the colours one step nearer to *own*, the usual one first; none when it is there.

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
        if other not in turn.state.players or other == given.seat:
            given.fail(f"there is no other player {given.order.player}")
            continue
        votes = turn.player(given.seat).votes
        if given.order.yes:
            votes.add(other)
        else:
            votes.discard(other)


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
    turn.tell_all(POLITICS, f"Allies next turn: {'; '.join(pairs) or 'nobody'}.")


def resign(turn: Turn) -> None:
    """Take out those who leave: their ships are gone, their planets nobody's (rule 25, T18)."""
    for given in turn.given(Resign):
        if turn.player(given.seat).resigned:
            given.fail("you have left the war already")
            continue
        turn.player(given.seat).resigned = True
        _part(turn.state, given.seat)
        if turn.state.rules.resign is Leaving.NEUTRAL:
            _abandon(turn.state, given.seat)
        turn.tell_all(POLITICS, f"{turn.name(given.seat)} leaves the war.")


def bury(turn: Turn) -> None:
    """Take out those who have neither planet nor ship left: they are nobody's allies (T18)."""
    active = turn.state.active()
    for seat, player in turn.state.players.items():
        if seat not in active and not player.resigned and not player.lost:
            player.lost = True
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


def dissolve(turn: Turn) -> None:
    """Dissolve the factions that no longer hold together or hold too little (rules 2, 3)."""
    for faction in list(turn.state.factions):
        if not holds(turn.state, faction):
            turn.state.factions.remove(faction)
            turn.tell_all(POLITICS, f"The {_called(turn, faction)} dissolves.")


def holds(state: State, faction: Faction) -> bool:
    """Say whether a faction that was declared still stands."""
    return planets(state, faction.members) >= state.rules.to_win and not _parted(state, faction)


def _parted(state: State, faction: Faction) -> bool:
    """Say whether an alliance is missing that a faction needs.

    The two under an empire need none of their own while the dominant player is strong enough.
    """
    first, *others = faction.members
    if not faction.empire:
        return not all(
            state.allied(one, other) for one in faction.members for other in faction.members
        )
    if not all(state.allied(first, other) for other in others):
        return True
    weak = planets(state, (first,)) < state.rules.dominant
    return weak and not state.allied(others[0], others[1])


def planets(state: State, seats: tuple[Seat, ...]) -> int:
    """Give how many planets players hold together."""
    return sum(len(state.planets_of(seat)) for seat in seats)


def declare(turn: Turn) -> None:
    """Form the factions that are declared for the beginning of this turn (rules 2, 3)."""
    for given in turn.given(Declare):
        faction = _faction(turn.state, given)
        if _is_declared(turn.state, faction):
            continue
        reason = objection_to_declare(turn.state, given)
        if reason:
            given.fail(reason)
            continue
        turn.state.factions.append(faction)
        turn.tell_all(POLITICS, f"The {_called(turn, faction)} is declared.")


def _faction(state: State, given: Given[Declare]) -> Faction:
    members = (given.seat, *(Seat(member) for member in given.order.members))
    return Faction(members, given.order.empire, state.turn)


def _is_declared(state: State, faction: Faction) -> bool:
    """Say whether another member has declared the same for the beginning of this turn."""
    return not faction.empire and any(
        other.since == state.turn and not other.empire and {*other.members} == {*faction.members}
        for other in state.factions
    )


def objection_to_size(state: State, given: Given[Declare]) -> str:
    """Say why nobody can declare such a faction at all; nothing when somebody can (rule 2)."""
    order, players = given.order, len(state.players)
    members = {given.seat, *order.members}
    if not members <= state.players.keys() or len(members) != len(order.members) + 1:
        return "name other players of this war, each once"
    if not state.rules.factions:
        return "this war has no factions"
    allowed = {4: (2,), 5: (2,), 6: (2, 3)}.get(players, ())
    if len(members) not in allowed:
        return f"a war of {players} players has no factions of {len(members)}"
    return ""


def objection_to_declare(state: State, given: Given[Declare]) -> str:
    """Say why a faction cannot be declared now; nothing when it can (rules 2, 3, T17)."""
    reason = objection_to_size(state, given)
    if reason:
        return reason
    faction = _faction(state, given)
    taken = {seat for other in state.factions for seat in other.members}
    if taken & set(faction.members):
        return "one of you is in a faction already"
    if faction.empire and planets(state, faction.members[:1]) < state.rules.dominant:
        return f"you hold fewer than {state.rules.dominant} planets yourself"
    # Alliances come first, for who is no ally need not know how much the other holds.
    if _parted(state, faction):
        return "not all alliances that it needs are there"
    if planets(state, faction.members) < state.rules.to_win:
        return f"you hold fewer than {state.rules.to_win} planets together"
    return ""


def settle(turn: Turn) -> None:
    """See at the beginning of a turn whether anybody has won (rules 1, 2, T20)."""
    state = turn.state
    for seat, player in state.players.items():
        enough = planets(state, (seat,)) >= state.rules.to_win and not player.resigned
        player.successive = player.successive + 1 if enough else 0
    single = [s for s, p in state.players.items() if p.successive >= SINGLE_TURNS]
    factions = [f for f in state.factions if state.turn - f.since >= FACTION_TURNS]
    active = state.active()
    if single:
        _end(
            state,
            tuple(single),
            f"{turn.name(single[0])} held {state.rules.to_win} planets long enough.",
        )
    elif factions:
        _end(state, factions[0].members, f"The {_called(turn, factions[0])} has won.")
    elif len(active) <= 1:
        _end(state, tuple(active), "Nobody else is left.")
    elif state.turn > state.rules.turn_limit:
        most = max(planets(state, (seat,)) for seat in active)
        winners = tuple(seat for seat in active if planets(state, (seat,)) == most)
        _end(state, winners, f"Turn {state.rules.turn_limit} was the last; most planets win.")


def _end(state: State, winners: tuple[Seat, ...], ending: str) -> None:
    state.section, state.winners, state.ending = Section.OVER, winners, ending


def _called(turn: Turn, faction: Faction) -> str:
    names = " and ".join(turn.name(seat) for seat in faction.members)
    return f"{'empire' if faction.empire else 'faction'} of {names}"
