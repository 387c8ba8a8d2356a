"""The comparison of a state with the expected facts of a scenario; others are not checked."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from referee.rules.fields import Fields
from referee.rules.ruleset import UserError
from referee.rules.scenarios import seat_of
from referee.rules.views import Prose, Table
from referee.rulesets.star_empires.lookup import ship_called
from referee.rulesets.star_empires.report import view
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import Empire, Ship, State

_KEYS: Final = (
    "ships", "ships_gone", "worlds", "portals", "storms", "classes", "empires", "scan_status",
    "order_accepted", "report", "report_lacks",
)  # fmt: skip


def differences(state: State, then: Fields) -> Iterator[str]:
    """Return every difference in words. Raises UserError if a key cannot be compared."""
    then.allow(*_KEYS)
    yield from _ships(state, then.table("ships"))
    for path in then.texts("ships_gone"):
        if _ship(state, path) is not None:
            yield f"{path} still exists"
    yield from _objects(then.table("worlds"), lambda name: _world(state, name))
    yield from _objects(then.table("portals"), lambda name: _portal(state, name), _EXITS)
    yield from _objects(then.table("storms"), lambda name: _storm(state, name))
    yield from _objects(then.table("classes"), lambda name: _class(state, name))
    yield from _objects(then.table("empires"), lambda name: _empire(state, name), _LISTS)
    for name in then.table("scan_status").names():
        yield from _statuses(_empire_called(state, name), then.table("scan_status").table(name))
    for name in then.table("report").names():
        lines = _report(state, name)
        for wanted in then.table("report").texts(name):
            if wanted not in lines:
                yield f"the report of {name} lacks: {wanted}"
    for name in then.table("report_lacks").names():
        lines = _report(state, name)
        for unwanted in then.table("report_lacks").texts(name):
            if unwanted in lines:
                yield f"the report of {name} has: {unwanted}"


def _ships(state: State, expected: Fields) -> Iterator[str]:
    for path in expected.names():
        row, ship = expected.table(path), _ship(state, path)
        if ship is None:
            if not ("alive" in row.names() and not row.flag("alive")):
                yield f"{path} does not exist"
            continue
        yield from _compared(path, row, _ship_facts(state, ship))


def _ship_facts(state: State, ship: Ship) -> dict[str, Any]:
    carrier = state.ships[ship.carrier].callsign if ship.carrier is not None else ""
    return {
        "dp": ship.dp,
        "at": list(ship.at),
        "carrier": carrier,
        "class": ship.kind,
        "alive": True,
        "public": ship.public,
        "conditions": list(ship.did),
        "transponders": sorted(state.empires[seat].name for seat in ship.identified),
    }


def _ship(state: State, path: str) -> Ship | None:
    owner, _, callsign = path.partition("/")
    empire = _empire_called(state, owner)
    return ship_called(state, empire.seat, callsign)


def _objects(
    expected: Fields,
    facts: Callable[[str], dict[str, Any] | None],
    lists: frozenset[str] = frozenset(),
) -> Iterator[str]:
    for name in expected.names():
        found = facts(name)
        if found is None:
            yield f"there is no {name}"
        else:
            yield from _compared(name, expected.table(name), found, lists)


def _compared(
    name: str, row: Fields, facts: dict[str, Any], lists: frozenset[str] = frozenset()
) -> Iterator[str]:
    for key in row.names():
        if key not in facts:
            raise UserError(f'{name}: unknown key "{key}". The keys: {", ".join(sorted(facts))}')
        wanted, found = row.raw(key), facts[key]
        if key == "lacks_classes":
            if too_many := sorted(set(wanted) & set(found)):
                yield f"{name} knows the classes {too_many}"
        elif key == "knows_classes":
            if missing := sorted(set(wanted) - set(found)):
                yield f"{name} does not know the classes {missing}"
        elif (sorted(wanted) if key in lists else wanted) != found:
            yield f"{name}: {key} {found!r}, expected {wanted!r}"


def _world(state: State, name: str) -> dict[str, Any] | None:
    world = state.worlds.get(name)
    if world is None:
        return None
    return {
        "owner": "" if world.owner is None else state.empires[world.owner].name,
        "production": world.production,
        "stockpile": world.stockpile,
        "homeworld": world.homeworld,
        "prohibition": world.prohibition.value,
        "at": list(world.at),
    }


def _portal(state: State, name: str) -> dict[str, Any] | None:
    portal = state.portals.get(name)
    if portal is None:
        return None
    return {
        "collapsed": portal.collapsed,
        "exits": sorted(portal.exits),
        "at": list(portal.at),
    }


def _storm(state: State, name: str) -> dict[str, Any] | None:
    storm = state.storms.get(name)
    if storm is None:
        return None
    return {"intensity": storm.intensity, "at": list(storm.at)}


def _class(state: State, name: str) -> dict[str, Any] | None:
    kind = state.classes.get(name)
    if kind is None:
        return None
    return {
        "cost": kind.cost,
        "tonnage": kind.tonnage,
        "ar": kind.repair,
        "dp": kind.ratings.dp,
        "guns": kind.ratings.guns,
    }


_EXITS: Final = frozenset({"exits"})
_LISTS: Final = frozenset(
    {
        *("known_empires", "known_worlds", "known_portals", "known_storms", "nav_data"),
        *("share_all", "allies", "own_worlds"),
    }
)


def _empire(state: State, name: str) -> dict[str, Any]:
    empire = _empire_called(state, name)
    shared = [seat for seat, share in empire.shares.items() if share.everything]
    return {
        "knows_classes": sorted(empire.classes),
        "lacks_classes": sorted(empire.classes),
        "known_empires": _names(state, empire.contacts),
        "known_worlds": sorted(empire.worlds),
        "own_worlds": sorted(w.name for w in empire.worlds.values() if w.owner == empire.seat),
        "known_portals": sorted(empire.portals),
        "known_storms": sorted(empire.storms),
        "nav_data": sorted(empire.navigation),
        "share_all": _names(state, shared),
        "allies": _names(state, empire.allies),
        "homeworld": empire.homeworld or "",
        "dedication": empire.dedication,
        "news": [news.sentence for news in empire.news],
    }


def _names(state: State, seats: Any) -> list[str]:
    return sorted(state.empires[seat].name for seat in seats)


def _statuses(empire: Empire, expected: Fields) -> Iterator[str]:
    chart: dict[Sector, str] = {
        empire.frame.local(each.at): each.status.value for each in empire.chart
    }
    for key in expected.names():
        oblique, _, y = key.partition(",")
        found = chart.get((int(oblique), int(y)), "unknown")
        if found != expected.text(key):
            yield f"{empire.name}: ({key}) is {found}, expected {expected.text(key)}"


def _report(state: State, name: str) -> set[str]:
    """Return the facts of a report: sentences, and rows of tables after their titles."""
    lines = set()
    for block in view(state, seat_of(state, name), ""):
        if isinstance(block, Prose):
            lines |= {f"{sentence.rstrip('.')}." for sentence in block.text.split(". ")}
        elif isinstance(block, Table):
            lines |= {f"{block.title}: {' | '.join(row)}" for row in block.rows}
    return lines


def _empire_called(state: State, name: str) -> Empire:
    return state.empires[seat_of(state, name)]
