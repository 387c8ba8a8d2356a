"""The report: everything an empire sees and knows, in its own coordinates (RULES 3.0, page 4.1)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from referee.rules.ruleset import Phase, Seat
from referee.rules.views import Block, Log, Prose, Table, Verbatim, View
from referee.rules.wording import counted, listed
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.fleets import activity, foreign, serials, ships, transponders
from referee.rulesets.star_empires.knowledge import (
    chart_of,
    chart_status,
    others_by_sector,
    sighted,
    strangers,
)
from referee.rulesets.star_empires.names import natural
from referee.rulesets.star_empires.scoring import verdict
from referee.rulesets.star_empires.sectors import Sector, distance, written
from referee.rulesets.star_empires.state import (
    Account,
    Empire,
    Known,
    KnownPortal,
    KnownWorld,
    Prohibition,
    Seen,
    Share,
    Sighting,
    State,
    World,
)
from referee.rulesets.star_empires.turn_state import Stage

_LEDGER: Final = ("World", "RU before", "Spent", "Made", "Moved", "RU now")


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Return the report of an empire, or the public view for an observer (None).

    The surrounding letter shows the deadline.
    """
    del deadline
    if seat is None:
        return _public(state)
    empire = state.empires[seat]
    blocks: list[Block | None] = [
        _summary(state, empire),
        _race(state, empire),
        _own_worlds(state, empire),
        _neighbours(state, empire),
        ships(state, empire),
        _other_worlds(state, empire),
        activity(state, empire),
        transponders(state, empire),
        *foreign(state, empire),
        _contacts(state, empire),
        _received(state, empire),
        _designs(state, empire),
        _portals(state, empire),
        _storms(empire),
        ledger(sorted(empire.ledger, key=lambda each: each.world)) if empire.ledger else None,
        Log(headings=tuple(stage.value for stage in Stage)),
        serials(state, empire),
        _sectors(empire),
        Verbatim("\n\n".join(hex_map(state, seat)), "Map"),
        Prose(LEGEND),
    ]
    return tuple(block for block in blocks if block is not None)


def _public(state: State) -> View:
    """Return the view for observers: the empires, and nothing that any of them knows."""
    rows = tuple((e.name, f"{e.dedication:+d}") for e in state.empires.values())
    return (Table(("Empire", "Dedication"), rows, f"Turn {state.turn}"),)


def _summary(state: State, empire: Empire) -> Prose:
    # The turn after the last one is never played.
    turn = "" if verdict(state) is not None else f", turn {state.turn}"
    parts = [
        f"{empire.name}{turn}.",
        f"Your homeworld is {empire.homeworld}." if empire.homeworld else "You have no homeworld.",
        f"Your dedication rating is {empire.dedication:+d}.",
        f"Your empire's code is {empire.code}.",
    ]
    if state.radius:
        reach = counted(state.radius, "sector")
        parts.append(f"The galaxy reaches {reach} from its centre.")
    if empire.homeless:
        parts.append("The turn does not wait for your orders, but you can send some.")
    return Prose(" ".join(parts))


def _race(state: State, empire: Empire) -> Table:
    """Return the share of each known empire in the production that this one knows (R1.0)."""
    made, held = Counter[Seat](), Counter[Seat]()
    for world in empire.worlds.values():
        if world.owner is not None:
            made[world.owner] += world.production
            held[world.owner] += 1
    known = sum(world.production for world in empire.worlds.values())
    met = {empire.seat, *empire.contacts, *made}
    rows = tuple(
        (
            state.empires[seat].name,
            str(made[seat]),
            str(held[seat]),
            f"{100 * made[seat] // known if known else 0}%",
        )
        for seat in sorted(met, key=lambda seat: (-made[seat], state.empires[seat].name))
    )
    title = f"Half of all production wins: of the {known} RU a turn that you know of"
    return Table(("Empire", "Makes", "Worlds", "Share"), rows, title)


def _own_worlds(state: State, empire: Empire) -> Table | None:
    rows = tuple(
        (
            world.name,
            written(empire.frame.local(world.at)),
            str(world.production),
            str(world.stockpile),
            _remarks(world, world.prohibition),
        )
        for world in sorted(state.worlds_of(empire.seat), key=lambda world: world.name)
    )
    return Table(("World", "At", "Makes", "RU", "Remarks"), rows, "Your worlds") if rows else None


