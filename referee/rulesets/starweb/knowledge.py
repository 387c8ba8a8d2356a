"""The galaxy as one player knows it: a state without what is hidden from the player."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import (
    FleetNumber,
    HoldAmbush,
    MigrateConverts,
    MigratePeople,
    MoveFleet,
    Order,
    ProbeFromFleet,
    ProbeFromHome,
    WorldNumber,
)
from referee.rulesets.starweb.state import Character, Fleet, Player, State, World


def known_state(state: State, seat: Seat, orders: Sequence[Order]) -> State:
    """Return what *seat* knows from its reports, as a state in which its orders are resolved.

    The worlds of the last report have all that it shows. Other worlds are only there if *orders*
    name them, with their known gates. Other players have nothing of their own. A route through
    gates that were never seen is assumed to be right.

    Worlds and fleets that are known completely are shared with *state*: neither may be changed.
    """
    player = state.players[seat]
    shown = {n: state.worlds[n] for n in player.worlds if n in state.worlds}
    fleets = _known_fleets(state, seat, shown)
    gates = _known_gates(shown, player)
    named = set(shown)
    for order in orders:
        named.update(_goals(order))
        if isinstance(order, MoveFleet) and order.fleet in fleets:
            _believe(gates, player, (fleets[order.fleet].world, *order.route))
    worlds = {
        number: _known_world(state, player, number, tuple(sorted(gates[number])))
        for number in sorted(named & gates.keys())
    }
    players = {other: _stranger(state, other) for other in _known_players(player, shown, fleets)}
    own = replace(player, allies=player.allies & {*players}, loaders=player.loaders & {*players})
    return State(state.turn, worlds, fleets, {**players, seat: own}, game=state.game)


def _goals(order: Order) -> tuple[WorldNumber, ...]:
    """Return the worlds named by *order* that can be missing in the report."""
    match order:
        case MoveFleet(_, route):
            return route
        case ProbeFromFleet(_, goal) | ProbeFromHome(_, _, goal):
            return (goal,)
        case MigratePeople(_, _, goal) | MigrateConverts(_, _, goal):
            return (goal,)
        case HoldAmbush(world) if world is not None:
            return (world,)
        case _:
            return ()


def _known_fleets(
    state: State, seat: Seat, shown: dict[WorldNumber, World]
) -> dict[FleetNumber, Fleet]:
    """Return the fleets of the last report. Only the owner sees cargo (s7)."""
    # A key in a black hole moves to an unknown world at the start of the next turn.
    ordinary = {number for number, world in shown.items() if not world.black_hole}
    fleets = {n: fleet for n, fleet in state.fleets.items() if fleet.world in ordinary}
    for number, fleet in fleets.items():
        if fleet.cargo and fleet.owner != seat:
            fleets[number] = replace(fleet, cargo=0)
    return fleets


def _known_gates(
    shown: dict[WorldNumber, World], player: Player
) -> dict[WorldNumber, set[WorldNumber]]:
    """Return the gates of every world whose number is known. A gate leads both ways."""
    gates = {number: set(known) for number, known in player.charted.items()}
    gates |= {number: set(world.gates) for number, world in shown.items()}
    for number, known in list(gates.items()):
        for neighbour in known:
            gates.setdefault(neighbour, set()).add(number)
    return gates


def _believe(
    gates: dict[WorldNumber, set[WorldNumber]], player: Player, route: Sequence[WorldNumber]
) -> None:
    """Add gates for the hops of *route* between worlds whose gates were never seen."""
    known = player.charted.keys() | player.worlds
    for here, there in pairwise(route):
        if here in gates and here not in known and there not in known:
            gates[here].add(there)
            gates.setdefault(there, set()).add(here)


def _known_world(
    state: State, player: Player, number: WorldNumber, gates: tuple[WorldNumber, ...]
) -> World:
    """Return a world as reported. Of others, only a black hole seen before is known."""
    world = state.worlds.get(number)
    if world is not None and number in player.worlds:
        return world if world.gates == gates else replace(world, gates=gates)
    hole = world is not None and number in player.charted and world.black_hole
    return World(number, gates, black_hole=hole)


def _known_players(
    player: Player, shown: dict[WorldNumber, World], fleets: dict[FleetNumber, Fleet]
) -> set[Seat]:
    names = {*player.met, player.jihad}
    for world in shown.values():
        names |= {world.owner, world.apostle}
    names |= {fleet.owner for fleet in fleets.values()}
    return {name for name in names if name is not None and name != player.seat}


def _stranger(state: State, seat: Seat) -> Player:
    """Return another player with only the name, because the character is secret."""
    return Player(seat, state.players[seat].name, Character.EMPIRE_BUILDER, home=0)
