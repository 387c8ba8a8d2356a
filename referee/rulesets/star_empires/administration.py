"""The GM's orders, which correct a game in galactic coordinates (RULES 6.1.1 to 6.1.6)."""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, UserError
from referee.rules.wording import counted
from referee.rulesets.star_empires.class_names import forget, learn
from referee.rulesets.star_empires.hulls import BEYOND, COMPONENTS, Hull, ShipClass, some
from referee.rulesets.star_empires.lookup import ship_called
from referee.rulesets.star_empires.names import LONGEST
from referee.rulesets.star_empires.orders import Design
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.ships import Shipyard, with_cargo
from referee.rulesets.star_empires.state import (
    Empire,
    KnownPortal,
    KnownStorm,
    KnownWorld,
    Portal,
    Ship,
    State,
    Storm,
    World,
)
from referee.rulesets.star_empires.steps.maintenance import numbered
from referee.rulesets.star_empires.steps.ownership import prohibition_of
from referee.rulesets.star_empires.steps.research import drafted
from referee.rulesets.star_empires.steps.scanning import look_around

_TOKEN: Final = re.compile(
    r"(?:\( *+)?-?[0-9]{1,6} *+, *+-?[0-9]{1,6}(?: *+\))?|-?[A-Za-z0-9_]+(?:/[A-Za-z0-9]+)?\*?|\S"
)
_NAME: Final = re.compile("[A-Za-z0-9_]+")
_DIGITS: Final = 5
"""The most digits of a number; more RU could build too many ships to process."""


def is_name(word: str) -> bool:
    """Return whether a word is a possible name."""
    return bool(_NAME.fullmatch(word)) and len(word) <= LONGEST


class Words:
    """The words of one line, read one after the other."""

    def __init__(self, line: str) -> None:
        self.line = line
        self._words = _TOKEN.findall(line.partition("#")[0])

    def __bool__(self) -> bool:
        """Return whether any words are left."""
        return bool(self._words)

    def word(self, what: str) -> str:
        """Read a word. Raises UserError if there is none; *what* names the missing part."""
        if not self._words:
            raise UserError(f"expected {what} at the end, but found nothing.")
        return str(self._words.pop(0))

    def name(self, what: str) -> str:
        """Read a name. Raises UserError if it has other characters than letters, digits and _."""
        word = self.word(what)
        if not is_name(word):
            raise UserError(
                f"{word} is not a valid name for {what}. "
                f"A name has 1 to {LONGEST} letters, digits and _."
            )
        return word

    def names(self, what: str) -> list[str]:
        """Read the rest as names, at least one."""
        names = [self.name(what)]
        while self:
            names.append(self.name(what))
        return names

    def number(self, what: str) -> int:
        """Read a number. Raises UserError if the word is not a number."""
        word = self.word(what)
        if not word.isdecimal() or len(word) > _DIGITS:
            raise UserError(f"expected a number from 0 to 99999 for {what}, but found {word}.")
        return int(word)

    def cycle(self) -> tuple[int, ...]:
        """Read the rest as whole numbers, at least one; they can be negative."""
        words = [self.word("the cycle")]
        while self:
            words.append(self.word("the cycle"))
        if not all(re.fullmatch(rf"-?[0-9]{{1,{_DIGITS}}}", word) for word in words):
            raise UserError("expected only numbers in the cycle, for example 0 1 -2.")
        return tuple(map(int, words))

    def sector(self) -> Sector:
        """Read a galactic coordinate. Raises UserError if the word is not a coordinate."""
        word = self.word("the coordinate")
        found = re.findall("-?[0-9]+", word)
        if len(found) != 2:
            raise UserError(f"expected a coordinate such as (3,-1), but found {word}.")
        return int(found[0]), int(found[1])

    def one_of(self, words: Iterable[str]) -> str:
        """Read one of these words, in lower case. Raises UserError for any other word."""
        choices = sorted(words)
        word = self.word(" or ".join(choices)).lower()
        if word not in choices:
            raise UserError(f"expected {' or '.join(choices)}, but found {word}.")
        return word

    def before(self, *stops: str) -> list[str]:
        """Read the names up to one of the words *stops*, and that word too."""
        names: list[str] = []
        while True:
            word = self.word(" or ".join(stops))
            if word.upper() in stops:
                return names
            names.append(word)

    def end(self) -> None:
        """Raise UserError if any words are left."""
        if self:
            raise UserError(f"unexpected text at the end: {' '.join(self._words)}")


