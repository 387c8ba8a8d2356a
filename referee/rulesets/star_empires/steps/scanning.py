"""Scanning: who shares what, what ships see, and what is thereby learned (RULES 6.8)."""

from collections.abc import Iterable

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.lookup import class_called, sector_of, ships_called
from referee.rulesets.star_empires.orders import Authorize, Deny, Named, Place
from referee.rulesets.star_empires.sectors import Sector, disk
from referee.rulesets.star_empires.state import (
    Empire,
    KnownPortal,
    KnownStorm,
    KnownWorld,
    Seen,
    Share,
    Ship,
    Sighting,
    State,
    World,
)
from referee.rulesets.star_empires.working import Given, Turn

Map = dict[Sector, Seen]


def deny(turn: Turn) -> None:
    """Take back what others were allowed to see of one's scans (R6.8.1)."""
    for given in turn.given(Deny):
        part = _part(turn, given)
        for empire in turn.met(given, given.order.empires):
            shares = turn.empire(given.seat).shares
            given.done = True
            if part.everything:
                shares.pop(empire.seat, None)
            elif empire.seat in shares:
                share = shares[empire.seat]
                share.sectors -= part.sectors
                share.ships -= part.ships
                share.classes -= part.classes
                if share.everything:
                    given.remark(f"{empire.name} still sees everything; DENY ALL ends that")


def authorize(turn: Turn) -> None:
    """Let others see scans from now on, until they are denied (R6.8.2)."""
    for given in turn.given(Authorize):
        part = _part(turn, given)
        for empire in turn.met(given, given.order.empires):
            share = turn.empire(given.seat).shares.setdefault(empire.seat, Share())
            if part.everything:
                turn.empire(given.seat).shares[empire.seat] = Share(everything=True)
            share.sectors |= part.sectors
            share.ships |= part.ships
            share.classes |= part.classes
            given.done = True


def _part(turn: Turn, given: Given[Deny] | Given[Authorize]) -> Share:
    """Give what an order is about; what it names and there is not is remarked on."""
    scope, empire = given.order.scope, turn.empire(given.seat)
    part = Share(everything=scope.everything)
    for place in scope.places:
        _add_place(turn.state, empire, place, part, given)
    found = ships_called(turn.state, given.seat, scope.ships)
    given.remarks += found.remarks
    part.ships = {ship.number for ship in found.ships}
    return part


def _add_place(
    state: State, empire: Empire, place: Place, part: Share, given: Given[Deny] | Given[Authorize]
) -> None:
    sector = sector_of(empire, place)
    if sector is not None:
        part.sectors.add(sector)
        return
    assert isinstance(place, Named)
    kind = class_called(state, empire, place.name)
    if kind is not None:
        part.classes.add(kind.name)
    else:
        given.remark(f"you know no place and no class called {place.name}")


def scan(turn: Turn) -> None:
    """Let all empires look around, share and record what they see (R6.8.3 to R6.8.5)."""
    look_around(turn.state)


def look_around(state: State) -> None:
    """Bring what every empire knows to what its ships see now."""
    clouded = {storm.at for storm in state.storms.values()}
    maps = {seat: _collected(state, seat, clouded) for seat in state.empires}
    for seat, empire in state.empires.items():
        for recipient, share in empire.shares.items():
            if recipient in maps:
                _share(state, seat, share, maps[seat], maps[recipient], clouded)
    for seat, empire in state.empires.items():
        empire.chart = [maps[seat][at] for at in sorted(maps[seat])]
        _record(state, empire)
        _make_contact(state, empire)


def _collected(state: State, seat: Seat, clouded: set[Sector]) -> Map:
    """Give an empire's map with what its own ships and worlds see now (R6.8.3)."""
    chart = {each.at: each for each in state.empires[seat].chart}
    for each in chart.values():
        each.own = each.shared = Sighting.STALE
    for ship in state.fleet(seat):
        if not ship.loaded:
            for at in scanned_by(state, ship, clouded):
                _see(chart, at, state.turn, clouded)
    for ship in state.fleet(seat):
        if not ship.loaded:
            _visit(chart, ship.at, state.turn)
    for world in state.worlds_of(seat):
        _visit(chart, world.at, state.turn)
    return chart


def scanned_by(state: State, ship: Ship, clouded: set[Sector]) -> Iterable[Sector]:
    """Give the sectors in reach of a ship's scanners; in a cloud it sees its own alone."""
    return disk(ship.at, 0 if ship.at in clouded else state.scan(ship))


def _see(chart: Map, at: Sector, turn: int, clouded: set[Sector]) -> None:
    seen = chart.setdefault(at, Seen(at))
    seen.turn, seen.ours = turn, True
    if at not in clouded:
        seen.own, seen.scanned = Sighting.SCANNED, True


