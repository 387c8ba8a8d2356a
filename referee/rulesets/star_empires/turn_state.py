"""The turn while it is being resolved: the state that changes, the orders, what was noted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeVar

from referee.rules.ruleset import Outcome, Resolution, Seat
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.star_empires.hulls import STARBASE
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.ships import with_cargo
from referee.rulesets.star_empires.state import Empire, News, Ship, State, World

T = TypeVar("T")

NOTHING: Final = "nothing came of it"


class Stage(Enum):
    """The stages of a turn, under which the news stand."""

    ASTRONOMICS = "Astronomics"
    LOGISTICS = "Logistics"
    COMBAT = "Combat"
    MOVEMENT = "Movement"
    RESEARCH = "Research"
    MAINTENANCE = "Maintenance"
    INCOME = "Income"
    SCANNING = "Scanning"


def sentence(text: str) -> str:
    """Return remarks as a sentence; a ship's name in front stays as its empire writes it."""
    if not text:
        return ""
    word = text.split(maxsplit=1)[0]
    begin = text[:1] if any(each.isdigit() for each in word) else text[:1].upper()
    return f"{begin}{text[1:].rstrip('.')}."


@dataclass(slots=True, eq=False)
class EmpireOrder(SheetOrder[T]):
    """An order that fails unless something comes of it, and of which several things may be said.

    It has failed from the start if it was refused before the deadline.
    """

    done: bool = False
    remarks: list[str] = field(default_factory=list)

    def fail(self, reason: str) -> None:
        """Leave the order out of the turn."""
        self.failed = True
        self.note(reason)

    def note(self, text: str) -> None:
        """Note something that stands in the order's outcome."""
        if text not in self.remarks:
            self.remarks.append(text)

    def outcome(self) -> Outcome:
        """Say what became of the order."""
        said = "; ".join(self.remarks) or ("" if self.done else NOTHING)
        return Outcome(self.done, sentence(said))


@dataclass(frozen=True, slots=True)
class Wreck:
    """A ship that was destroyed this turn and whose design may be salvaged (R6.5.1)."""

    callsign: str
    kind: str
    owner: Seat
    at: Sector


def named(ship: Ship, what: str = "") -> str:
    """Return a ship as news name it, behind its class, and what there is to say of it."""
    # The starbase of every empire is called as its class; once is enough.
    name = ship.kind if ship.callsign == STARBASE else f"{ship.kind} {ship.callsign}"
    return f"{name} {what}".rstrip()


