"""The galaxy as one player knows it: a state in which everything hidden from him is missing."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import MoveFleet, Order, WorldNumber
from referee.rulesets.starweb.state import Character, Fleet, Player, State, World


def known_state(state: State, seat: Seat, orders: Sequence[Order]) -> State:
    """Give what *seat* knows from his reports, as a state to resolve his orders in.

    Worlds of the last report are there with all it shows, other worlds only with the gates known
    of them, other players without anything of their own. A route through gates that nobody told
    him of is taken to be right.
    """
    player = state.players[seat]
    shown = {n: state.worlds[n] for n in player.worlds if n in state.worlds}
    fleets = {n: _known_fleet(f, seat) for n, f in state.fleets.items() if _is_shown(f, shown)}
    gates = _known_gates(state, player)
    for order in orders:
        if isinstance(order, MoveFleet) and order.fleet in fleets:
            _believe(gates, player, (fleets[order.fleet].world, *order.route))
    worlds = {
        number: shown[number].copy() if number in shown else _dim(state, player, number)
        for number in sorted(gates)
    }
    for number, world in worlds.items():
        world.gates = tuple(sorted(gates[number]))
    players = {other: _stranger(state, other) for other in _known_players(player, shown, fleets)}
    own = replace(player, allies=player.allies & {*players}, loaders=player.loaders & {*players})
    return State(state.turn, worlds, fleets, {**players, seat: own}, game=state.game)


def _is_shown(fleet: Fleet, shown: dict[WorldNumber, World]) -> bool:
    # A key in a black hole is about to vanish, nobody knows whither.
    return fleet.world in shown and not shown[fleet.world].black_hole


def _known_fleet(fleet: Fleet, seat: Seat) -> Fleet:
    """Give a fleet as *seat* sees it: only the owner sees cargo (s7)."""
    known = fleet.copy()
    if known.owner != seat:
        known.cargo = 0
    return known


def _known_gates(state: State, player: Player) -> dict[WorldNumber, set[WorldNumber]]:
    """Give the gates of every world known by name; a gate leads both ways."""
    shown = {number for number in player.worlds if number in state.worlds}
    gates = {number: set(known) for number, known in player.charted.items()}
    gates |= {number: set(state.worlds[number].gates) for number in shown}
    for number, known in list(gates.items()):
        for neighbour in known:
            gates.setdefault(neighbour, set()).add(number)
    return gates


def _believe(
    gates: dict[WorldNumber, set[WorldNumber]], player: Player, route: Sequence[WorldNumber]
) -> None:
    """Take hops between worlds of which not all gates are known for right."""
    known = player.charted.keys() | player.worlds
    for here, there in pairwise(route):
        if here in gates and here not in known and there not in known:
            gates[here].add(there)
            gates.setdefault(there, set()).add(here)


def _dim(state: State, player: Player, number: WorldNumber) -> World:
    """Give a world that is not in the report: of it only a black hole seen before is known."""
    charted = number in player.charted and number in state.worlds
    return World(number, (), black_hole=charted and state.worlds[number].black_hole)


def _known_players(
    player: Player, shown: dict[WorldNumber, World], fleets: dict[int, Fleet]
) -> set[Seat]:
    names = {*player.met, player.jihad}
    for world in shown.values():
        names |= {world.owner, world.apostle}
    names |= {fleet.owner for fleet in fleets.values()}
    return {name for name in names if name is not None and name != player.seat}


def _stranger(state: State, seat: Seat) -> Player:
    """Give another player with nothing but his name; his character is his secret."""
    return Player(seat, state.players[seat].name, Character.EMPIRE_BUILDER, home=0)
