"""Scanning: own scans, shared scans, and recording them (RULES 6.8.3 to 6.8.5)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.class_names import is_met, meet
from referee.rulesets.star_empires.knowledge import chart_of, sighted
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
View = dict[Sector, Sighting]
"""The sectors that an empire's own ships and worlds see into, and how well."""


@dataclass(frozen=True, slots=True)
class _Scan:
    """The scan of an empire's own ships and worlds, and its map before that."""

    before: Map
    seen: View
    clouds: set[Sector]
    """The other sectors in scan range: the clouds that it sees from outside."""
    past: dict[Sector, int]
    """The sectors scanned but not seen into, with the turn of the last look; 0 for never."""


@dataclass(frozen=True, slots=True)
class _Gift:
    """Scans that an empire shares: of its own, never of those shared with it (R6.8.4)."""

    donor: Seat
    recipient: Seat
    seen: View
    past: dict[Sector, int]
    """The shared sectors that are stale for the donor, so for the recipient, too."""
    known: Sequence[Known]


def scan(turn: Turn) -> None:
    """Update the scans and knowledge of all empires (R6.8.3 to R6.8.5)."""
    look_around(turn.state)


def look_around(state: State) -> None:
    """Update every empire's map and knowledge by its own scans and those shared with it."""
    clouded = frozenset(storm.at for storm in state.storms.values())
    scans: dict[Seat, _Scan] = {}
    for seat, empire in state.empires.items():
        scans[seat] = _scan(state, empire, clouded)
        _record(state, empire, scans[seat], state.turn)
        _make_contact(state, empire, scans[seat].seen)
    # Received scans are not passed on, so collect all shared scans before applying any.
    gifts = sorted(_gifts(state, scans, clouded), key=lambda gift: state.empires[gift.donor].name)
    for seat, empire in state.empires.items():
        given = [gift for gift in gifts if gift.recipient == seat]
        empire.chart = _drawn(scans[seat], given, state.turn)
        _inform(empire, given)
        empire.worlds = dict(sorted(empire.worlds.items()))
        empire.portals = dict(sorted(empire.portals.items()))
        empire.storms = dict(sorted(empire.storms.items()))
        _name_classes(state, seat)
        _name_empires(state, empire)


def _name_classes(state: State, seat: Seat) -> None:
    """Name the classes of all ships that an empire has or sees, in an order that tells nothing."""
    empire = state.empires[seat]
    kinds = {ship.kind for ship in state.ships.values()}
    if all(is_met(empire, kind) for kind in kinds):
        return
    seen = sorted((each.ship for each in sighted(state, seat)), key=lambda ship: ship.serial)
    for ship in (*state.fleet(seat), *seen):
        meet(empire, ship.kind)


def _name_empires(state: State, empire: Empire) -> None:
    """Record the empires that an empire sees for the first time, in an order that tells nothing."""
    if state.empires.keys() <= {empire.seat, *empire.named}:
        return
    seen = {each.ship.owner for each in sighted(state, empire.seat)}
    seen |= {world.owner for world in empire.worlds.values() if world.owner is not None}
    new = (empire.contacts | seen) - {empire.seat, *empire.named}
    empire.named += sorted(new, key=lambda seat: state.empires[seat].name)


def _scan(state: State, empire: Empire, clouded: frozenset[Sector]) -> _Scan:
    """Return the scan of an empire's own ships and worlds (R6.8.3)."""
    ships = [ship for ship in state.fleet(empire.seat) if not ship.loaded]
    own = {ship.at for ship in ships} | {world.at for world in state.worlds_of(empire.seat)}
    scanned = _scanned_by(state, ships, clouded)
    seen = dict.fromkeys(scanned - clouded, Sighting.SCANNED) | dict.fromkeys(own, Sighting.VISIBLE)
    clouds, before = scanned - seen.keys(), chart_of(empire)
    past = dict.fromkeys(clouds, 0)
    for at, was in before.items():
        if at not in seen and (was.ours or at in clouds):
            past[at] = was.turn
    return _Scan(before, seen, clouds, past)


def _scanned_by(state: State, ships: Iterable[Ship], clouded: frozenset[Sector]) -> set[Sector]:
    """Return the sectors in scan range of ships; inside a cloud only their own."""
    ranges = {(ship.at, 0 if ship.at in clouded else state.scan(ship)) for ship in ships}
    return {at for centre, radius in ranges for at in disk(centre, radius)}


