"""The comparison of a state with expected records, for test cases."""

from collections.abc import Iterator
from typing import Any

from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.text.records import Entries, FleetEntry, WorldEntry
from referee.rulesets.starweb.text.snapshot import fleet_record, world_record
from referee.rulesets.starweb.text.wording import label, shown


def differences(state: State, expected: Entries) -> list[str]:
    """Return a line for each value that *expected* names and that differs in *state*."""
    lines: list[str] = []
    for world in expected.worlds:
        lines += _world(state, world)
        for fleet in world.fleets:
            lines += _fleet(state, fleet, world.record.number)
    for fleet in expected.fleets:
        lines += _fleet(state, fleet, None)
    for player in expected.players:
        scores = {held.name: held.score for held in state.players.values()}
        if scores.get(player.name) != player.score:
            found = scores.get(player.name, "not in the game")
            lines.append(f"{player.name}: score is {found}, expected {player.score}")
    return lines


def _world(state: State, entry: WorldEntry) -> Iterator[str]:
    number = entry.record.number
    if number not in state.worlds:
        yield f"W{number}: is missing"
        return
    yield from _values(f"W{number}", entry, world_record(state, state.worlds[number]))


def _fleet(state: State, entry: FleetEntry, world: int | None) -> Iterator[str]:
    number = entry.record.number
    if number not in state.fleets:
        yield f"F{number}: is missing"
        return
    fleet = state.fleets[number]
    if world is not None and fleet.world != world:
        yield f"F{number}: is at W{fleet.world}, expected at W{world}"
    yield from _values(f"F{number}", entry, fleet_record(state, fleet))


def _values(what: str, entry: WorldEntry | FleetEntry, found: Any) -> Iterator[str]:
    for name in sorted(entry.named):
        value, expected = getattr(found, name), getattr(entry.record, name)
        # Flags, artifacts and departures that a record does not name are allowed.
        if isinstance(expected, tuple) and name != "gates":
            missing = [part for part in expected if part not in value]
            if missing:
                yield f"{what}: {label(name)} is {shown(value)}, without {shown(missing)}"
        elif value != expected:
            yield f"{what}: {label(name)} is {shown(value)}, expected {shown(expected)}"