T = TypeVar("T")

Effect = str
Action = Callable[[State, Words], Effect]


def correct(state: State, text: str) -> tuple[State, str]:
    """Execute the GM's orders in the sequence of Administration; return what they did.

    Afterwards all prohibitions and scans are computed again. Raises UserError, and changes
    nothing, if a line cannot be executed.
    """
    state = state.copy()
    lines = [line.strip() for line in text.splitlines() if line.partition("#")[0].strip()]
    if not lines:
        raise UserError("CORRECT needs at least one order, for example ADDWORLD (1,0) Vega 5 0.")
    effects = [_carried_out(state, action, words) for action, words in _sorted(lines)]
    roster = Roster(state)
    for world in state.worlds.values():
        world.prohibition = prohibition_of(roster, world)
    look_around(state)
    return state, "\n".join(effects)


def _carried_out(state: State, action: Action, words: Words) -> Effect:
    try:
        return action(state, words)
    except UserError as mistake:
        raise UserError(f"{words.line}: {mistake}") from mistake


def _sorted(lines: Iterable[str]) -> list[tuple[Action, Words]]:
    """Return the action of each line, in the sequence of the Administration steps."""
    found = []
    for line in lines:
        words = Words(line)
        keyword = words.word("an order").upper()
        if keyword not in ORDERS:
            raise UserError(
                f"{line}: {keyword} is not an order of the GM. The orders: {', '.join(ORDERS)}."
            )
        found.append((ORDERS[keyword], words))
    found.sort(key=lambda pair: pair[0].rank)
    return [(order.take, words) for order, words in found]


def _listed(empires: Iterable[Empire]) -> str:
    return ", ".join(empire.name for empire in empires)


def _add_world(state: State, words: Words) -> Effect:
    at, name = words.sector(), words.name("the world")
    production, stockpile = words.number("the production"), words.number("the stockpile")
    owner = _owner(state, words)
    _new(state, name)
    world = state.worlds[name] = World(name, at, production, stockpile, owner)
    return f"World {name} was added at {written(at)}. It {_riches(state, world)}."


def _riches(state: State, world: World) -> str:
    of = "has no owner"
    if world.owner is not None:
        of = f"belongs to {state.empires[world.owner].name}"
    return f"makes {world.production} RU a turn, has {world.stockpile} RU and {of}"


def _add_portal(state: State, words: Words) -> Effect:
    at, name = words.sector(), words.name("the portal")
    collapsed = bool(words) and words.one_of({"collapsed"}) == "collapsed"
    words.end()
    _new(state, name)
    state.portals[name] = Portal(name, at, collapsed=collapsed)
    is_open = "collapsed until the next turn" if collapsed else "open"
    return f"Portal {name} was added at {written(at)}. It is {is_open}."


def _add_storm(state: State, words: Words) -> Effect:
    at, name = words.sector(), words.name("the storm")
    _new(state, name)
    storm = state.storms[name] = Storm(name, at, 0)
    return f"{name}, {_set_strength(storm, words)}, was added at {written(at)}."


def _modify_storm(state: State, words: Words) -> Effect:
    storm = _of(state.storms, words.name("the storm"), "storm")
    before = _strength(storm)
    return f"{storm.name} is now {_set_strength(storm, words)}. Before: {before}."


def _set_strength(storm: Storm, words: Words) -> str:
    """Read a storm's intensity and its fluctuation, if any (R6.1.9); return it in words."""
    storm.intensity = storm.initial = words.number("the intensity")
    storm.fluctuations = ()
    changes = words.one_of({"random", "cycle"}) if words else ""
    if changes == "cycle":
        storm.fluctuations = words.cycle()
    storm.random = changes == "random"
    words.end()
    return _strength(storm)


def _strength(storm: Storm) -> str:
    what = f"a storm of strength {storm.intensity}" if storm.intensity else "a nebula"
    if storm.random:
        return f"{what} that changes at random, up to that strength"
    if storm.fluctuations:
        return f"{what} that changes by {', '.join(map(str, storm.fluctuations))} in turn"
    return what