def _visit(chart: Map, at: Sector, turn: int) -> None:
    seen = chart.setdefault(at, Seen(at))
    seen.own, seen.turn = Sighting.VISIBLE, turn
    seen.scanned = seen.ours = True


def _share(
    state: State, donor: Seat, share: Share, chart: Map, recipient: Map, clouded: set[Sector]
) -> None:
    """Merge what a donor itself has collected into a recipient's map, the better wins (R6.8.4)."""
    for at in _shared_sectors(state, donor, share, chart, clouded):
        given = chart[at]
        if at not in recipient:
            recipient[at] = Seen(at, turn=given.turn, scanned=given.scanned)
        seen = recipient[at]
        seen.scanned |= given.scanned
        seen.turn = max(seen.turn, given.turn)
        seen.shared = max(seen.shared, given.own, key=list(Sighting).index)


def _shared_sectors(
    state: State, donor: Seat, share: Share, chart: Map, clouded: set[Sector]
) -> set[Sector]:
    collected = {at for at, seen in chart.items() if seen.ours}
    if share.everything:
        return collected
    sectors = set(share.sectors)
    for ship in state.fleet(donor):
        if not ship.loaded and (ship.number in share.ships or ship.kind in share.classes):
            sectors |= set(scanned_by(state, ship, clouded))
    return sectors & collected


def _record(state: State, empire: Empire) -> None:
    """Note the worlds, portals and storms in the sectors that were seen this turn (R6.8.5)."""
    seen = {each.at: each for each in empire.chart}
    turn = state.turn
    for world in state.worlds.values():
        known = seen.get(world.at)
        if known is not None and _is_news(known, known=world.name in empire.worlds):
            empire.worlds[world.name] = known_world(world, turn)
    for portal in state.portals.values():
        known = seen.get(portal.at)
        if known is not None and _is_news(known, known=portal.name in empire.portals):
            empire.portals[portal.name] = KnownPortal(
                portal.name, portal.at, portal.collapsed, turn
            )
    for storm in state.storms.values():
        known = seen.get(storm.at)
        if known is not None and (known.turn == turn or storm.name not in empire.storms):
            empire.storms[storm.name] = KnownStorm(storm.name, storm.at, storm.intensity, turn)


def look_last(turn: Turn) -> None:
    """Note what destroyed ships saw in their sectors up to now (R6.3.4, R6.4.6, R6.8.3)."""
    for seat, at in sorted(turn.last_looks):
        _glimpse(turn.state, turn.empire(seat), at, turn.state.turn + 1)
    turn.last_looks.clear()


def _glimpse(state: State, empire: Empire, at: Sector, turn: int) -> None:
    """Let an empire learn what is in a sector, which is stale on its map from now on."""
    chart = {each.at: each for each in empire.chart}
    _visit(chart, at, turn)
    chart[at].own = Sighting.STALE
    empire.chart = [chart[each] for each in sorted(chart)]
    for world in state.worlds.values():
        if world.at == at:
            empire.worlds[world.name] = known_world(world, turn)
    for portal in state.portals.values():
        if portal.at == at:
            empire.portals[portal.name] = KnownPortal(portal.name, at, portal.collapsed, turn)
    for storm in state.storms_at(at):
        empire.storms[storm.name] = KnownStorm(storm.name, at, storm.intensity, turn)
    owners = {world.owner for world in state.worlds.values() if world.at == at}
    met = {ship.owner for ship in state.ships_at(at) if not ship.loaded} | owners
    empire.contacts |= {seat for seat in met if seat is not None and seat != empire.seat}


def known_world(world: World, turn: int) -> KnownWorld:
    """Give a world as an empire knows it that sees it now."""
    return KnownWorld(
        name=world.name,
        at=world.at,
        production=world.production,
        owner=world.owner,
        stockpile=world.stockpile,
        homeworld=world.homeworld,
        turn=turn,
    )


def _is_news(seen: Seen, *, known: bool) -> bool:
    """Say whether a sector tells about what is in it: it is seen now, or somebody shared it."""
    return seen.status is not Sighting.STALE or (seen.scanned and not known)


def _make_contact(state: State, empire: Empire) -> None:
    """Note whom the empire's own ships see for the first time (contact is for ever)."""
    status = {each.at: each.own for each in empire.chart if each.own is not Sighting.STALE}
    met = {world.owner for world in state.worlds.values() if world.at in status}
    for ship in state.ships.values():
        if ship.loaded or ship.at not in status:
            continue
        if status[ship.at] is Sighting.VISIBLE or ship.public or empire.seat in ship.identified:
            met.add(ship.owner)
    empire.contacts |= {seat for seat in met if seat is not None and seat != empire.seat}
