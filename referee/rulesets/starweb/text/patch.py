"""Changes of a state by records, for scenarios and for the GM."""

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from referee.rules.ruleset import Seat, UserError
from referee.rulesets.starweb.industry import usable_industry
from referee.rulesets.starweb.orders import ArtifactNumber, WorldNumber
from referee.rulesets.starweb.ships import hold
from referee.rulesets.starweb.sightings import show_correction
from referee.rulesets.starweb.state import Fleet, Player, State, World
from referee.rulesets.starweb.text.printout import FleetRecord, WorldRecord, in_words, label
from referee.rulesets.starweb.text.records import Entries, FleetEntry, WorldEntry, read_records
from referee.rulesets.starweb.text.snapshot import bare_record, fleet_record

R = TypeVar("R", WorldRecord, FleetRecord)

_PLAYERS: Final = frozenset({"owner", "apostle", "lost_by", "gift_from"})
"""Values that name a player; the state has the seat instead."""
_APART: Final = frozenset({"gates", "artifacts", "departures"})
"""Values that concern more than one record."""


def amend(state: State, entries: Entries) -> None:
    """Set everything that *entries* name, in *state* itself.

    Connections stay two-way, and an artifact is in one place only. If no record says how much
    industry is usable, it is computed from metal, people and enemies (s9). Raises UserError, with
    line and column, if a world, fleet, artifact or player is not in the game, if something is
    named twice, or if the rules exclude it; *state* is then partly changed.
    """
    for entry in entries.worlds:
        if entry.record.gates is not None:
            _put_gates(state, _world(state, entry), entry.record.gates, entry.place)
    _amend_values(state, entries)


def _amend_values(state: State, entries: Entries) -> None:
    _once([f"W{entry.record.number}" for entry in entries.worlds])
    fleets = [fleet for world in entries.worlds for fleet in world.fleets] + [*entries.fleets]
    _once([f"F{fleet.record.number}" for fleet in fleets])
    _once([f"V{number}" for number in _artifacts(entries, fleets)])
    left = {state.fleets[f.record.number].world for f in fleets if f.record.number in state.fleets}
    for world in entries.worlds:
        _amend_world(state, world)
        for fleet in world.fleets:
            _amend_fleet(state, fleet, world.record.number)
    for fleet in entries.fleets:
        _amend_fleet(state, fleet, None)
    for number in left - {world.record.number for world in entries.worlds}:
        _count_usable(state, state.worlds[number])
    for world in entries.worlds:
        _settle_industry(state, world)
    for player in entries.players:
        state.players[seat_of(state, player.name, player.place)].score = player.score


def seat_of(state: State, name: str, place: str) -> Seat:
    """Return the seat of the player *name*. Raises UserError if there is none."""
    for seat, player in state.players.items():
        if player.name == name:
            return seat
    raise UserError(f"{place}: there is no player {name} in this game")