def _add_class(state: State, words: Words) -> Effect:
    """Add a ship class by the design formula; no empire knows it yet (R6.1.3)."""
    name, hull = words.name("the class"), words.one_of(each.value for each in Hull)
    if any(name.casefold() == known.casefold() for known in state.classes):
        raise UserError(f"there is already a class called {name}.")
    ratings = [words.number("its guns")]
    while words:
        ratings.append(words.number("its ratings"))
    kind = drafted(state, Design("", name, hull, tuple(ratings)))
    if kind.cost == BEYOND:
        raise UserError(f"{name} is too expensive: no empire could ever build one.")
    state.classes[name] = kind
    ratings_ = zip(kind.ratings.each(), COMPONENTS, strict=True)
    parts = ", ".join(some(rating, component) for rating, component in ratings_)
    return (
        f"Class {name} ({hull.replace('_', ' ')}, {parts}) costs {kind.cost} RU and weighs "
        f"{kind.tonnage}. No empire knows it yet."
    )


def _add_ship(state: State, words: Words) -> Effect:
    at, empire = words.sector(), _empire(state, words.name("the owner"))
    count, key, dp = words.number("how many"), words.word("the class"), words.number("the DP")
    public = words.one_of({"public", "private"}) == "public"
    if count == 0:
        raise UserError("add at least one ship.")
    names = _ship_names(words, count, {s.callsign.casefold() for s in state.fleet(empire.seat)})
    kind = _of(state.classes, key, "class")
    whole = _checked_dp(kind, dp)
    yard = Shipyard(Roster(state), empire.seat)
    for name in names:
        if ship_called(state, empire.seat, name) is not None:
            raise UserError(f"{empire.name} already has a ship called {name}.")
        dice = Dice(f"{state.game} {state.turn}".encode()).at("added", state.commissioned)
        ship = yard.commission(kind.name, at, dice, name)
        ship.dp, ship.public = dp, public
    each = "It has" if count == 1 else "Each has"
    return (
        f"{empire.name} now has at {written(at)}: {kind.name} {', '.join(names)}. "
        f"{each} {dp} of {whole} DP and a {_mode(public=public)} transponder."
    )


def _checked_dp(kind: ShipClass, dp: int) -> int:
    """Return the DP of an undamaged ship. Raises UserError if no ship of a class has *dp*."""
    whole = kind.ratings.dp
    if not 1 <= dp <= whole:
        most = "1 DP" if whole == 1 else f"1 to {whole} DP"
        raise UserError(f"a ship of class {kind.name} has {most}.")
    return whole


def _mode(*, public: bool) -> str:
    return "public" if public else "private"


def _ship_names(words: Words, count: int, taken: set[str]) -> list[str]:
    names = []
    while words:
        names.append(words.word("a name"))
    if len(names) == 1 and names[0].endswith("*"):
        return list(islice(numbered(names[0][:-1], taken), count))
    if len(names) != count or not all(map(is_name, names)):
        ships, wanted = counted(count, "ship"), counted(count, "name")
        raise UserError(f"for {ships}, give {wanted}, or one with a star: probe*.")
    return names


def _connect(state: State, words: Words) -> Effect:
    entry, exit_ = _portal(state, words), _portal(state, words)
    words.end()
    entry.exits.add(exit_.name)
    return f"{entry.name} now leads to {exit_.name}."


def _disconnect(state: State, words: Words) -> Effect:
    entry, exit_ = _portal(state, words), _portal(state, words)
    words.end()
    entry.exits.discard(exit_.name)
    return f"{entry.name} no longer leads to {exit_.name}."


def _modify_world(state: State, words: Words) -> Effect:
    world = _world(state, words.name("the world"))
    before = _riches(state, world)
    world.production = words.number("the production")
    world.stockpile = words.number("the stockpile")
    owner = _owner(state, words)
    if owner != world.owner:
        _give_world(state, world, owner)
    return f"{world.name} {_riches(state, world)}. Before: {before}."


def _give_world(state: State, world: World, owner: Seat | None) -> None:
    if world.homeworld and world.owner is not None:
        state.empires[world.owner].homeworld = None
    world.owner, world.homeworld = owner, False


def _modify_ship(state: State, words: Words) -> Effect:
    empire = _empire(state, words.name("the owner"))
    ship, dp = _ship(state, empire, words.name("the ship")), words.number("the DP")
    public = words.one_of({"public", "private"}) == "public"
    words.end()
    _checked_dp(state.kind(ship), dp)
    before = _condition(state, ship)
    ship.dp, ship.public = dp, public
    now = _condition(state, ship)
    return f"{ship.callsign} of {empire.name} now has {now}. Before: {before}."