def _other_worlds(state: State, empire: Empire) -> Table | None:
    chart = chart_of(empire)
    others = (world for world in empire.worlds.values() if world.owner != empire.seat)
    rows = tuple(
        _other_world(state, empire, world, chart_status(chart, world.at))
        for world in sorted(others, key=lambda world: world.name)
    )
    columns = ("World", "At", "Owner", "Makes", "RU", "Seen", "Remarks")
    return Table(columns, rows, "Other worlds") if rows else None


def _neighbours(state: State, empire: Empire) -> Table | None:
    """Return the table of what others have at the empire's own worlds or next to them, or None."""
    seen: defaultdict[Sector, list[str]] = defaultdict(list)
    for at, what in others_by_sector(state, empire.seat):
        if any(distance(at, world.at) <= 1 for world in state.worlds_of(empire.seat)):
            seen[empire.frame.local(at)].append(what)
    rows = tuple((written(at), listed(seen[at])) for at in sorted(seen))
    return Table(("At", "There"), rows, "Others at your worlds and next to them") if rows else None


def _other_world(
    state: State, empire: Empire, world: KnownWorld, seen: Sighting
) -> tuple[str, ...]:
    real = state.worlds.get(world.name) if seen is Sighting.VISIBLE else None
    return (
        world.name,
        written(empire.frame.local(world.at)),
        "nobody" if world.owner is None else state.empires[world.owner].name,
        str(world.production),
        "?" if world.stockpile is None else str(world.stockpile),
        _when(seen, world),
        _remarks(world, real.prohibition if real is not None else Prohibition.NONE),
    )


def _remarks(world: World | KnownWorld, prohibition: Prohibition) -> str:
    held = prohibition.value if prohibition is not Prohibition.NONE else ""
    return ", ".join(filter(None, ("homeworld" if world.homeworld else "", held)))


def _when(seen: Sighting, known: Known) -> str:
    """Return how well an object is seen, or the turn in which it was last seen."""
    return f"turn {known.turn}" if seen is Sighting.STALE else seen.value


def ledger(accounts: Sequence[Account], columns: tuple[str, ...] = _LEDGER) -> Table:
    """Return the RU accounts of worlds as a table."""
    rows = tuple(
        (
            account.world,
            str(account.before),
            str(-account.spent),
            f"{account.made:+d}",
            f"{account.moved:+d}",
            str(account.after),
        )
        for account in accounts
    )
    return Table(columns, rows, "Ledger")


def _designs(state: State, empire: Empire) -> Table:
    kinds = {
        class_name(empire, key): state.classes[key] for key in empire.classes & state.classes.keys()
    }
    rows = tuple(
        (
            name,
            kind.hull.title,
            *map(str, kind.ratings.each()),
            str(kind.tonnage),
            str(kind.repair),
            str(kind.cost) if kind.buildable else "-",
        )
        for name, kind in sorted(kinds.items())
    )
    columns = ("Class", "Hull", "Guns", "DP", "Eng", "Scan", "Racks", "Tons", "AR", "Cost")
    return Table(columns, rows, "Designs")


def _portals(state: State, empire: Empire) -> Table | None:
    if not empire.portals:
        return None
    chart = chart_of(empire)
    rows = tuple(
        (
            portal.name,
            written(empire.frame.local(portal.at)),
            _state_of(portal, chart_status(chart, portal.at)),
            _last_scanned(chart.get(portal.at)),
            "yes" if portal.name in empire.navigation else "no",
            ", ".join(_known_exits(state, empire, portal.name)) or "unknown",
            ", ".join(_known_entrances(state, empire, portal.name)) or "unknown",
        )
        for portal in sorted(empire.portals.values(), key=lambda portal: portal.name)
    )
    columns = ("Portal", "At", "State", "Seen", "Navigation", "Exits", "Entrances")
    return Table(columns, rows, "Portals")


def _state_of(portal: KnownPortal, seen: Sighting) -> str:
    """Return whether a portal is open; unknown if it is not seen now."""
    if seen is Sighting.STALE:
        return "?"
    return "collapsed" if portal.collapsed else "open"


