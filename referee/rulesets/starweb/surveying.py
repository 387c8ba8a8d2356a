"""The state as records: worlds and keys with everything that is true of them."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.printout import DepartureRecord, FleetRecord, WorldRecord
from referee.rulesets.starweb.state import Fleet, State, World


def world_record(
    state: State, world: World, fleets: Sequence[FleetRecord] | None = None
) -> WorldRecord:
    """Give the record of *world*, with *fleets* or else all that are there and their cargo."""
    if fleets is None:
        fleets = [fleet_record(state, fleet) for fleet in fleets_at(state, world.number)]
    departures = _departures(state, world.number)
    return bare_record(state, world)._replace(fleets=tuple(fleets), departures=departures)


def bare_record(state: State, world: World) -> WorldRecord:
    """Give the record of *world* alone, without fleets and departures."""
    return WorldRecord(
        number=world.number,
        gates=world.gates,
        owner=name_of(state, world.owner),
        apostle=name_of(state, world.apostle) if world.converts else "",
        black_hole=world.black_hole,
        captured=world.captured,
        lost_by=name_of(state, world.lost_by),
        gift_from=name_of(state, world.gift_from),
        busted=world.busted,
        industry=world.industry,
        usable=world.usable,
        metal=world.metal,
        mines=world.mines,
        population=world.population,
        robots=world.robots,
        converts=world.converts,
        limit=world.limit,
        turns=world.turns if world.mines else 0,
        iships=world.iships,
        iships_did=world.iships_did,
        pships=world.pships,
        pships_did=world.pships_did,
        deaths=world.deaths,
        convert_deaths=world.convert_deaths,
        plunders=world.plunders,
        recovery=world.recovery,
        goods=world.goods,
        artifacts=tuple(sorted(world.artifacts)),
    )


def fleet_record(state: State, fleet: Fleet) -> FleetRecord:
    """Give the record of *fleet*, its cargo included."""
    return FleetRecord(
        number=fleet.number,
        owner=name_of(state, fleet.owner),
        ships=fleet.ships,
        captured=fleet.captured,
        lost_by=name_of(state, fleet.lost_by),
        gift_from=name_of(state, fleet.gift_from),
        did=tuple(fleet.did.split(",")) if fleet.did else (),
        cargo=fleet.cargo,
        at_peace=fleet.at_peace,
        bomb=fleet.bomb,
        bomb_built=fleet.bomb_built,
        artifacts=tuple(sorted(fleet.artifacts)),
    )


def fleets_at(state: State, number: WorldNumber) -> list[Fleet]:
    """Give the keys at a world as a report has them: by owner's name, the unowned last (s27)."""
    here = [fleet for fleet in state.fleets.values() if fleet.world == number]
    return sorted(here, key=lambda f: (f.owner is None, name_of(state, f.owner), f.number))


def name_of(state: State, seat: Seat | None) -> str:
    """Give the name of the player in *seat*, nothing for nobody."""
    return "" if seat is None else state.players[seat].name


def _departures(state: State, number: WorldNumber) -> tuple[DepartureRecord, ...]:
    gone = [departure for departure in state.departures if departure.world == number]
    gone.sort(key=lambda departure: departure.fleet)
    return tuple(DepartureRecord(d.fleet, name_of(state, d.owner), d.to) for d in gone)