class Turn(TurnState[State, Order]):
    """A turn being resolved.

    The steps draw at ``storm|NAME``, ``traverse|SEAT|n``, ``homeworld|SEAT`` and
    ``serial|SEAT|n``, each for one event of the turn.
    """

    order_type = EmpireOrder

    def begin(self) -> None:
        """Set up what the steps note."""
        self.dice = self.dice.at(f"turn {self.before.turn}")
        self.unloaded: set[int] = set()
        """The ships that left their carriers this turn."""
        self.deployed: list[tuple[Seat, str, Sector]] = []
        """The devices at work: whose, of which class, and where."""
        self.exploding: set[int] = set()
        """The ships that blow themselves up, and what they carry."""
        self.collateral: Counter[int] = Counter()
        self.hits: Counter[int] = Counter()
        """The damage that guns did to a ship."""
        self.shots: Counter[int] = Counter()
        """The guns that a ship fired."""
        self.spent: set[int] = set()
        """The missiles that were fired."""
        self.wrecks: list[Wreck] = []
        self.last_looks: set[tuple[Seat, Sector]] = set()
        """Whose ships were destroyed where, so that they looked around for the last time."""
        self.changed_hands: set[str] = set()
        """The worlds that got or lost an owner this turn."""
        self.doubled: set[str] = set()
        """The worlds that became homeworlds this turn."""
        self.travelled: list[tuple[Seat, str, str]] = []
        """Who came through which portals."""
        self.built: int = 0
        self.made: dict[str, int] = {}
        """What each world produced this turn."""
        self.unspent: dict[str, int] = {}
        """What each world had left of its RU before it produced."""
        self.lists: dict[tuple[Seat, Stage, str], int] = {}
        """Where in an empire's news the ships of a heading stand."""
        self.lost: dict[tuple[Seat, str], str] = {}
        """What to say instead of that somebody has no such ship, when he had it before the turn."""

    def given(self, *kinds: type[T]) -> list[EmpireOrder[T]]:
        """Return the orders of these kinds that run, by seat and as they were typed."""
        return [
            given
            for sheet in self.sheets.values()
            for given in sheet
            if isinstance(given.order, kinds) and not given.failed
        ]

    def empire(self, seat: Seat) -> Empire:
        """Return the empire in *seat*."""
        return self.state.empires[seat]

    def tell(self, stage: Stage, audience: Iterable[Seat], text: str, *sectors: Sector) -> None:
        """Add a line to the news of *audience*; ``%s`` is a sector as each empire writes it."""
        for seat in sorted(set(audience) & self.state.empires.keys()):
            empire = self.state.empires[seat]
            local = tuple(written(empire.frame.local(sector)) for sector in sectors)
            empire.news.append(News(stage.value, text % local))

    def tell_of(
        self, stage: Stage, audience: Iterable[Seat], text: str, ship: str, *at: Sector
    ) -> None:
        """Add a ship, behind its class, to the news that *text* is: what happens to many at once.

        The sectors are as in ``tell``.
        """
        for seat in sorted(set(audience) & self.state.empires.keys()):
            empire = self.state.empires[seat]
            heading = text % tuple(written(empire.frame.local(sector)) for sector in at)
            place = self.lists.setdefault((seat, stage, heading), len(empire.news))
            if place == len(empire.news):
                empire.news.append(News(stage.value, heading, (ship,)))
            else:
                ships = (*empire.news[place].ships, ship)
                empire.news[place] = News(stage.value, heading, ships)

    def witnesses(self, sector: Sector) -> set[Seat]:
        """Return who sees what happens in a sector now."""
        return self.state.present(sector)

    def destroy(self, ships: Iterable[Ship], stage: Stage) -> None:
        """Remove ships with all they carry, telling those who are there (R6.3.4, R6.4.6)."""
        lost = with_cargo(self.state, list(ships))
        audiences = {ship.at: self.witnesses(ship.at) for ship in lost}
        self.last_looks |= {(ship.owner, ship.at) for ship in lost if not ship.loaded}
        for ship in lost:
            del self.state.ships[ship.number]
            for called in (ship.name, ship.serial):
                wanted = (ship.owner, f"you have no ship {called}".casefold())
                self.lost[wanted] = f"{ship.callsign} was lost before"
            if ship.number in self.spent:
                continue
            if ship.number not in self.exploding:
                self.wrecks.append(Wreck(ship.callsign, ship.kind, ship.owner, ship.at))
            how = "blows up" if ship.number in self.exploding else "loses"
            text = f"{self.name(ship.owner)} {how} at %s"
            self.tell_of(stage, audiences[ship.at], text, named(ship), ship.at)

    def own_world(self, given: EmpireOrder[Any], name: str) -> World | None:
        """Return a world of the seat that ordered; else None, with the reason on the order."""
        world = self.state.worlds.get(name)
        if world is None or world.owner != given.seat:
            given.note(f"{name} is not yours")
            return None
        return world

    def workshop(self, given: EmpireOrder[Any], name: str) -> World | None:
        """Return a world that can design, build and pay for repairs this turn; else None
        (R6.5.2)."""
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
        """Return the empires of those names that the seat is in contact with; remark on others."""
        contacts = self.empire(given.seat).contacts
        known = {empire.name.casefold(): empire for empire in self.state.empires.values()}
        for name in names:
            empire = known.get(name.casefold())
            if empire is None or empire.seat not in contacts:
                given.note(f"you are not in contact with {name}")
            else:
                yield empire

    def resolution(self) -> Resolution[State, Order]:
        """Return the result; of ships that were destroyed before their orders ran it says so."""
        for given in (given for sheet in self.sheets.values() for given in sheet):
            said = (self.lost.get((given.seat, each.casefold()), each) for each in given.remarks)
            given.remarks = list(dict.fromkeys(said))
        return super().resolution()
