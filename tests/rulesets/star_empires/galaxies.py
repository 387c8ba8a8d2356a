"""Hypothesis strategies: small galaxies of Star Empires, and order sheets for them."""

from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rules.fields import Fields
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.scenarios import placed
from referee.rulesets.star_empires.sectors import Frame, Sector, disk
from referee.rulesets.star_empires.state import Share, State
from referee.rulesets.star_empires.steps.scanning import look_around

EMPIRES: Final = ("RED", "BLUE", "GREEN")
SEATS: Final = (Seat(1), Seat(2), Seat(3))
WORLDS: Final = ("Vega", "Mars", "Rigel", "Sol")
PORTALS: Final = ("Gate1", "Gate2", "Gate3")
STORMS: Final = ("Gale", "Mist")
CLASSES: Final = (
    *("probe", "frigate", "carrier", "station", "fighter", "nuke", "battleship", "starbase"),
    *("hammer", "shield", "secret"),
)
FLEET: Final = ("carrier", "nuke", "battleship", "probe", "")
"""The classes of each empire's ships; the battleship is at home, the last has any class."""
SHIPS: Final = {
    name: tuple(f"{name[0].lower()}{number}" for number in range(len(FLEET))) for name in EMPIRES
}
PLACES: Final = ((0, 0), (1, 0), (1, 1), (0, -1))
"""The sectors of the worlds and of most ships."""

_sectors = st.sampled_from((*PLACES * 3, *disk((0, 0), 2)))
_few = st.integers(0, 40)


@st.composite
def galaxies(draw: st.DrawFn) -> State:
    """Return a galaxy with objects in random sectors, after all empires have scanned."""
    content = {
        "turn": draw(st.integers(1, 4)),
        "empires": {name: _knowledge(draw, name) for name in EMPIRES},
        "worlds": [_world(draw, name) for name in WORLDS],
        "portals": [
            {"name": name, "at": _at(draw), "exits": draw(_subset(set(PORTALS) - {name}))}
            for name in PORTALS
        ],
        "storms": [
            {"name": "Gale", "at": _at(draw), "intensity": draw(st.integers(0, 4)), "random": True},
            {"name": "Mist", "at": _at(draw), "intensity": 0, "fluctuations": [0, 2]},
        ],
        "classes": [
            {"name": "secret", "hull": "gunship", "guns": 9, "dp": 6, "engines": 2, "scan": 2}
        ],
        "ships": [
            _ship(draw, owner, name, kind)
            for owner, names in SHIPS.items()
            for name, kind in zip(names, FLEET, strict=True)
        ],
    }
    options = {"devices": True, "alliance_size": draw(st.integers(1, 2))}
    state = placed(Fields(content), Fields(options))
    _load(draw, state)
    for empire in state.empires.values():
        empire.frame = Frame(rotation=draw(st.integers(0, 5)), vertical=draw(st.booleans()))
        for other in set(SEATS) - {empire.seat}:
            if draw(st.booleans()):
                empire.shares[other] = Share(draw(st.booleans()), sectors={draw(_sectors)})
    look_around(state)
    return state.copy()


def _at(draw: st.DrawFn) -> list[int]:
    return list(draw(_sectors))


