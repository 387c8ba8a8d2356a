"""Star Empires' test cases: the state before, the orders, and the expected state after."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.fields import Fields
from referee.rules.ruleset import CheckTable, Resolution, RulingKind, Seat, UserError
from referee.rules.scenarios import Case, Game, ScenarioRunner, Sheets, facts, seat_of
from referee.rulesets.star_empires.administration import correct
from referee.rulesets.star_empires.hulls import Hull, Ratings, ShipClass, start_classes
from referee.rulesets.star_empires.hulls import Table as HullTable
from referee.rulesets.star_empires.lookup import ship_called
from referee.rulesets.star_empires.orders import Design, Order
from referee.rulesets.star_empires.report import view
from referee.rulesets.star_empires.sectors import Frame, Sector, distance
from referee.rulesets.star_empires.setup import turns_until_abandoned
from referee.rulesets.star_empires.ships import commission
from referee.rulesets.star_empires.state import (
    Empire,
    KnownPortal,
    KnownStorm,
    KnownWorld,
    Portal,
    Prohibition,
    Share,
    Ship,
    State,
    Storm,
    World,
)
from referee.rulesets.star_empires.steps.research import drafted
from referee.rulesets.star_empires.steps.scanning import look_around

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
    yield from _objects(then.table("classes"), lambda name: _class_of(state, name))
    yield from _objects(then.table("empires"), lambda name: _empire(state, name), _LISTS)
    for name in then.table("scan_status").names():
        yield from _statuses(_empire_called(state, name), then.table("scan_status").table(name))
    for name in then.table("report").names():
        lines = facts(view(state, seat_of(state, name), ""))
        for wanted in then.table("report").texts(name):
            if wanted not in lines:
                yield f"the report of {name} lacks: {wanted}"
    for name in then.table("report_lacks").names():
        lines = facts(view(state, seat_of(state, name), ""))
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


def _class_of(state: State, name: str) -> dict[str, Any] | None:
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


def _empire_called(state: State, name: str) -> Empire:
    return state.empires[seat_of(state, name)]


def placed(given: Fields, options: Fields) -> State:
    """Return the state that a case begins with. Raises UserError if the tables are invalid."""
    given.allow("turn", "empires", "worlds", "portals", "storms", "classes", "ships")
    options.allow("hulls", "devices", "alliance_size", "abandoned")
    table = HullTable(options.text("hulls", HullTable.RULES.value))
    devices = options.flag("devices", default=False)
    state = State(
        turn=given.number("turn", 1),
        table=table,
        worlds={},
        portals={},
        storms={},
        ships={},
        classes=start_classes(table, devices=devices),
        empires={},
        devices=devices,
        alliance_size=options.number("alliance_size", 1),
        abandoned=turns_until_abandoned(options.text("abandoned", "3")),
    )
    for row in given.tables("classes"):
        kind = _class(row)
        state.classes[kind.name] = kind
    empires = given.table("empires")
    for number, name in enumerate(empires.names(), 1):
        seat = Seat(number)
        state.empires[seat] = Empire(seat, name, f"{name[:1].upper()}{number}")
    _place_objects(state, given)
    for row in given.tables("ships"):
        _place_ship(state, row)
    for row in given.tables("ships"):
        _load_ship(state, row)
    for empire in state.empires.values():
        _inform(state, empire, empires.table(empire.name))
    look_around(state)
    for empire in state.empires.values():
        _limit(state, empire, empires.table(empire.name))
    return state


def _class(row: Fields) -> ShipClass:
    row.allow(
        "name", "hull", "guns", "dp", "engines", "scan", "racks", "tonnage", "cost", "ar",
        "buildable",
    )  # fmt: skip
    ratings = Ratings(*(row.number(key, 0) for key in ("guns", "dp", "engines", "scan", "racks")))
    return ShipClass(
        row.text("name"),
        Hull(row.text("hull")),
        ratings,
        row.number("tonnage", 1),
        row.number("cost", 1),
        row.number("ar", 1),
        row.flag("buildable", default=True),
    )


def _place_objects(state: State, given: Fields) -> None:
    for row in given.tables("worlds"):
        _place_world(state, row)
    for row in given.tables("portals"):
        row.allow("name", "at", "exits", "collapsed")
        exits, name = set(row.texts("exits")), row.text("name")
        collapsed = row.flag("collapsed", default=False)
        state.portals[name] = Portal(name, row.pair("at"), exits, collapsed)
    for row in given.tables("storms"):
        row.allow("name", "at", "intensity", "fluctuations", "random")
        name, intensity = row.text("name"), row.number("intensity", 0)
        state.storms[name] = Storm(
            name,
            row.pair("at"),
            intensity,
            tuple(row.numbers("fluctuations")),
            random=row.flag("random", default=False),
            initial=intensity,
        )


def _place_world(state: State, row: Fields) -> None:
    row.allow("name", "at", "owner", "production", "stockpile", "homeworld", "prohibition")
    owner = _seat(state, row.text("owner", ""))
    world = World(
        row.text("name"),
        row.pair("at"),
        row.number("production", 0),
        row.number("stockpile", 0),
        owner,
        homeworld=row.flag("homeworld", default=False),
        prohibition=Prohibition(row.text("prohibition", Prohibition.NONE.value)),
    )
    state.worlds[world.name] = world
    if world.homeworld and owner is not None:
        state.empires[owner].homeworld = world.name
        state.empires[owner].home = world.at


def _place_ship(state: State, row: Fields) -> None:
    row.allow("owner", "name", "class", "at", "dp", "carrier", "public", "transponders")
    owner = _seat(state, row.text("owner"))
    kind = row.text("class")
    if owner is None or kind not in state.classes:
        raise UserError(f"ships: {row.text('name')}: the owner or the class {kind} is unknown")
    dice = Dice(b"scenario").at(len(state.ships))
    ship = commission(state, owner, kind, row.pair("at"), dice, row.text("name", ""))
    ship.dp = row.number("dp", ship.dp)
    ship.public = row.flag("public", default=False)
    seats = (_seat(state, name) for name in row.texts("transponders"))
    ship.identified = {seat for seat in seats if seat is not None}


def _load_ship(state: State, row: Fields) -> None:
    carrier = row.text("carrier", "")
    owner = _seat(state, row.text("owner"))
    if carrier and owner is not None:
        ship, onto = (ship_called(state, owner, name) for name in (row.text("name"), carrier))
        if ship is None or onto is None:
            raise UserError(f"ships: there is no ship called {carrier}")
        ship.carrier = onto.number


_KNOWN: Final = (
    "known_worlds", "known_portals", "known_storms", "known_classes", "known_empires",
    "nav_data", "share_all", "frame", "allies", "attackers",
)  # fmt: skip


def _inform(state: State, empire: Empire, row: Fields) -> None:
    """Add the knowledge the case names, by default everything except navigation data."""
    row.allow(*_KNOWN)
    if "frame" in row.names():
        empire.frame = _frame(row)
    empire.navigation = set(row.texts("nav_data"))
    for seat in _seats(state, row.texts("share_all")):
        empire.shares[seat] = Share(everything=True)
    empire.allies = set(_seats(state, row.texts("allies")))
    empire.attackers = set(_seats(state, row.texts("attackers")))
    for world in _chosen(row, "known_worlds", state.worlds):
        empire.worlds[world.name] = KnownWorld(
            name=world.name,
            at=world.at,
            production=world.production,
            owner=world.owner,
            stockpile=None,
            homeworld=world.homeworld,
            turn=state.turn,
        )
    for portal in _chosen(row, "known_portals", state.portals):
        empire.portals[portal.name] = KnownPortal(
            portal.name, portal.at, portal.collapsed, state.turn
        )
    for storm in _chosen(row, "known_storms", state.storms):
        empire.storms[storm.name] = KnownStorm(storm.name, storm.at, storm.intensity, state.turn)


def _limit(state: State, empire: Empire, row: Fields) -> None:
    """Remove the knowledge from the first scan that the case does not name."""
    empire.classes = {kind.name for kind in _chosen(row, "known_classes", state.classes)}
    others = {other.name: other for other in state.empires.values() if other is not empire}
    empire.contacts = {other.seat for other in _chosen(row, "known_empires", others)}
    empire.named = []
    for key, known in (
        ("known_worlds", empire.worlds),
        ("known_portals", empire.portals),
        ("known_storms", empire.storms),
    ):
        if key in row.names():
            for name in set(known) - set(row.texts(key)):
                del known[name]


def _frame(row: Fields) -> Frame:
    values = row.raw("frame")
    if not isinstance(values, list) or len(values) != 5:
        raise UserError(
            "frame: expected [oblique, y, rotation, horizontal mirror, vertical mirror]"
        )
    oblique, y, rotation, horizontal, vertical = values
    return Frame(int(oblique), int(y), int(rotation) % 6, bool(horizontal), bool(vertical))


def _chosen(row: Fields, key: str, there: Mapping[str, Any]) -> Iterable[Any]:
    """Return the objects the case names, or everything if it has no such key."""
    names = row.texts(key) if key in row.names() else list(there)
    for name in names:
        if name not in there:
            raise UserError(f"{key}: unknown name {name}")
    return [there[name] for name in names]


def _seats(state: State, names: Iterable[str]) -> Iterable[Seat]:
    seats = [_seat(state, name) for name in names]
    return [seat for seat in seats if seat is not None]


def _seat(state: State, name: str) -> Seat | None:
    """Return the seat of an empire, or None for the empty name."""
    return seat_of(state, name) if name else None


GM: Final = "GM"


def _ruled(case: Case) -> Fields:
    """Return the table of the orders that are expected to be accepted."""
    return Fields(case).table("then").table("order_accepted")


def _read(lines: Sequence[str], state: State, game: Game) -> list[Order | UserError]:
    """Return the order of each line, or the reason why it is not an order."""
    found: list[Order | UserError] = []
    for line in lines:
        try:
            found += game.read(state, line)
        except UserError as mistake:
            found.append(mistake)
    return found


def _distance(row: Mapping[str, Any]) -> Sequence[str]:
    fields = Fields(row)
    fields.allow("name", "cite", "from", "to", "distance")
    one, other, expected = fields.pair("from"), fields.pair("to"), fields.number("distance")
    found = distance(one, other)
    return [] if found == expected else [f"from {one} to {other}: {found}, expected {expected}"]


def _designs(row: Mapping[str, Any]) -> Sequence[str]:
    fields = Fields(row)
    fields.allow("name", "cite", "options", "rows")
    table = HullTable(fields.table("options").text("hulls", HullTable.RULES.value))
    return [wrong for row in fields.tables("rows") for wrong in _design(table, row)]


def _design(table: HullTable, row: Fields) -> Iterator[str]:
    hull = Hull(row.text("hull"))
    keys = ("guns", "tonnage") if hull is Hull.MISSILE else (
        "guns", "dp", "engines", "scan", "racks"
    )  # fmt: skip
    numbers = tuple(row.number(key, 0) for key in keys)
    state = placed(Fields({"classes": []}), Fields({"hulls": table.value}))
    kind = drafted(state, Design("X", "x", hull.value, numbers))
    found = {"cost": kind.cost, "tonnage": kind.tonnage, "ar": kind.repair, "fee": kind.fee}
    for key, value in found.items():
        if key in row.names() and key not in keys and row.number(key) != value:
            shape = " ".join(map(str, numbers))
            yield f"{hull.value} {shape}: {key} {value}, expected {row.number(key)}"


class StarEmpiresScenarios(ScenarioRunner[State]):
    """The runner of Star Empires scenario files."""

    tables: Mapping[str, CheckTable] = {"design": _designs, "distance": _distance}

    def fits(self, case: Case) -> bool:
        """Return whether a case is one of Star Empires: its ``given`` is a table."""
        return isinstance(case.get("given"), Mapping)

    def begin(self, case: Case) -> State:
        """Return the galaxy that the tables of ``given`` describe."""
        fields = Fields(case)
        return placed(fields.table("given"), fields.table("options"))

    def orders(self, case: Case, state: State, game: Game) -> Sheets:
        """Return the orders of every empire.

        A line that is not an order is left out if ``order_accepted`` covers its empire.
        """
        texts, ruled = Fields(case).table("orders"), _ruled(case).names()
        orders: dict[Seat, Sequence[Order]] = dict.fromkeys(state.players, ())
        for name in texts.names():
            if name == GM:
                continue
            lines = _read(texts.texts(name), state, game)
            wrong = [each for each in lines if isinstance(each, UserError)]
            if wrong and name not in ruled:
                raise UserError(f"orders.{name}: {wrong[0]}")
            orders[seat_of(state, name)] = [each for each in lines if isinstance(each, Order)]
        return orders

    def wrong_rulings(self, case: Case, state: State, orders: Sheets, game: Game) -> Iterator[str]:
        """Return the rulings that differ from ``order_accepted``; warned counts as accepted."""
        texts, expected = Fields(case).table("orders"), _ruled(case)
        for name in expected.names():
            seat, wanted = seat_of(state, name), expected.flags(name)
            lines = _read(texts.texts(name), state, game)
            if len(wanted) != len(lines):
                raise UserError(
                    f"order_accepted.{name}: {len(wanted)} rulings for {len(lines)} orders"
                )
            rulings = iter(game.rules.validate(state, seat, orders[seat]))
            for line, accepted in zip(lines, wanted, strict=True):
                if isinstance(line, UserError):
                    is_accepted, what = False, f"{name}: {line}"
                else:
                    ruling, text = next(rulings), game.rules.render(line)
                    is_accepted = ruling.kind is not RulingKind.REJECTED
                    what = f"{name}: {text} is {ruling.kind.value} {ruling.reason}"
                if is_accepted is not accepted:
                    yield what.strip()

    def play(self, case: Case, state: State, orders: Sheets, game: Game) -> Resolution[State, Any]:
        """Return the turn, resolved after the GM's corrections."""
        if gm := "\n".join(Fields(case).table("orders").texts(GM)):
            state, _ = correct(state, gm)
        return super().play(case, state, orders, game)

    def differences(self, case: Case, before: State, after: State, game: Game) -> Iterator[str]:
        """Return the differences from ``then``."""
        del before, game
        yield from differences(after, Fields(case).table("then"))


SCENARIOS: Final = StarEmpiresScenarios()
