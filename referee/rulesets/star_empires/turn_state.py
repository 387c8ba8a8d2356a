"""The turn being resolved: the changing state, the orders, and the notes of the steps."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeVar

from referee.rules.ruleset import Event, Outcome, Resolution, Seat, Weight
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.star_empires.class_names import class_name, is_met, learn, meet
from referee.rulesets.star_empires.hulls import STARBASE
from referee.rulesets.star_empires.names import natural
from referee.rulesets.star_empires.orders import Design, Order
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.ships import with_cargo
from referee.rulesets.star_empires.state import Empire, Ship, State, World

T = TypeVar("T")

NO_EFFECT: Final = "it had no effect"
NO_ALLIANCES: Final = "this game does not allow alliances"


class Stage(Enum):
    """The headings of the log: what matters most, and the stages of a turn."""

    WORLDS = "Log: Battles and worlds"
    LOGISTICS = "Log: Logistics"
    COMBAT = "Log: Combat"
    MOVEMENT = "Log: Movement"
    RESEARCH = "Log: Research"
    MAINTENANCE = "Log: Maintenance"
    INCOME = "Log: Income"
    SCANNING = "Log: Scanning"


def sentences(remarks: Iterable[str]) -> str:
    """Return each remark as a sentence, or "" if there are none."""
    return " ".join(map(_sentence, remarks))


def _sentence(text: str) -> str:
    """Return a remark as a sentence; the name of a ship in front keeps its case."""
    word = text.partition(" ")[0]
    begin = text[:1] if any(map(str.isdigit, word)) else text[:1].upper()
    return f"{begin}{text[1:].rstrip('.')}."


@dataclass(slots=True, eq=False)
class EmpireOrder(SheetOrder[T]):
    """An order that has failed until a step has executed it; it can have several remarks.

    An order that was rejected before the deadline has failed from the start.
    """

    done: bool = False
    remarks: list[str] = field(default_factory=list)

    def fail(self, reason: str) -> None:
        """Exclude the order from the turn, with the reason."""
        self.failed = True
        self.note(reason)

    def note(self, text: str) -> None:
        """Add a remark to the order's outcome, once."""
        if text not in self.remarks:
            self.remarks.append(text)

    def outcome(self) -> Outcome:
        """Return the outcome, with the remarks as sentences."""
        return Outcome(self.done, sentences(self.remarks or ([] if self.done else [NO_EFFECT])))


class Cause(Enum):
    """The cause of the loss of a ship."""

    BATTLE = "battle"
    EXPLOSION = "explosion"
    """The ship or its carrier blew itself up."""
    STORM = "storm"


@dataclass(frozen=True, slots=True)
class Wreck:
    """A ship that was lost this turn, other than a fired missile."""

    callsign: str
    kind: str
    owner: Seat
    at: Sector
    cause: Cause


@dataclass(frozen=True, slots=True)
class Gift:
    """A design, data or RU that an empire has now: from a giver, or salvaged (None)."""

    to: Seat
    giver: Seat | None
    kind: str
    """The words before its name, such as ``the design of``."""
    name: str


@dataclass(frozen=True, slots=True)
class Called:
    """A class, or a ship after its class, as the log names it to each empire."""

    kind: str
    callsign: str = ""
    what: str = ""
    """A fact about the ship."""


Part = Sector | Called
"""A part of the log that each empire writes in its own way."""


@dataclass(slots=True)
class Line:
    """A line of the log for an empire, with the ships involved, each after its class."""

    seat: Seat
    stage: Stage
    text: str
    sectors: tuple[Sector, ...]
    ships: list[str] = field(default_factory=list)

    def event(self, places: Mapping[Sector, str]) -> Event:
        """Return the line as an event; *places* has the keys on the empire's map by sector."""
        text = f"{self.text}: {by_class(self.ships)}." if self.ships else self.text
        known = tuple(dict.fromkeys(places[at] for at in self.sectors if at in places))
        return Event(text, frozenset({self.seat}), Weight.DETAIL, known, self.stage.value)


def by_class(ships: Iterable[str]) -> str:
    """Return ships, each after its class, grouped by class: ``frigate b; probe a, c``."""
    kinds: dict[str, list[str]] = {}
    for ship in sorted(ships, key=natural):
        kind, _, callsign = ship.partition(" ")
        kinds.setdefault(kind, []).append(callsign)
    return "; ".join(f"{kind} {', '.join(called)}".rstrip() for kind, called in kinds.items())


