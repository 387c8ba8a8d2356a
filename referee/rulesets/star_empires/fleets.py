"""The ships in a report: the empire's own, their transponders, and foreign ships."""

from collections.abc import Iterable, Iterator
from math import isqrt

from referee.rules.views import Prose, Table
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.hulls import ShipClass
from referee.rulesets.star_empires.knowledge import Sighted, knows_class, sighted, strangers
from referee.rulesets.star_empires.names import Natural, natural
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.state import Empire, Ship, State


def ships(state: State, empire: Empire) -> Table | None:
    """Return the table of an empire's own ships, sector by sector, or None.

    Ships of one sector that differ only in their names share a row.
    """
    local = empire.frame.local
    fleet = sorted(state.fleet(empire.seat), key=lambda s: (local(s.at), natural(s.callsign)))
    equal: dict[tuple[str, ...], list[Ship]] = {}
    for ship in fleet:
        equal.setdefault(_own(state, empire, ship), []).append(ship)
    rows = tuple((at, callsigns(alike), *rest) for (at, *rest), alike in equal.items())
    columns = ("At", "Ships", "Class", "DP", "Guns", "Eng", "Scan", "Racks")
    return Table(columns, rows, "Your ships") if rows else None


def serials(state: State, empire: Empire) -> Prose | None:
    """Return the serial numbers of an empire's ships that have names, or None."""
    named = (ship for ship in state.fleet(empire.seat) if ship.name)
    numbers = [
        f"{each.name} {each.serial}" for each in sorted(named, key=lambda s: natural(s.name))
    ]
    return Prose(f"{', '.join(numbers)}.", "Serial numbers of your ships") if numbers else None


def _own(state: State, empire: Empire, ship: Ship) -> tuple[str, ...]:
    kind = state.kind(ship)
    racks = f"{state.free_racks(ship)}/{kind.ratings.racks}" if kind.ratings.racks else "-"
    if ship.carrier is not None:
        racks = f"on {state.ships[ship.carrier].callsign}"
    return (
        written(empire.frame.local(ship.at)),
        class_name(empire, ship.kind),
        f"{ship.dp}/{kind.ratings.dp}",
        str(state.guns(ship)),
        str(state.engines_to_move(ship)),
        str(state.scan(ship)),
        racks,
    )


def activity(state: State, empire: Empire) -> Table | None:
    """Return the table of what the empire's own ships did in the last turn, or None."""
    doers: dict[str, list[Ship]] = {}
    for ship in sorted(state.fleet(empire.seat), key=lambda ship: natural(ship.callsign)):
        for deed in dict.fromkeys(ship.did):
            doers.setdefault(deed, []).append(ship)
    rows = tuple((deed, callsigns(doers[deed])) for deed in sorted(doers))
    return Table(("Did", "Ships"), rows, "What your ships did") if rows else None


def transponders(state: State, empire: Empire) -> Table | None:
    """Return the table of ships by the empires that can read their transponders, or None."""
    fleet = sorted(state.fleet(empire.seat), key=lambda ship: natural(ship.callsign))
    rows = [("all", callsigns(ship for ship in fleet if ship.public))]
    for seat in sorted(empire.contacts, key=lambda seat: state.empires[seat].name):
        identified = (ship for ship in fleet if seat in ship.identified and not ship.public)
        rows.append((state.empires[seat].name, callsigns(identified)))
    rows = [row for row in rows if row[1]]
    return Table(("Seen by", "Ships"), tuple(rows), "Your transponders") if rows else None


def callsigns(ships: Iterable[Ship], gap: str = ", ") -> str:
    """Return the names of ships as in orders, separated by *gap*."""
    return gap.join(ship.callsign for ship in ships)


def foreign(state: State, empire: Empire) -> Iterator[Table]:
    """Return the tables of foreign ships: seen closely, from afar, or only as tonnage."""
    local = empire.frame.local
    every = sorted(sighted(state, empire.seat), key=lambda each: _rank(state, empire, each.ship))
    columns = ("At", "Owner", "Ship", "Serial", "Class")
    if close := tuple(_close_row(state, empire, each) for each in every if each.close):
        yield Table((*columns, "DP", "Guns", "Did"), close, "Foreign ships seen closely")
    known = (
        each.ship for each in every if each.close and knows_class(state, empire.seat, each.ship)
    )
    if rated := tuple(_rated_row(state, empire, ship) for ship in known):
        systems = ("At", "Owner", "Ship", "OR", "Guns", "Eng", "Scan", "Racks")
        yield Table(systems, rated, "Ratings of foreign ships seen closely")
    if far := tuple(_far_row(state, empire, each) for each in every if not each.close):
        yield Table(columns, far, "Foreign ships on long-range scan")
    kinds = {class_name(empire, each.ship.kind): state.kind(each.ship) for each in every}
    rows = tuple(
        (name, kind.hull.title, str(kind.tonnage))
        for name, kind in sorted(kinds.items())
        if kind.name not in empire.classes
    )
    if rows:
        yield Table(("Class", "Hull", "Tons"), rows, "Foreign classes you have no design of")
    totals = tuple(
        (written(local(at)), str(found.number), str(found.tonnage))
        for at, found in sorted(
            strangers(state, empire.seat).items(), key=lambda pair: local(pair[0])
        )
    )
    if totals:
        yield Table(("At", "Ships", "Tons"), totals, "Unidentified ships on long-range scan")


def _rank(state: State, empire: Empire, ship: Ship) -> tuple[Sector, str, Natural]:
    """Return the sort key: sector, owner and name."""
    return empire.frame.local(ship.at), state.empires[ship.owner].name, natural(ship.callsign)


def _far_row(state: State, empire: Empire, each: Sighted) -> tuple[str, ...]:
    ship = each.ship
    return (
        written(empire.frame.local(ship.at)),
        state.empires[ship.owner].name,
        ship.name or "-",
        ship.serial,
        class_name(empire, ship.kind),
    )


def _close_row(state: State, empire: Empire, each: Sighted) -> tuple[str, ...]:
    ship, kind = each.ship, state.kind(each.ship)
    known = knows_class(state, empire.seat, ship)
    strength = (f"{ship.dp}/{kind.ratings.dp}", str(state.guns(ship))) if known else (
        f"{percent(ship, kind)}%", "?",
    )  # fmt: skip
    return (*_far_row(state, empire, each), *strength, " ".join(dict.fromkeys(ship.did)))


def _rated_row(state: State, empire: Empire, ship: Ship) -> tuple[str, ...]:
    kind = state.kind(ship)
    return (
        written(empire.frame.local(ship.at)),
        state.empires[ship.owner].name,
        ship.callsign,
        f"{percent(ship, kind)}%",
        str(state.guns(ship)),
        str(state.engines(ship)),
        str(state.scan(ship)),
        str(kind.ratings.racks),
    )


def percent(ship: Ship, kind: ShipClass) -> int:
    """Return a ship's operation rating in percent; of an unknown class nothing else is seen."""
    return isqrt(10000 * ship.dp // kind.ratings.dp)