def _last_scanned(seen: Seen | None) -> str:
    """Return how well a sector is seen, or the turn in which it was last scanned."""
    if seen is None or not seen.last_seen:
        return "never"
    return f"turn {seen.last_seen}" if seen.status is Sighting.STALE else seen.status.value


def _storms(empire: Empire) -> Table | None:
    """Return the table of known storms and nebulae, with their last known strength, or None."""
    if not empire.storms:
        return None
    rows = tuple(
        (
            storm.name,
            written(empire.frame.local(storm.at)),
            str(storm.intensity) if storm.intensity else "nebula",
            f"turn {storm.turn}",
        )
        for storm in sorted(empire.storms.values(), key=lambda storm: storm.name)
    )
    return Table(("Name", "At", "Strength", "Seen"), rows, "Storms and nebulae")


def _known_exits(state: State, empire: Empire, name: str) -> list[str]:
    if name not in empire.navigation or name not in state.portals:
        return []
    return sorted(state.portals[name].exits & empire.navigation)


def _known_entrances(state: State, empire: Empire, name: str) -> list[str]:
    if name not in empire.navigation:
        return []
    known = empire.navigation & state.portals.keys()
    return sorted(entry for entry in known if name in state.portals[entry].exits)


def _contacts(state: State, empire: Empire) -> Prose | Table:
    if not empire.contacts:
        return Prose("You have not met another empire yet.", "Contacts")
    rows = tuple(
        (state.empires[seat].name, _shared(state, empire, seat), _alliance(state, empire, seat))
        for seat in sorted(empire.contacts, key=lambda seat: state.empires[seat].name)
    )
    return Table(("Empire", "Sees of your scans", "Ally"), rows, "Contacts")


def _shared(state: State, empire: Empire, seat: Seat) -> str:
    share = empire.shares.get(seat)
    if share is None:
        return "nothing"
    if share.everything:
        return "everything"
    sectors = (written(at) for at in sorted(map(empire.frame.local, share.sectors)))
    watching = [state.ships[number] for number in share.ships & state.ships.keys()]
    watching.sort(key=lambda ship: natural(ship.callsign))
    named = (ship.callsign for ship in watching)
    kinds = sorted(f"@{class_name(empire, key)}" for key in share.classes)
    return ", ".join((*sectors, *named, *kinds)) or "nothing"


def _received(state: State, empire: Empire) -> Table | None:
    """Return the table of the scans that other empires share with this one, or None (R6.8.2)."""
    rows = tuple(
        (other.name, part)
        for other in sorted(state.empires.values(), key=lambda other: other.name)
        if (part := _granted(empire, other.shares.get(empire.seat)))
    )
    return Table(("Empire", "You see"), rows, "Scans shared with you") if rows else None


def _granted(empire: Empire, share: Share | None) -> str:
    """Return the extent of a share, without the names of ships, because these can be hidden."""
    if share is None:
        return ""
    if share.everything:
        return "everything"
    parts = [written(at) for at in sorted(map(empire.frame.local, share.sectors))]
    parts += ["what some ships see"] if share.ships else []
    parts += ["what some classes see"] if share.classes else []
    return ", ".join(parts)


def _sectors(empire: Empire) -> Table | None:
    """Return the table of empty sectors by the turn in which they were last seen, or None."""
    occupied = {each.at for each in empire.objects()}
    turns: defaultdict[int, list[Sector]] = defaultdict(list)
    for seen in empire.chart:
        if seen.status is Sighting.STALE and seen.last_seen and seen.at not in occupied:
            turns[seen.last_seen].append(empire.frame.local(seen.at))
    rows = tuple((str(turn), " ".join(map(written, sorted(turns[turn])))) for turn in sorted(turns))
    return Table(("Turn", "Sectors"), rows, "Empty sectors seen earlier") if rows else None


def _alliance(state: State, empire: Empire, seat: Seat) -> str:
    mine, theirs = seat in empire.allies, empire.seat in state.empires[seat].allies
    if mine and theirs:
        return "yes"
    return "only you" if mine else "only they" if theirs else "no"


CELL: Final = 4
"""The text columns of one oblique column of the map."""
COLUMNS: Final = 16
"""The oblique columns on one sheet of the map, after labels of at most 13 characters."""

