"""The map of the web as a player knows it: worlds seen now, seen before, and never seen."""

from collections.abc import Iterator, Mapping
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Chart, Link, Node, Sighting
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.state import Player, State
from referee.rulesets.starweb.text import fleets_at, name_of

_MOST_KEYS: Final = 2
"""The most keys that a box names. More are shown as a number."""

_Gates = Mapping[WorldNumber, Mapping[WorldNumber, int]]


def chart(state: State, seat: Seat) -> Chart:
    """Return the map of *seat* (s27).

    It has the worlds of the last report with what that shows, worlds of older reports with the
    gates they had then, and worlds behind gates that were never visited.
    """
    player = state.players[seat]
    since = _since(player.charted)
    return Chart(
        nodes=tuple(_node(state, seat, number, since[number]) for number in sorted(since)),
        links=tuple(_links(player.charted)),
        title=f"{state.game}, turn {state.turn}, {player.name}",
        owners=(player.name, *(state.players[other].name for other in player.met)),
    )


def _since(charted: _Gates) -> dict[WorldNumber, int]:
    """Return the turn since which each world is known by its number."""
    since: dict[WorldNumber, int] = {}
    for number, gates in charted.items():
        for world, turn in ((number, min(gates.values(), default=1)), *gates.items()):
            since[world] = min(turn, since.get(world, turn))
    return since


def _links(charted: _Gates) -> Iterator[Link]:
    """Yield each gate once, with the turn since which it is known from either side."""
    known: dict[tuple[WorldNumber, WorldNumber], int] = {}
    for number, gates in charted.items():
        for gate, turn in gates.items():
            ends = (min(number, gate), max(number, gate))
            known[ends] = min(turn, known.get(ends, turn))
    for (one, other), turn in sorted(known.items()):
        yield Link(f"W{one}", f"W{other}", turn)


def _node(state: State, seat: Seat, number: WorldNumber, since: int) -> Node:
    player, key = state.players[seat], f"W{number}"
    if number not in player.charted:
        return Node(key, (), sighting=Sighting.UNEXPLORED, since=since)
    if number not in player.worlds:
        return Node(key, tuple(_hole(state, number)), sighting=Sighting.REMEMBERED, since=since)
    lines = (*_hole(state, number), *_riches(state, number), *_keys(state, player, number))
    return Node(key, lines, name_of(state, state.worlds[number].owner), Sighting.SEEN, since)


def _hole(state: State, number: WorldNumber) -> Iterator[str]:
    if number in state.worlds and state.worlds[number].black_hole:
        yield "black hole"


def _riches(state: State, number: WorldNumber) -> Iterator[str]:
    world = state.worlds[number]
    if world.industry or world.mines:
        yield f"I={world.industry} M={world.mines}"


def _keys(state: State, player: Player, number: WorldNumber) -> Iterator[str]:
    """Yield the player's keys at a world; of many, the first and the number of the others."""
    keys = [f"F{fleet.number}" for fleet in fleets_at(state, number) if fleet.owner == player.seat]
    if len(keys) > _MOST_KEYS:
        keys = [keys[0], f"+{len(keys) - 1}"]
    if keys:
        yield " ".join(keys)
