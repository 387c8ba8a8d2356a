"""The report: what an empire sees and knows, in its own coordinates (RULES 3.0, page 4.1)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isqrt

from referee.rules.ruleset import Seat
from referee.rules.views import Block, Prose, Table, Verbatim, View, hanging
from referee.rulesets.star_empires.hulls import ShipClass
from referee.rulesets.star_empires.knowledge import (
    Sighted,
    knows_class,
    sighted,
    status,
    strangers,
)
from referee.rulesets.star_empires.mapping import hex_map
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.rulings import named_ships
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.state import (
    Empire,
    KnownPortal,
    KnownStorm,
    KnownWorld,
    Prohibition,
    Ship,
    Sighting,
    State,
)


def view(state: State, seat: Seat | None, deadline: str) -> View:
    """Show the state to an empire, or to an observer (None) what all may know."""
    if seat is None:
        return _public(state)
    empire = state.empires[seat]
    blocks: list[Block | None] = [
        _summary(state, empire, deadline),
        *_news(empire),
        _worlds(state, empire),
        *_ships(state, empire),
        *_foreign(state, empire),
        _designs(state, empire),
        _portals(state, empire),
        _contacts(state, empire),
        Verbatim("\n\n".join(hex_map(state, seat)), "Map"),
    ]
    return tuple(block for block in blocks if block is not None)


def _public(state: State) -> View:
    """Show an observer how many play, and nothing of what any of them knows."""
    rows = tuple((e.name, f"{e.dedication:+d}") for e in state.empires.values())
    return (Table(("Empire", "Dedication"), rows, f"Turn {state.turn}"),)


def _summary(state: State, empire: Empire, deadline: str) -> Prose:
    home = f"Your homeworld is {empire.homeworld}." if empire.homeworld else (
        "You have no homeworld."
    )  # fmt: skip
    worlds = state.worlds_of(empire.seat)
    income = sum(world.production for world in worlds)
    known = (
        f"{empire.name}, turn {state.turn}. {home} Worlds: {len(worlds)}, which make {income} RU a "
        f"turn and have {sum(w.stockpile for w in worlds)} RU in stock. Ships: "
        f"{len(state.fleet(empire.seat))}. Your dedication rating is {empire.dedication:+d}."
    )
    due = " ".join(deadline.split())
    return Prose(f"{known} Orders are due {due}." if due else known)


def _news(empire: Empire) -> Iterator[Prose | Verbatim]:
    if not empire.news:
        yield Prose("Nothing happened that you saw.", "News")
    for stage, lines in groupby(empire.news, key=lambda news: news.stage):
        yield Verbatim("\n".join(hanging(line.text) for line in lines), f"News: {stage}")


def _worlds(state: State, empire: Empire) -> Table:
    known = sorted(empire.worlds.values(), key=lambda w: (w.owner != empire.seat, w.name))
    rows = tuple(_world(state, empire, world) for world in known)
    return Table(("World", "At", "Owner", "Makes", "RU", "Seen", "Remarks"), rows, "Worlds")


def _world(state: State, empire: Empire, world: KnownWorld) -> tuple[str, ...]:
    owner = "nobody" if world.owner is None else state.empires[world.owner].name
    remarks = ["homeworld"] if world.homeworld else []
    real = state.worlds.get(world.name)
    seen = status(empire, world.at) or Sighting.STALE
    if seen is Sighting.VISIBLE and real is not None and real.prohibition is not Prohibition.NONE:
        remarks.append(real.prohibition.value)
    return (
        world.name,
        written(empire.frame.local(world.at)),
        "you" if world.owner == empire.seat else owner,
        str(world.production),
        "?" if world.stockpile is None else str(world.stockpile),
        seen.value if seen is not Sighting.STALE else f"turn {world.turn}",
        ", ".join(remarks),
    )


def _ships(state: State, empire: Empire) -> Iterator[Table]:
    local = empire.frame.local
    fleet = sorted(state.fleet(empire.seat), key=lambda s: (local(s.at), s.callsign.casefold()))
    for at, ships in groupby(fleet, key=lambda ship: local(ship.at)):
        rows = tuple(_own(state, ship) for ship in ships)
        yield Table(_SHIP, rows, f"Your ships at {written(at)}{_objects(empire, at)}")


_SHIP = ("Ship", "Serial", "Class", "DP", "Guns", "Eng", "Scan", "Racks", "Remarks")


def _own(state: State, ship: Ship) -> tuple[str, ...]:
    kind = state.kind(ship)
    remarks = [f"on {state.ships[ship.carrier].callsign}"] if ship.carrier is not None else []
    remarks += ["public"] if ship.public else []
    seats = sorted(ship.identified)
    if seats:
        remarks.append(f"identified to {', '.join(state.empires[seat].name for seat in seats)}")
    free = f"{state.free_racks(ship)}/{kind.ratings.racks}" if kind.ratings.racks else "-"
    return (
        ship.name or "-",
        ship.serial,
        ship.kind,
        f"{ship.dp}/{kind.ratings.dp}",
        str(state.guns(ship)),
        str(state.engines(ship)),
        str(state.scan(ship)),
        free,
        ", ".join(remarks),
    )


def _objects(empire: Empire, at: tuple[int, int]) -> str:
    """Name what is known in a sector of the empire's own frame."""
    known: tuple[KnownWorld | KnownPortal | KnownStorm, ...] = (
        *empire.worlds.values(),
        *empire.portals.values(),
        *empire.storms.values(),
    )
    names = [each.name for each in known if empire.frame.local(each.at) == at]
    return f", {', '.join(names)}" if names else ""