def _condition(state: State, ship: Ship) -> str:
    whole = state.kind(ship).ratings.dp
    return f"{ship.dp} of {whole} DP and a {_mode(public=ship.public)} transponder"


def _place(state: State, ship: Ship) -> str:
    aboard = f" aboard {state.ships[ship.carrier].callsign}" if ship.carrier is not None else ""
    return f"{written(ship.at)}{aboard}"


def _relocate_object(state: State, words: Words) -> Effect:
    kind, name, at = words.one_of(_KINDS), words.name("the object"), words.sector()
    words.end()
    there = _of(_objects(state, kind), name, kind)
    before, there.at = there.at, at
    for empire in state.empires.values():
        if kind == "world" and empire.homeworld == there.name:
            empire.home = at
    return f"The {kind} {there.name} is now at {written(at)}. Before: {written(before)}."


def _relocate_ship(state: State, words: Words) -> Effect:
    empire = _empire(state, words.name("the empire"))
    ships = [_ship(state, empire, name) for name in words.before("TO")]
    at = words.sector()
    words.end()
    before = ", ".join(f"{ship.callsign} at {_place(state, ship)}" for ship in ships)
    moved = with_cargo(state, ships)
    numbers = {ship.number for ship in moved}
    for ship in moved:
        ship.at = at
        # A ship that moves without its carrier is no longer cargo.
        ship.carrier = ship.carrier if ship.carrier in numbers else None
    names = ", ".join(ship.callsign for ship in ships)
    return f"These ships of {empire.name} are now at {written(at)}: {names}. Before: {before}."


def _remove_object(state: State, words: Words) -> Effect:
    kind, removed = words.one_of(_KINDS), list[str]()
    for typed in words.names("the object"):
        there = _of(_objects(state, kind), typed, kind)
        name = str(there.name)
        removed.append(f"{kind} {name} at {written(there.at)}{_more(state, there)}")
        if kind == "world":
            _give_world(state, state.worlds[name], None)
        del _objects(state, kind)[name]
        for empire in state.empires.values():
            _objects(empire, kind).pop(name, None)
            empire.navigation.discard(name)
        for portal in state.portals.values():
            portal.exits.discard(name)
    return f"Removed: {'; '.join(removed)}."


def _more(state: State, there: World | Portal | Storm) -> str:
    """Return the facts of an object, besides its place, that a GM needs to restore it."""
    match there:
        case World():
            return f", which {_riches(state, there)}"
        case Storm():
            return f", {_strength(there)}"
        case Portal():
            return f", which leads to {', '.join(sorted(there.exits))}" if there.exits else ""


def _remove_ship(state: State, words: Words) -> Effect:
    empire = _empire(state, words.name("the owner"))
    ships = [_ship(state, empire, name) for name in words.names("the ship")]
    gone = with_cargo(state, ships)
    removed = [
        f"{ship.kind} {ship.callsign} at {_place(state, ship)} with {_condition(state, ship)}"
        for ship in gone
    ]
    for ship in gone:
        del state.ships[ship.number]
    return f"Removed from {empire.name}: {'; '.join(removed)}."


def _add_known(state: State, words: Words) -> Effect:
    kind, names, empires = _about(state, words)
    for empire in empires:
        for name in names:
            _learn(state, empire, kind, name)
    return f"Now known to {_listed(empires)}: {_kinds(kind, names)}."


def _learn(state: State, empire: Empire, kind: str, name: str) -> None:
    if kind == "contact":
        empire.contacts |= {_empire(state, name).seat} - {empire.seat}
    elif kind == "shipclass":
        learn(empire, _of(state.classes, name, "class").name)
    elif kind == "world":
        w = _world(state, name)
        empire.worlds[name] = KnownWorld(
            name, w.at, w.production, w.owner, w.stockpile, w.homeworld, state.turn
        )
    elif kind == "storm":
        storm = _of(state.storms, name, "storm")
        empire.storms[name] = KnownStorm(name, storm.at, storm.intensity, state.turn)
    else:
        portal = _of(state.portals, name, "portal")
        empire.portals[name] = KnownPortal(name, portal.at, portal.collapsed, state.turn)
        if kind == "navdata":
            empire.navigation.add(name)


def _remove_known(state: State, words: Words) -> Effect:
    kind, names, empires = _about(state, words)
    for empire in empires:
        for name in names:
            _forget(state, empire, kind, name)
    return f"No longer known to {_listed(empires)}: {_kinds(kind, names)}."