LEGEND: Final = (
    "H homeworld, W your world, w foreign world, o free world, P portal, S storm, N nebula (oS is "
    "a free world in a storm); * your ships, ! foreign ships, ? unidentified ships; . seen now, "
    ": seen earlier. The label of a row is its first sector. One step to the right is (+2,+1). "
    "The neighbour half a step right is (+1,+1) up and (+1,+0) down."
)
"""The key to the signs of the map."""


def hex_map(state: State, seat: Seat) -> Iterator[str]:
    """Return the sheets of the map from west to east, of at most 78 columns (RULES 3.0)."""
    cells = _cells(state, seat)
    if cells:
        west = min(at[0] for at in cells)
        # Skip empty sheets and rows, because a map can reach very far.
        for first in sorted({at[0] - (at[0] - west) % COLUMNS for at in cells}):
            sheet = {at: s for at, s in cells.items() if first <= at[0] < first + COLUMNS}
            yield "\n".join(_rows(sheet, first))


def _rows(cells: dict[Sector, str], first: int) -> Iterator[str]:
    """Return the rows from north to south; a sector's row is its oblique minus twice its y."""
    ranks = {at[0] - 2 * at[1] for at in cells}
    label = max(len(written(at)) for at in cells) + 1
    for rank in sorted(ranks):
        here = sorted(at for at in cells if at[0] - 2 * at[1] == rank)
        line = f"{written(here[0]):>{label - 1}} "
        for at in here:
            line = line.ljust(label + (at[0] - first) * CELL) + cells[at]
        yield line.rstrip()


def _cells(state: State, seat: Seat) -> dict[Sector, str]:
    """Return the signs of each known sector: its objects, own ships, foreign ships."""
    empire = state.empires[seat]
    objects: defaultdict[Sector, str] = defaultdict(str)
    for at, sign in _objects(empire):
        objects[at] += sign
    own = {ship.at for ship in state.fleet(seat)}
    foreign = {each.ship.at for each in sighted(state, seat)}
    unknown = set(strangers(state, seat))
    cells = {}
    for at, seen in chart_of(empire).items():
        ground = ":" if seen.status is Sighting.STALE else "."
        others = "!" if at in foreign else "?" if at in unknown else ""
        mine = "*" if at in own else ""
        cells[empire.frame.local(at)] = objects.get(at, ground) + mine + others
    return cells


def _objects(empire: Empire) -> Iterator[tuple[Sector, str]]:
    """Return the sectors of known objects with their signs; the storms come last."""
    for world in empire.worlds.values():
        if world.name == empire.homeworld:
            yield world.at, "H"
        elif world.owner is None:
            yield world.at, "o"
        else:
            yield world.at, "W" if world.owner == empire.seat else "w"
    for portal in empire.portals.values():
        yield portal.at, "P"
    for storm in empire.storms.values():
        yield storm.at, "S" if storm.intensity else "N"


def phase(state: State) -> Phase:
    """Return the turn's phase; it awaits no homeless empire, and nobody after a victory (R7)."""
    awaiting = {seat for seat, empire in state.empires.items() if not empire.homeless}
    if verdict(state) is not None:
        awaiting = set()
    return Phase("orders", "", frozenset(awaiting))


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Return the empires with which this one is in contact."""
    return frozenset(state.empires[seat].contacts)


def gm_notes(state: State) -> Sequence[str]:
    """Return the notes for the GM: every homeworld, dedication, and the classes of equal names."""
    lines = []
    for empire in state.empires.values():
        homes = [world for world in state.worlds.values() if world.name == empire.homeworld]
        where = f"{homes[0].name} at {written(homes[0].at)}" if homes else "nowhere"
        lines.append(f"{empire.name}: homeworld {where}, dedication {empire.dedication:+d}.")
    return [*lines, *_namesakes(state)]


def _namesakes(state: State) -> Iterator[str]:
    """Return a note on each class with the name of another class."""
    for key in sorted(state.classes):
        name, _, code = key.partition("/")
        for empire in state.empires.values():
            if code and code.startswith(empire.code):
                yield f"{empire.name} designed a second class {name}. In CORRECT, write {key}."