def _foreign(state: State, empire: Empire) -> Iterator[Table]:
    local = empire.frame.local
    close = [each for each in sighted(state, empire.seat) if each.close]
    far = [each for each in sighted(state, empire.seat) if not each.close]
    if close:
        rows = _sorted(_close_row(state, empire, each) for each in close)
        columns = ("At", "Owner", "Ship", "Class", "Hull", "Tons", "DP", "Guns", "Did")
        yield Table(columns, rows, "Foreign ships seen closely")
    if far:
        distant = _sorted(_far_row(state, empire, each) for each in far)
        yield Table(
            ("At", "Owner", "Ship", "Class", "Hull", "Tons"),
            distant,
            "Foreign ships on long-range scan",
        )
    unknown = strangers(state, empire.seat)
    if unknown:
        totals = tuple(
            (written(local(at)), str(found.number), str(found.tonnage))
            for at, found in sorted(unknown.items(), key=lambda pair: local(pair[0]))
        )
        yield Table(("At", "Ships", "Tons"), totals, "Unidentified ships on long-range scan")


def _sorted(rows: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(rows))


def _far_row(state: State, empire: Empire, each: Sighted) -> tuple[str, ...]:
    ship, kind = each.ship, state.kind(each.ship)
    return (
        written(empire.frame.local(ship.at)),
        state.empires[ship.owner].name,
        ship.callsign,
        ship.kind,
        kind.hull.title,
        str(kind.tonnage),
    )


def _close_row(state: State, empire: Empire, each: Sighted) -> tuple[str, ...]:
    ship, kind = each.ship, state.kind(each.ship)
    known = knows_class(state, empire.seat, ship)
    strength = (f"{ship.dp}/{kind.ratings.dp}", str(state.guns(ship))) if known else (
        f"{_percent(ship, kind)}%", "?",
    )  # fmt: skip
    return (*_far_row(state, empire, each), *strength, " ".join(dict.fromkeys(ship.did)))


def _percent(ship: Ship, kind: ShipClass) -> int:
    """Give the operation rating of a ship in percent, the one thing seen of an unknown class."""
    return isqrt(10000 * ship.dp // kind.ratings.dp)


def _designs(state: State, empire: Empire) -> Table:
    kinds = [state.classes[name] for name in sorted(empire.classes) if name in state.classes]
    rows = tuple(
        (
            kind.name,
            kind.hull.title,
            *map(str, kind.ratings.each()),
            str(kind.tonnage),
            str(kind.repair),
            str(kind.cost) if kind.buildable else "-",
        )
        for kind in kinds
    )
    columns = ("Class", "Hull", "Guns", "DP", "Eng", "Scan", "Racks", "Tons", "AR", "Cost")
    return Table(columns, rows, "Designs")


def _portals(state: State, empire: Empire) -> Table | None:
    if not empire.portals:
        return None
    rows = tuple(
        (
            portal.name,
            written(empire.frame.local(portal.at)),
            "collapsed" if portal.collapsed else "open",
            "yes" if portal.name in empire.navigation else "no",
            ", ".join(_known_exits(state, empire, portal.name)) or "unknown",
        )
        for portal in sorted(empire.portals.values(), key=lambda portal: portal.name)
    )
    return Table(("Portal", "At", "State", "Navigation", "Known exits"), rows, "Portals")


def _known_exits(state: State, empire: Empire, name: str) -> list[str]:
    if name not in empire.navigation or name not in state.portals:
        return []
    return sorted(state.portals[name].exits & empire.navigation)


def _contacts(state: State, empire: Empire) -> Prose | Table:
    if not empire.contacts:
        return Prose("You have met nobody yet.", "Contacts")
    rows = tuple(
        (state.empires[seat].name, _shared(empire, seat), _alliance(state, empire, seat))
        for seat in sorted(empire.contacts, key=lambda seat: state.empires[seat].name)
    )
    return Table(("Empire", "Sees of your scans", "Ally"), rows, "Contacts")


def _shared(empire: Empire, seat: Seat) -> str:
    share = empire.shares.get(seat)
    if share is None:
        return "nothing"
    if share.everything:
        return "everything"
    parts = Counter(sectors=len(share.sectors), ships=len(share.ships), classes=len(share.classes))
    return ", ".join(f"{number} {what}" for what, number in parts.items() if number) or "nothing"


def _alliance(state: State, empire: Empire, seat: Seat) -> str:
    mine, theirs = seat in empire.allies, empire.seat in state.empires[seat].allies
    if mine and theirs:
        return "yes"
    return "you say so" if mine else "they say so" if theirs else "no"


def template(state: State, seat: Seat) -> Sequence[str]:
    """Give lines for an order sheet: orders to complete, each behind the mark of a comment."""
    empire = state.empires[seat]
    lines = ["# Complete an order and take the # before it away, or write your own."]
    for world in state.worlds_of(seat):
        if world.stockpile:
            lines.append(f"# BUILD {world.name} max probe   ({world.stockpile} RU)")
    for ship in sorted(state.fleet(seat), key=lambda ship: ship.callsign.casefold()):
        if not ship.loaded and state.engines(ship):
            lines.append(f"# MOVE {ship.callsign} TO {written(empire.frame.local(ship.at))}")
    return lines


def idle(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Say which ships that could move have no order, and which worlds keep RU."""
    named = named_ships(state, seat, orders)
    waiting = [
        ship.callsign
        for ship in state.fleet(seat)
        if not ship.loaded and state.engines(ship) and ship.number not in named
    ]
    lines = []
    if waiting:
        lines.append(f"{', '.join(sorted(waiting, key=str.casefold))}: they stay where they are.")
    for world in state.worlds_of(seat):
        spends = any(
            getattr(order, "world", getattr(order, "origin", "")) == world.name for order in orders
        )
        if world.stockpile and not spends:
            lines.append(f"{world.name} keeps its {world.stockpile} RU.")
    return lines