def _subset(names: set[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(sorted(names)), unique=True)


def _knowledge(draw: st.DrawFn, name: str) -> dict[str, Any]:
    others = set(EMPIRES) - {name}
    known = {
        "known_worlds": draw(_subset(set(WORLDS))),
        "known_portals": draw(_subset(set(PORTALS))),
        "known_classes": ["probe", "starbase", *draw(_subset({"frigate", "carrier", "secret"}))],
        "known_empires": draw(_subset(others)),
    }
    return {
        **(known if draw(st.booleans()) else {}),
        "nav_data": draw(_subset(set(PORTALS))),
        "allies": draw(_subset(others)),
        "attackers": draw(_subset(others)),
    }


def _world(draw: st.DrawFn, name: str) -> dict[str, Any]:
    number = WORLDS.index(name)
    lord = (*EMPIRES, "")[number]
    owner = draw(st.sampled_from((*[lord] * 6, "", *EMPIRES)))
    homeworld = owner == lord != ""
    return {
        "name": name,
        "at": list(PLACES[number]),
        "owner": owner,
        "production": draw(_few),
        "stockpile": draw(_few),
        "homeworld": homeworld,
    }


def _ship(draw: st.DrawFn, owner: str, name: str, kind: str) -> dict[str, Any]:
    return {
        "owner": owner,
        "name": name,
        "class": kind or draw(st.sampled_from(CLASSES)),
        "at": list(PLACES[EMPIRES.index(owner)]) if kind == "battleship" else _at(draw),
        "public": draw(st.booleans()),
        "transponders": draw(_subset(set(EMPIRES))),
    }


def _load(draw: st.DrawFn, state: State) -> None:
    """Damage some ships, and load some onto others of the same empire."""
    for ship in state.ships.values():
        whole = state.kind(ship).ratings.dp
        ship.dp = draw(st.just(whole) | st.integers(1, whole))
        ship.identified.discard(ship.owner)
        carriers = [
            each
            for each in state.fleet(ship.owner)
            if each is not ship
            and not each.loaded
            and state.free_racks(each) >= state.kind(ship).tonnage
        ]
        if carriers and not state.cargo(ship) and draw(st.booleans()):
            carrier = draw(st.sampled_from(carriers))
            ship.carrier, ship.at = carrier.number, carrier.at


# ---- Orders ------------------------------------------------------------------

Lines = st.SearchStrategy[str]

_worlds = st.sampled_from(WORLDS)
_portals = st.sampled_from(PORTALS)
_empires = st.sampled_from(EMPIRES)
_classes = st.sampled_from(CLASSES)
_amounts = st.sampled_from(("1", "2", "7", "max", "max"))
_steps = st.sampled_from(tuple(f"({oblique},{y})" for oblique, y in disk((0, 0), 1)))
_places = _steps | _worlds.map("@{}".format) | _portals.map("@{}".format)
_designs = st.sampled_from(
    (
        "scout 2 1 3 3 1",
        "gunship 22 9 2 1 0",
        "wing 9 3 0 0 0",
        "orbital 30 40 1 1 2",
        "missile 9 2",
    )
)
_built = st.sampled_from(("", " a b", " n*", " r1 x"))


def _line(form: str, *parts: Lines) -> Lines:
    return st.tuples(*parts).map(lambda words: form.format(*words))


def peaceful(name: str) -> Lines:
    """Return order lines of an empire that destroy no ships and repair none."""
    ships, names, sets, world = _of(name)
    scopes = st.just("ALL") | _places | names | _classes.map("@{}".format)
    items = names | _classes.map("@{}".format)
    return st.one_of(
        _line("UNLOAD {}", names),
        _line("LOAD {} ONTO {}", names, ships),
        _line("TRANSMIT {} TO {}", _portals, _empires),
        _line("MOVE {} TO {}", sets, _steps | _worlds),
        _line("TRAVERSE {} THROUGH {} {}", sets, _portals, _portals | st.just("")),
        _line("DESIGN {} {} {}", world, st.sampled_from(("d1", "d2")), _designs),
        _line("GIVE {} TO {}", _classes, _empires),
        _line("BUILD {} {} {}{}", world, _amounts, _classes | st.just("d1"), _built),
        _line("TOGGLE {} {}", st.sampled_from(("public", "private")), names | _classes),
        _line("CONCEAL {} FROM {}", items, _empires),
        _line("IDENTIFY {} TO {}", items | st.just("ALL"), _empires),
        _line("POOL {} EXCEPT {}", world, _worlds),
        _line("TRANSFER {} {} {} {}", world, _amounts, _worlds, _empires | st.just("")),
        _line("DENY {} TO {}", scopes, _empires),
        _line("AUTHORIZE {} TO {}", scopes, _empires),
        _line("ALLY {}", _empires),
        _line("UNALLY {}", _empires),
    )


def any_kind(name: str) -> Lines:
    """Return order lines of an empire, of any kind."""
    ships, names, sets, world = _of(name)
    return st.one_of(
        peaceful(name),
        _line("REPAIR {} {} {}", ships, _amounts, world),
        _line("FIRE {}{} AT {}", st.sampled_from(("", "asc ")), sets, _empires),
        _line("FIRE {} AT {}", names, st.permutations(EMPIRES).map(" ".join)),
        _line("DESTRUCT {}", sets),
        _line("DEPLOY {}", names),
    )


def _of(name: str) -> tuple[Lines, Lines, Lines, Lines]:
    """Return names of an empire's ships, lists, sets and worlds, with some of other empires."""
    ships = st.sampled_from((*SHIPS[name] * 5, "r1", "b2", "nobody"))
    names = ships | st.lists(ships, min_size=1, max_size=4, unique=True).map(" ".join)
    sets = ships | names | _places | st.tuples(_places, ships).map(" EXCEPT ".join)
    own = dict(zip(EMPIRES, WORLDS, strict=False))[name]
    return ships, names, sets, st.sampled_from((*[own] * 8, *WORLDS))


def read(text: str) -> list[Order]:
    """Return the orders in a text."""
    return [item.order for item in reader_of(GRAMMAR).read(text) if isinstance(item, Parsed)]


def sheets(
    lines: Callable[[str], Lines] = any_kind, most: int = 12
) -> st.SearchStrategy[dict[Seat, list[Order]]]:
    """Return order sheets of all three empires."""
    return st.fixed_dictionaries(
        {
            seat: st.lists(lines(name), max_size=most).map(lambda typed: read("\n".join(typed)))
            for seat, name in zip(SEATS, EMPIRES, strict=True)
        }
    )


def elsewhere(at: Sector) -> Sector:
    """Return a distant sector that no empire in a small galaxy ever sees."""
    return at[0] + 40, at[1] - 40
