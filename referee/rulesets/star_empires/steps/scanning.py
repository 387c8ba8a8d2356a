"""Scanning: own scans, shared scans, and recording them (RULES 6.8.3 to 6.8.5)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.sectors import Sector, disk
from referee.rulesets.star_empires.state import (
    Empire,
    Known,
    KnownPortal,
    KnownStorm,
    KnownWorld,
    Portal,
    Seen,
    Share,
    Ship,
    Sighting,
    State,
    Storm,
    World,
)
from referee.rulesets.star_empires.turn_state import Turn

K = TypeVar("K", KnownWorld, KnownPortal, KnownStorm)

Place = World | Portal | Storm

Map = dict[Sector, Seen]
Reach = dict[Sector, Sighting]
"""The sectors in scan range of an empire's own ships and worlds, and how well it sees them."""


@dataclass(frozen=True, slots=True)
class _Gift:
    """Scans that an empire shares: sectors as it sees them, and its knowledge of them."""

    donor: Seat
    recipient: Seat
    seen: tuple[Seen, ...]
    known: tuple[Known, ...]


def scan(turn: Turn) -> None:
    """Update the scans and knowledge of all empires (R6.8.3 to R6.8.5)."""
    look_around(turn.state)


def look_around(state: State) -> None:
    """Update every empire's map and knowledge by its own scans and those shared with it."""
    clouded = frozenset(storm.at for storm in state.storms.values())
    maps: dict[Seat, Map] = {}
    for seat, empire in state.empires.items():
        reach = _reach(state, seat, clouded)
        maps[seat] = _drawn(empire, reach)
        _record(state, empire, reach, state.turn)
        _make_contact(state, empire, reach)
    # Received scans are not passed on, so collect all shared scans before applying any.
    gifts = list(_gifts(state, maps, clouded))
    for gift in gifts:
        _show(maps[gift.recipient], gift)
        _inform(state.empires[gift.recipient], gift)
    for seat, empire in state.empires.items():
        empire.chart = [maps[seat][at] for at in sorted(maps[seat])]
        empire.worlds = dict(sorted(empire.worlds.items()))
        empire.portals = dict(sorted(empire.portals.items()))
        empire.storms = dict(sorted(empire.storms.items()))


def _reach(state: State, seat: Seat, clouded: frozenset[Sector]) -> Reach:
    """Return the sectors in scan range of an empire's own ships and worlds (R6.8.3)."""
    ships = [ship for ship in state.fleet(seat) if not ship.loaded]
    reach = {
        at: Sighting.STALE if at in clouded else Sighting.SCANNED
        for ship in ships
        for at in scanned_by(state, ship, clouded)
    }
    own = {ship.at for ship in ships} | {world.at for world in state.worlds_of(seat)}
    return reach | dict.fromkeys(own, Sighting.VISIBLE)


def scanned_by(state: State, ship: Ship, clouded: frozenset[Sector]) -> Iterable[Sector]:
    """Return the sectors in a ship's scan range; inside a cloud only its own."""
    return disk(ship.at, 0 if ship.at in clouded else state.scan(ship))


def _drawn(empire: Empire, reach: Reach) -> Map:
    """Return an empire's updated map: stale, except for the sectors in scan range."""
    chart = {
        seen.at: Seen(seen.at, ours=seen.ours)
        if seen.shown or seen.own is not Sighting.STALE
        else seen
        for seen in empire.chart
    }
    chart.update({at: Seen(at, how, ours=True) for at, how in reach.items()})
    return chart


def _record(state: State, empire: Empire, reach: Reach, turn: int) -> None:
    """Record objects in scan range; of a cloud seen from outside, only the cloud (R6.8.5)."""
    clear = {at for at, how in reach.items() if how is not Sighting.STALE}
    _strike(empire.worlds, state.worlds, clear)
    _strike(empire.portals, state.portals, clear)
    _strike(empire.storms, state.storms, reach.keys())
    for world in state.worlds.values():
        if world.at in clear:
            empire.worlds[world.name] = known_world(world, turn)
    for portal in state.portals.values():
        if portal.at in clear:
            known = KnownPortal(portal.name, portal.at, portal.collapsed, turn)
            empire.portals[portal.name] = known
    for storm in state.storms.values():
        if storm.at in reach:
            empire.storms[storm.name] = KnownStorm(storm.name, storm.at, storm.intensity, turn)