def _forget(state: State, empire: Empire, kind: str, name: str) -> None:
    if kind == "contact":
        seat = _empire(state, name).seat
        empire.contacts.discard(seat)
        empire.named = [each for each in empire.named if each != seat]
    elif kind == "shipclass":
        forget(empire, name)
    elif kind == "navdata":
        empire.navigation.discard(name)
    else:
        _objects(empire, kind).pop(name, None)


def _about(state: State, words: Words) -> tuple[str, list[str], list[Empire]]:
    """Read the kind of knowledge, its names as the galaxy has them, and the empires."""
    kind = words.one_of({*_KINDS, "shipclass", "contact", "navdata"})
    names = [_known_name(state, kind, name) for name in words.before("TO", "FROM")]
    return kind, names, [_empire(state, name) for name in words.names("the empire")]


def _known_name(state: State, kind: str, name: str) -> str:
    if kind == "contact":
        return _empire(state, name).name
    if kind == "shipclass":
        return _of(state.classes, name, "class").name
    thing = "portal" if kind == "navdata" else kind
    return str(_of(_objects(state, thing), name, thing).name)


def _kinds(kind: str, names: Iterable[str]) -> str:
    words = {"contact": "empire", "shipclass": "class", "navdata": "navigation data for"}
    return ", ".join(f"{words.get(kind, kind)} {name}" for name in names)


_KINDS: Final = frozenset({"world", "portal", "storm"})


def _objects(there: State | Empire, kind: str) -> dict[str, Any]:
    """Return the objects of a kind in a galaxy, or those that an empire knows."""
    objects: dict[str, Any] = {"world": there.worlds, "portal": there.portals}
    found: dict[str, Any] = objects.get(kind, there.storms)
    return found


def _of(objects: Mapping[str, T], name: str, kind: str) -> T:
    """Return the object of a name, in capital or small letters. Raises UserError without one."""
    if name in objects:
        return objects[name]
    for known, each in objects.items():
        if known.casefold() == name.casefold():
            return each
    raise UserError(f"there is no {kind} called {name}.")


def _world(state: State, name: str) -> World:
    return _of(state.worlds, name, "world")


def _portal(state: State, words: Words) -> Portal:
    return _of(state.portals, words.name("the portal"), "portal")


def _empire(state: State, name: str) -> Empire:
    return _of({e.name: e for e in state.empires.values()}, name, "empire")


def _ship(state: State, empire: Empire, name: str) -> Ship:
    ship = ship_called(state, empire.seat, name)
    if ship is None:
        raise UserError(f"{empire.name} has no ship called {name}.")
    return ship


def _owner(state: State, words: Words) -> Seat | None:
    """Read the optional owner at the end of the line, or return None."""
    owner = _empire(state, words.name("the owner")).seat if words else None
    words.end()
    return owner


def _new(state: State, name: str) -> None:
    """Raise UserError if anything on the map already has that name."""
    taken = (each for kind in _KINDS for each in _objects(state, kind))
    if name.casefold() in map(str.casefold, taken):
        raise UserError(f"the name {name} is already in use on the map.")


class _Order(NamedTuple):
    """A GM's order: its place in the sequence of Administration, and its action."""

    rank: int
    take: Action


ORDERS: Final[Mapping[str, _Order]] = {
    "REMOVECONNECTION": _Order(1, _disconnect),
    "REMOVEOBJECT": _Order(2, _remove_object),
    "REMOVESHIP": _Order(3, _remove_ship),
    "RELOCATEOBJECT": _Order(4, _relocate_object),
    "RELOCATESHIP": _Order(5, _relocate_ship),
    "ADDPORTAL": _Order(6, _add_portal),
    "ADDSTORM": _Order(7, _add_storm),
    "ADDWORLD": _Order(8, _add_world),
    "ADDCONNECTION": _Order(9, _connect),
    "ADDSHIPCLASS": _Order(10, _add_class),
    "ADDSHIP": _Order(11, _add_ship),
    "MODIFYSTORM": _Order(12, _modify_storm),
    "MODIFYWORLD": _Order(13, _modify_world),
    "MODIFYSHIP": _Order(14, _modify_ship),
    "REMOVEKNOWN": _Order(15, _remove_known),
    "ADDKNOWN": _Order(16, _add_known),
}