def _drawn(scan: _Scan, gifts: Iterable[_Gift], turn: int) -> list[Seen]:
    """Return an empire's updated map: stale, except for what it or a donor sees now."""
    shown: defaultdict[Sector, dict[Seat, Sighting]] = defaultdict(dict)
    ours = scan.seen.keys() | scan.past.keys()
    heard = {at: was.heard for at, was in scan.before.items()}
    heard |= dict.fromkeys(ours - heard.keys(), 0)
    for gift in gifts:
        for at, how in gift.seen.items():
            shown[at][gift.donor] = how
        for at, last in gift.past.items():
            if last > heard.get(at, -1):
                heard[at] = last
    heard |= dict.fromkeys(shown, turn)
    looked = {at: was.turn for at, was in scan.before.items()} | scan.past
    looked |= dict.fromkeys(scan.seen, turn)
    seen, stale = scan.seen, Sighting.STALE
    return [
        Seen(at, seen.get(at, stale), shown.get(at, {}), at in ours, looked.get(at, 0), heard[at])
        for at in sorted(heard)
    ]


def _record(state: State, empire: Empire, scan: _Scan, turn: int) -> None:
    """Record objects in scan range; of a cloud seen from outside, only the cloud (R6.8.5)."""
    clear, scanned = scan.seen, scan.seen.keys() | scan.clouds
    _strike(empire.worlds, state.worlds, clear)
    _strike(empire.portals, state.portals, clear)
    _strike(empire.storms, state.storms, scanned)
    for world in state.worlds.values():
        if world.at in clear:
            empire.worlds[world.name] = known_world(world, turn)
    for portal in state.portals.values():
        if portal.at in clear:
            known = KnownPortal(portal.name, portal.at, portal.collapsed, turn)
            empire.portals[portal.name] = known
    for storm in state.storms.values():
        if storm.at in scanned:
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


def _make_contact(state: State, empire: Empire, seen: View) -> None:
    """Add the empires seen by the empire's own ships to its contacts, which are permanent."""
    met = {world.owner for world in state.worlds.values() if world.at in seen}
    for ship in state.ships.values():
        how = seen.get(ship.at)
        if how is None or ship.loaded:
            continue
        if how is Sighting.VISIBLE or ship.public or empire.seat in ship.identified:
            met.add(ship.owner)
    empire.contacts |= {seat for seat in met if seat is not None and seat != empire.seat}


def _gifts(
    state: State, scans: Mapping[Seat, _Scan], clouded: frozenset[Sector]
) -> Iterator[_Gift]:
    """Return the scans that empires share; they share only their own (R6.8.4)."""
    for seat, empire in state.empires.items():
        scan = scans[seat]
        ours = scan.seen.keys() | scan.past.keys()
        known = [each for each in empire.objects() if not each.heard and each.at in ours]
        for recipient, share in empire.shares.items():
            if recipient not in scans:
                continue
            if share.everything:
                yield _Gift(seat, recipient, scan.seen, scan.past, known)
                continue
            part = _shared(state, seat, share, clouded)
            yield _Gift(
                seat,
                recipient,
                {at: how for at, how in scan.seen.items() if at in part},
                {at: last for at, last in scan.past.items() if at in part},
                [each for each in known if each.at in part],
            )


def _shared(state: State, donor: Seat, share: Share, clouded: frozenset[Sector]) -> set[Sector]:
    """Return the sectors that a share names, and those that its ships and classes scan."""
    ships = (
        ship
        for ship in state.fleet(donor)
        if not ship.loaded and (ship.number in share.ships or ship.kind in share.classes)
    )
    return share.sectors | _scanned_by(state, ships, clouded)


def _inform(empire: Empire, gifts: Iterable[_Gift]) -> None:
    """Update an empire's knowledge by the newer parts of gifts.

    Of equally new parts, those of donors that see the place now come first: others lost a ship
    there earlier in the turn.
    """
    parts = [(each, each.at in gift.seen) for gift in gifts for each in gift.known]
    for each, _ in sorted(parts, key=lambda part: not part[1]):
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
    """Record the sectors that destroyed ships saw last (R6.3.4, R6.4.6, R6.8.3)."""
    sectors: defaultdict[Seat, set[Sector]] = defaultdict(set)
    for seat, at in turn.last_looks:
        sectors[seat].add(at)
    for seat in sorted(sectors):
        _glimpse(turn.state, turn.empire(seat), sectors[seat], turn.state.turn + 1)
    turn.last_looks.clear()


def _glimpse(state: State, empire: Empire, sectors: set[Sector], turn: int) -> None:
    """Record the objects in sectors, which then become stale on the empire's map."""
    chart = chart_of(empire) | {at: Seen(at, ours=True, turn=turn) for at in sectors}
    empire.chart = [chart[at] for at in sorted(chart)]
    seen = dict.fromkeys(sectors, Sighting.VISIBLE)
    _record(state, empire, _Scan({}, seen, set(), {}), turn)
    _make_contact(state, empire, seen)
