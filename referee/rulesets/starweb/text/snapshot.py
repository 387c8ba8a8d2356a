"""The state as records of worlds and keys, with nothing hidden."""

from collections.abc import Iterable, Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.state import Fleet, State, World
from referee.rulesets.starweb.text.printout import DepartureRecord, FleetRecord, WorldRecord


def world_record(
    state: State, world: World, fleets: Sequence[FleetRecord] | None = None
) -> WorldRecord:
    """Return the record of *world*, with *fleets* or with all fleets there and their cargo."""
    if fleets is None:
        fleets = [fleet_record(state, fleet) for fleet in fleets_at(state, world.number)]
    departures = _departures(state, world.number)
    return bare_record(state, world)._replace(fleets=tuple(fleets), departures=departures)


def bare_record(state: State, world: World) -> WorldRecord:
    """Return the record of *world* without fleets and departures."""
    # Positional arguments: keywords would take longer than everything else here.
    return WorldRecord(
        world.number,
        world.gates,
        name_of(state, world.owner),
        name_of(state, world.apostle) if world.converts else "",
        world.black_hole,
        world.captured,
        name_of(state, world.lost_by),
        name_of(state, world.gift_from),
        world.busted,
        world.industry,
        world.usable,
        world.metal,
        world.mines,
        world.population,
        world.robots,
        world.converts,
        world.limit,
        world.turns if world.mines and world.owner is not None else 0,
        world.iships,
        world.iships_did,
        world.pships,
        world.pships_did,
        world.deaths,
        world.convert_deaths,
        world.plunders,
        world.recovery,
        world.goods,
        tuple(sorted(world.artifacts)),
    )


def fleet_record(state: State, fleet: Fleet) -> FleetRecord:
    """Return the record of *fleet*, including its cargo."""
    return FleetRecord(
        fleet.number,
        name_of(state, fleet.owner),
        fleet.ships,
        fleet.captured,
        name_of(state, fleet.lost_by),
        name_of(state, fleet.gift_from),
        tuple(fleet.did.split(",")) if fleet.did else (),
        fleet.cargo,
        fleet.at_peace,
        fleet.bomb,
        fleet.bomb_built,
        tuple(sorted(fleet.artifacts)),
    )


def fleets_at(state: State, number: WorldNumber) -> list[Fleet]:
    """Return the keys at a world as in a report: by owner's name, neutral ones last (s27)."""
    return _in_order(state, (fleet for fleet in state.fleets.values() if fleet.world == number))


def fleets_by_world(state: State) -> dict[WorldNumber, list[Fleet]]:
    """Return the keys at each world that has any, in the sequence of a report (s27)."""
    there: dict[WorldNumber, list[Fleet]] = {}
    for fleet in _in_order(state, state.fleets.values()):
        there.setdefault(fleet.world, []).append(fleet)
    return there


def _in_order(state: State, fleets: Iterable[Fleet]) -> list[Fleet]:
    return sorted(fleets, key=lambda f: (f.owner is None, name_of(state, f.owner), f.number))


def name_of(state: State, seat: Seat | None) -> str:
    """Return the name of the player in *seat*, or "" for None."""
    return "" if seat is None else state.players[seat].name


def _departures(state: State, number: WorldNumber) -> tuple[DepartureRecord, ...]:
    gone = [departure for departure in state.departures if departure.world == number]
    gone.sort(key=lambda departure: departure.fleet)
    return tuple(DepartureRecord(d.fleet, name_of(state, d.owner), d.to) for d in gone)