def _once(names: list[str]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise UserError(f"{name} is named twice")


def _artifacts(entries: Entries, fleets: list[FleetEntry]) -> list[ArtifactNumber]:
    found = [number for world in entries.worlds for number in world.record.artifacts]
    return found + [number for fleet in fleets for number in fleet.record.artifacts]


def _amend_world(state: State, entry: WorldEntry) -> None:
    record = entry.record
    if record.departures:
        raise UserError(f"{entry.place}: departures cannot be set")
    world = _world(state, entry)
    _put_values(state, world, entry)
    _put_artifacts(state, world, entry)
    if world.converts and (world.apostle is None or world.robots):
        raise UserError(f"{entry.place}: W{world.number} has converts, so it needs C[NAME]")


def _settle_industry(state: State, entry: WorldEntry) -> None:
    world = state.worlds[entry.record.number]
    if "usable" not in entry.named:
        _count_usable(state, world)
    if world.usable > world.industry:
        raise UserError(f"{entry.place}: W{world.number} can use at most {world.industry} industry")


def _count_usable(state: State, world: World) -> None:
    here = [fleet for fleet in state.fleets.values() if fleet.world == world.number]
    world.usable = usable_industry(state, world, here)


def _world(state: State, entry: WorldEntry) -> World:
    if entry.record.number not in state.worlds:
        raise UserError(f"{entry.place}: there is no world W{entry.record.number}")
    return state.worlds[entry.record.number]


def _amend_fleet(state: State, entry: FleetEntry, world: WorldNumber | None) -> None:
    record = entry.record
    if record.number not in state.fleets:
        raise UserError(f"{entry.place}: there is no fleet F{record.number}")
    fleet = state.fleets[record.number]
    fleet.world = fleet.world if world is None else world
    _put_values(state, fleet, entry)
    _put_artifacts(state, fleet, entry)
    if fleet.cargo > hold(state, fleet):
        raise UserError(
            f"{entry.place}: F{fleet.number} can carry at most {hold(state, fleet)} metal"
        )


def _put_values(state: State, target: World | Fleet, entry: WorldEntry | FleetEntry) -> None:
    for name in sorted(entry.named - _APART):
        value: Any = getattr(entry.record, name)
        if name in _PLAYERS:
            value = seat_of(state, value, entry.place) if value else None
        elif name == "did":
            value = ",".join(value)
        setattr(target, name, value)


def _put_gates(state: State, world: World, gates: tuple[WorldNumber, ...], place: str) -> None:
    if world.number in gates:
        raise UserError(f"{place}: W{world.number} cannot be next to itself")
    for number in gates:
        if number not in state.worlds:
            raise UserError(f"{place}: there is no world W{number}")
    for number in {*world.gates, *gates}:
        other = state.worlds[number]
        rest = set(other.gates) - {world.number}
        other.gates = tuple(sorted(rest | {world.number} if number in gates else rest))
    world.gates = tuple(sorted(gates))


def _put_artifacts(state: State, target: World | Fleet, entry: WorldEntry | FleetEntry) -> None:
    for number in entry.record.artifacts:
        holder = _holder(state, number)
        if holder is None:
            raise UserError(f"{entry.place}: there is no artifact V{number} in this game")
        holder.artifacts.remove(number)
        target.artifacts.append(number)
        target.artifacts.sort()


def _holder(state: State, number: ArtifactNumber) -> World | Fleet | None:
    holders: list[World | Fleet] = [*state.worlds.values(), *state.fleets.values()]
    for holder in holders:
        if number in holder.artifacts:
            return holder
    return None


def place_everything(players: dict[Seat, Player], entries: Entries) -> State:
    """Return a state with only the worlds, fleets and artifacts in *entries*, for scenarios.

    A world that is only named as a connection is empty, and connections are two-way. Without a
    limit it equals the population; without a turns number it is 1 if there are mines. Raises
    UserError like ``amend``.
    """
    if entries.fleets:
        raise UserError(f"{entries.fleets[0].place}: list the fleet under a world")
    state = State(turn=1, worlds={}, fleets={}, players=players)
    for entry in entries.worlds:
        _place(state, entry)
    _amend_values(state, entries)
    for entry in entries.worlds:
        world = state.worlds[entry.record.number]
        if "limit" not in entry.named:
            world.limit = 0 if world.robots else world.population
        if "turns" not in entry.named and world.mines:
            world.turns = 1
    return state


def _place(state: State, entry: WorldEntry) -> None:
    record = entry.record
    world = state.worlds.setdefault(record.number, World(record.number, ()))
    world.artifacts = list(record.artifacts)
    for number in record.gates or ():
        if number == record.number:
            raise UserError(f"{entry.place}: W{number} cannot be next to itself")
        other = state.worlds.setdefault(number, World(number, ()))
        world.gates = tuple(sorted({*world.gates, number}))
        other.gates = tuple(sorted({*other.gates, record.number}))
    for fleet in record.fleets:
        artifacts = list(fleet.artifacts)
        state.fleets[fleet.number] = Fleet(fleet.number, record.number, artifacts=artifacts)


def correct(state: State, text: str) -> tuple[State, str]:
    """Return the state corrected by the records in *text*, and a description of the changes.

    A record changes only the fields it names. ``F5[A]=3`` without a world leaves the fleet where
    it is; under a world's record it moves the fleet there. ``[CERES]: (Score=481)`` sets a score.
    The reports show the players what they have after the correction, and whom they meet by it.
    *state* is not changed. Raises UserError like ``read_records`` and ``amend``.
    """
    entries = read_records(text)
    if not (entries.worlds or entries.fleets or entries.players):
        raise UserError("line 1, column 1: expected a record, such as W3 (Metal=15) or F5[A]=2")
    corrected = state.copy()
    amend(corrected, entries)
    show_correction(corrected)
    lines = list(_effects(state, corrected))
    return corrected, "\n".join(lines) or "Nothing changes: the game has these values already."


def _effects(before: State, after: State) -> Iterator[str]:
    for number, world in sorted(after.worlds.items()):
        was, now = bare_record(before, before.worlds[number]), bare_record(after, world)
        yield from _changes(f"W{number}", was, now)
    for number, fleet in sorted(after.fleets.items()):
        old = before.fleets[number]
        if old.world != fleet.world:
            yield f"F{number}: at W{fleet.world} (before: at W{old.world})"
        yield from _changes(f"F{number}", fleet_record(before, old), fleet_record(after, fleet))
    for seat, player in sorted(after.players.items()):
        score = before.players[seat].score
        if score != player.score:
            yield f"[{player.name}]: score {player.score} (before: {score})"


def _changes(what: str, was: R, now: R) -> Iterator[str]:
    for name, old, new in zip(was._fields, was, now, strict=True):
        if old != new:
            yield f"{what}: {label(name)} {in_words(new)} (before: {in_words(old)})"