def _strike(known: dict[str, K], real: Mapping[str, Place], seen: Collection[Sector]) -> None:
    """Remove known objects that are seen to be no longer there."""
    for each in list(known.values()):
        if each.at in seen and (each.name not in real or real[each.name].at != each.at):
            del known[each.name]


def known_world(world: World, turn: int) -> KnownWorld:
    """Return the knowledge of an empire that sees a world now."""
    return KnownWorld(
        name=world.name,
        at=world.at,
        production=world.production,
        owner=world.owner,
        stockpile=world.stockpile,
        homeworld=world.homeworld,
        turn=turn,
    )


def _make_contact(state: State, empire: Empire, reach: Reach) -> None:
    """Add the empires seen by the empire's own ships to its contacts, which are permanent."""
    clear = {at: how for at, how in reach.items() if how is not Sighting.STALE}
    met = {world.owner for world in state.worlds.values() if world.at in clear}
    for ship in state.ships.values():
        if ship.loaded or ship.at not in clear:
            continue
        if clear[ship.at] is Sighting.VISIBLE or ship.public or empire.seat in ship.identified:
            met.add(ship.owner)
    empire.contacts |= {seat for seat in met if seat is not None and seat != empire.seat}


def _gifts(state: State, maps: dict[Seat, Map], clouded: frozenset[Sector]) -> Iterator[_Gift]:
    """Return the scans that empires share; they share only their own (R6.8.4)."""
    for seat, empire in state.empires.items():
        for recipient, share in empire.shares.items():
            if recipient not in maps:
                continue
            seen = tuple(_shared(state, seat, share, maps[seat], clouded))
            sectors = {each.at for each in seen}
            known = tuple(k for k in empire.objects() if k.at in sectors and not k.heard)
            yield _Gift(seat, recipient, seen, known)


def _shared(
    state: State, donor: Seat, share: Share, chart: Map, clouded: frozenset[Sector]
) -> Iterable[Seen]:
    ours = (seen for seen in chart.values() if seen.ours)
    if share.everything:
        return ours
    sectors = set(share.sectors)
    for ship in state.fleet(donor):
        if not ship.loaded and (ship.number in share.ships or ship.kind in share.classes):
            sectors |= set(scanned_by(state, ship, clouded))
    return (seen for seen in ours if seen.at in sectors)


def _show(chart: Map, gift: _Gift) -> None:
    """Add the sectors of a gift to a map; a sector stale for the donor is stale there too."""
    for given in gift.seen:
        seen = chart.get(given.at)
        if seen is None:
            seen = chart[given.at] = Seen(given.at)
        if given.own is not Sighting.STALE:
            shown = {**seen.shown, gift.donor: given.own}
            chart[given.at] = Seen(given.at, seen.own, shown, seen.ours)


def _inform(empire: Empire, gift: _Gift) -> None:
    """Update an empire's knowledge by the newer parts of a gift."""
    for each in gift.known:
        if isinstance(each, KnownWorld):
            _update(empire.worlds, each)
        elif isinstance(each, KnownPortal):
            _update(empire.portals, each)
        else:
            _update(empire.storms, each)


def _update(known: dict[str, K], each: K) -> None:
    if each.name not in known or known[each.name].turn < each.turn:
        known[each.name] = replace(each, heard=True)


def record_last_looks(turn: Turn) -> None:
    """Record what destroyed ships saw before they were lost (R6.3.4, R6.4.6, R6.8.3)."""
    for seat, at in sorted(turn.last_looks):
        _glimpse(turn.state, turn.empire(seat), at, turn.state.turn + 1)
    turn.last_looks.clear()


def _glimpse(state: State, empire: Empire, at: Sector, turn: int) -> None:
    """Record the objects in a sector, which then becomes stale on the empire's map."""
    chart = {each.at: each for each in empire.chart}
    chart[at] = Seen(at, ours=True)
    empire.chart = [chart[each] for each in sorted(chart)]
    _record(state, empire, {at: Sighting.VISIBLE}, turn)
    _make_contact(state, empire, {at: Sighting.VISIBLE})
