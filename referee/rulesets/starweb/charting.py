"""The map of the web as a player knows it: worlds seen now, seen before, and never seen."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Chart, Link, Mark, Node, Sighting, Unit, UnitKind
from referee.rules.wording import counted
from referee.rulesets.starweb.artifacts import artifact_name
from referee.rulesets.starweb.orders import ArtifactNumber, WorldNumber
from referee.rulesets.starweb.state import Fleet, State, World
from referee.rulesets.starweb.text import (
    FLEET_FORMS,
    WORLD_FORMS,
    bare_record,
    fleet_record,
    fleets_by_world,
    name_of,
    shown,
)

_GATES: Final = 3
"""The most gates that a fleet goes through in a turn (s7)."""

_Gates = Mapping[WorldNumber, Mapping[WorldNumber, int]]


def chart(state: State, seat: Seat) -> Chart:
    """Return the map of *seat* (s27).

    It has the worlds of the last report with what that shows, worlds of older reports with the
    gates they had then, and worlds behind gates that were never visited.
    """
    player = state.players[seat]
    since = _since(player.charted)
    fleets = fleets_by_world(state)
    return Chart(
        nodes=tuple(
            _node(state, seat, number, since[number], fleets.get(number, ()))
            for number in sorted(since)
        ),
        links=tuple(_links(player.charted)),
        title=f"{state.game}, turn {state.turn}, {player.name}",
        owners=(player.name, *(state.players[other].name for other in player.met)),
    )


def truth(state: State) -> Chart:
    """Return the map of the whole web, with everything on it."""
    fleets = fleets_by_world(state)
    return Chart(
        nodes=tuple(
            _world(state, None, world, 0, fleets.get(number, ()))
            for number, world in sorted(state.worlds.items())
        ),
        links=tuple(
            Link(f"W{one}", f"W{other}")
            for one, world in sorted(state.worlds.items())
            for other in world.gates
            if one < other
        ),
        title=f"{state.game}, turn {state.turn}",
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


def _node(
    state: State, seat: Seat, number: WorldNumber, since: int, fleets: Sequence[Fleet]
) -> Node:
    player, key = state.players[seat], f"W{number}"
    if number not in player.charted:
        return Node(key, (), sighting=Sighting.UNEXPLORED, since=since)
    if number not in player.worlds:
        marks = tuple(_marks(state, seat, number))
        return Node(key, (), sighting=Sighting.REMEMBERED, since=since, marks=marks)
    return _world(state, seat, state.worlds[number], since, fleets)


def _world(
    state: State, seat: Seat | None, world: World, since: int, fleets: Sequence[Fleet]
) -> Node:
    """Return a world as it is; without a seat, with all that no report shows."""
    return Node(
        f"W{world.number}",
        tuple(_riches(world)),
        name_of(state, world.owner),
        Sighting.SEEN,
        since,
        marks=tuple(_marks(state, seat, world.number)),
        units=tuple(_units(state, seat, world, fleets)),
        details=tuple(shown(WORLD_FORMS, bare_record(state, world))),
    )


def _marks(state: State, seat: Seat | None, number: WorldNumber) -> Iterator[Mark]:
    """Yield the marks of a world: the player's home, a black hole, industry in the last report.

    Without a seat, the homes of all players.
    """
    players = state.players.values() if seat is None else (state.players[seat],)
    if number in {player.home for player in players}:
        yield Mark.HOME
    if number in state.worlds and state.worlds[number].black_hole:
        yield Mark.BLACK_HOLE
    seen = seat is None or number in state.players[seat].worlds
    if seen and state.worlds[number].industry:
        yield Mark.PRODUCTION


def _riches(world: World) -> Iterator[str]:
    if world.industry or world.mines:
        yield f"I={world.industry} M={world.mines}"


def _units(
    state: State, seat: Seat | None, world: World, fleets: Sequence[Fleet]
) -> Iterator[Unit]:
    """Yield the keys, the ships of the world itself and the artifacts that a report shows there."""
    owner = name_of(state, world.owner)
    if world.iships:
        yield Unit(f"I{world.number}", owner, UnitKind.GARRISON, counted(world.iships, "ISHIP"))
    if world.pships:
        yield Unit(f"P{world.number}", owner, UnitKind.GARRISON, counted(world.pships, "PSHIP"))
    for fleet in fleets:
        yield _fleet(state, seat, fleet)
    yield from _artifacts(world.artifacts, owner, "")
    for fleet in fleets:
        yield from _artifacts(fleet.artifacts, name_of(state, fleet.owner), f", F{fleet.number}")


def _fleet(state: State, seat: Seat | None, fleet: Fleet) -> Unit:
    """Return a key. Only its owner sees its cargo (s7); the truth shows it, too."""
    record = fleet_record(state, fleet)
    fields = shown(FLEET_FORMS, record if seat in (None, fleet.owner) else record._replace(cargo=0))
    return Unit(
        f"F{fleet.number}",
        record.owner,
        UnitKind.FLEET,
        ", ".join((counted(fleet.ships, "ship"), *fields)),
        _GATES if seat is not None and fleet.owner == seat and fleet.ships else 0,
    )


def _artifacts(numbers: Sequence[ArtifactNumber], owner: str, where: str) -> Iterator[Unit]:
    for number in sorted(numbers):
        yield Unit(f"V{number}", owner, UnitKind.TREASURE, artifact_name(number) + where)