def named(ship: Ship | Wreck, what: str = "") -> Called:
    """Return a ship as the log names it, after its class, with *what* about it."""
    # Every starbase is named after its class, so do not repeat the word.
    return Called(ship.kind, "" if ship.callsign == STARBASE else ship.callsign, what)


class Turn(TurnState[State, Order]):
    """A turn being resolved, with the notes that its steps leave for later steps.

    The steps draw at ``storm|NAME``, ``traverse|SEAT|n``, ``homeworld|SEAT`` and
    ``serial|SEAT|n``, each for one event of the turn.
    """

    order_type = EmpireOrder

    def begin(self) -> None:
        """Set up the notes of the steps."""
        self.dice = self.dice.at(f"turn {self.before.turn}")
        self.roster = Roster(self.state)
        self.by_kind: dict[type, list[Any]] = {}
        for given in self.all_given():
            self.by_kind.setdefault(type(given.order), []).append(given)
        self.unloaded: set[int] = set()
        """The ships that left their carriers this turn."""
        self.deployed: list[tuple[Seat, str, Sector]] = []
        """The deployed devices: owner, class and sector."""
        self.exploding: set[int] = set()
        """The ships that blow themselves up, and their cargo."""
        self.collateral: Counter[int] = Counter()
        self.hits: Counter[tuple[Seat, int]] = Counter()
        """The damage by guns, by the empire that fires and the ship that is hit."""
        self.shots: Counter[int] = Counter()
        """The guns fired, by ship."""
        self.spent: set[int] = set()
        """The fired missiles."""
        self.battles = defaultdict[Sector, set[Seat]](set)
        """The empires that fought, by sector."""
        self.wrecks: list[Wreck] = []
        self.last_looks: set[tuple[Seat, Sector]] = set()
        """The owners and sectors of destroyed ships, which have seen their sector until then."""
        self.changed_hands: dict[str, Seat | None] = {}
        """The worlds that changed owner this turn, with the owner before the last change."""
        self.gifts: list[Gift] = []
        self.doubled: set[str] = set()
        """The worlds that became homeworlds this turn."""
        self.travelled: list[tuple[Seat, str, str]] = []
        """The journeys through portals: seat, entry and exit."""
        self.built: Counter[Seat] = Counter()
        """The number of ships that each empire has built this turn."""
        self.made: dict[str, int] = {}
        """The production of each world this turn."""
        self.unspent: dict[str, int] = {}
        """The RU of each world just before it produced."""
        self.exhausted: set[str] = set()
        """The worlds whose RU fell short of a transfer, which cancels all later ones (R6.7.3)."""
        self.log: list[Line] = []
        self.lists: dict[tuple[Seat, Stage, str], Line] = {}
        """The lines of the log with ships, by their text."""
        self.lost: dict[tuple[Seat, str], str] = {}
        """The remarks for ships destroyed this turn, by the remark that they replace."""

    def given(self, *kinds: type[T]) -> list[EmpireOrder[T]]:
        """Return the orders of these kinds that run, by the names of the empires and as typed."""
        found = (each for kind in kinds for each in self.by_kind.get(kind, ()) if not each.failed)
        return sorted(found, key=lambda each: (self.name(each.seat), each.place))

    def empire(self, seat: Seat) -> Empire:
        """Return the empire in *seat*."""
        return self.state.empires[seat]

    def tell(self, stage: Stage, audience: Iterable[Seat], text: str, *parts: Part) -> None:
        """Add a line to the log of *audience*; ``%s`` is a part as each one writes it."""
        for seat in set(audience) & self.state.empires.keys():
            self.log.append(self._line(stage, seat, text, parts))

    def tell_of(
        self, stage: Stage, audience: Iterable[Seat], text: str, ship: Called | str, *parts: Part
    ) -> None:
        """Add a ship, after its class, to the line *text* of the log, which can have many ships.

        The parts are written as in ``tell``.
        """
        for seat in set(audience) & self.state.empires.keys():
            line = self._line(stage, seat, text, parts)
            listed = ship if isinstance(ship, str) else self.written(seat, ship)
            kept = self.lists.setdefault((seat, stage, line.text), line)
            if kept is line:
                self.log.append(line)
            kept.ships.append(listed)

    def _line(self, stage: Stage, seat: Seat, text: str, parts: Sequence[Part]) -> Line:
        own = tuple(self.written(seat, part) for part in parts)
        sectors = tuple(part for part in parts if not isinstance(part, Called))
        return Line(seat, stage, text % own, sectors)

    def written(self, seat: Seat, part: Part) -> str:
        """Return a sector in an empire's coordinates, a class or ship by its name of the class."""
        if not isinstance(part, Called):
            return written(self.empire(seat).frame.local(part))
        empire = self.empire(seat)
        if not is_met(empire, part.kind):
            meet(empire, part.kind, self._designed(seat))
        words = class_name(empire, part.kind), part.callsign, part.what
        return " ".join(filter(None, words))

    def learn(self, seat: Seat, kind: str) -> None:
        """Add the design of a class to an empire's knowledge."""
        learn(self.empire(seat), kind, self._designed(seat))

    def _designed(self, seat: Seat) -> frozenset[str]:
        """Return the names of the classes that an empire designs this turn."""
        orders = (given.order for given in self.sheets.get(seat, ()) if not given.failed)
        return frozenset(each.name.casefold() for each in orders if isinstance(each, Design))

    def witnesses(self, sector: Sector) -> set[Seat]:
        """Return the empires that see what happens in a sector now."""
        return self.roster.present(sector)

    def destroy(self, ships: Iterable[Ship], cause: Cause) -> None:
        """Remove ships and their cargo, and inform all empires there (R6.3.4, R6.4.6)."""
        stage = Stage.MOVEMENT if cause is Cause.STORM else Stage.COMBAT
        lost = with_cargo(self.state, list(ships))
        audiences = {ship.at: self.witnesses(ship.at) for ship in lost}
        self.last_looks |= {(ship.owner, ship.at) for ship in lost if not ship.loaded}
        for ship in lost:
            # Every empire there has it on short-range scan, with its cargo (R6.8.3).
            for seat in audiences[ship.at] - {ship.owner}:
                self.empire(seat).contacts.add(ship.owner)
            self.roster.remove(ship)
            for called in (ship.name, ship.serial):
                wanted = (ship.owner, f"you have no ship {called}".casefold())
                self.lost[wanted] = f"{ship.callsign} was lost earlier this turn"
            if ship.number in self.spent:
                continue
            explodes = ship.number in self.exploding
            why = Cause.EXPLOSION if explodes else cause
            self.wrecks.append(Wreck(ship.callsign, ship.kind, ship.owner, ship.at, why))
            text = f"{self.name(ship.owner)} {'blows up' if explodes else 'loses'} at %s"
            self.tell_of(stage, audiences[ship.at], text, named(ship), ship.at)

    def own_world(self, given: EmpireOrder[Any], name: str) -> World | None:
        """Return a world of the ordering seat, or None with a remark on the order."""
        world = self.state.worlds.get(name)
        if world is None or world.owner != given.seat:
            given.note(f"{name} is not yours")
            return None
        return world

    def workshop(self, given: EmpireOrder[Any], name: str) -> World | None:
        """Return a world that can design, build and pay for repairs, or None (R6.5.2)."""
        world = self.own_world(given, name)
        if world is None:
            return None
        if name in self.changed_hands:
            given.note(f"{name} became yours only this turn")
            return None
        if world.interdicted:
            given.note(f"{name} is interdicted")
            return None
        return world

    def met(self, given: EmpireOrder[Any], names: Iterable[str]) -> Iterator[Empire]:
        """Return the empires of those names in contact with the seat; add remarks on others."""
        contacts = self.empire(given.seat).contacts
        known = {empire.name.casefold(): empire for empire in self.state.empires.values()}
        for name in names:
            empire = known.get(name.casefold())
            if empire is None or empire.seat not in contacts:
                given.note(f"you are not in contact with {name}")
            else:
                yield empire

    def resolution(self) -> Resolution[State, Order]:
        """Return the result, with remarks about ships destroyed before their orders ran."""
        remarked = (each for sheet in self.sheets.values() for each in sheet if each.remarks)
        for given in remarked:
            said = (self.lost.get((given.seat, each.casefold()), each) for each in given.remarks)
            given.remarks = list(dict.fromkeys(said))
        return super().resolution()
