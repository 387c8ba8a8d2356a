"""The turn while it is being resolved: the state that changes, the orders, what was noted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Generic, TypeVar

from referee.rules.dice import Dice
from referee.rules.ruleset import Outcome, Resolution, Seat
from referee.rulesets.star_empires.hulls import STARBASE
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.ships import with_cargo
from referee.rulesets.star_empires.state import Empire, News, Ship, State, World

T = TypeVar("T", bound=Order)

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
    """Give remarks as a sentence; a ship's name in front stays as its empire writes it."""
    if not text:
        return ""
    word = text.split(maxsplit=1)[0]
    begin = text[:1] if any(each.isdigit() for each in word) else text[:1].upper()
    return f"{begin}{text[1:].rstrip('.')}."


@dataclass(slots=True, eq=False)
class Given(Generic[T]):
    """One order of a seat's sheet, whether anything came of it, and what is to be said of it."""

    seat: Seat
    order: T
    place: int
    """Where it stands on the sheet."""
    done: bool = False
    refused: bool = False
    """Whether it was refused before the deadline, so that it does not run."""
    remarks: list[str] = field(default_factory=list)

    def remark(self, text: str) -> None:
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
    """Give a ship as news name it, behind its class, and what there is to say of it."""
    # The starbase of every empire is called as its class; once is enough.
    name = ship.kind if ship.callsign == STARBASE else f"{ship.kind} {ship.callsign}"
    return f"{name} {what}".rstrip()


@dataclass(slots=True, eq=False)
class Turn:
    """A turn being resolved: *before* stays as it was, *state* is what the steps change.

    The steps draw at ``storm|NAME``, ``traverse|SEAT|n``, ``homeworld|SEAT`` and
    ``serial|SEAT|n``, each for one event of the turn.
    """

    before: State
    state: State
    sheets: dict[Seat, list[Given[Any]]]
    missed: frozenset[Seat]
    dice: Dice

    unloaded: set[int] = field(default_factory=set)
    """The ships that left their carriers this turn."""
    deployed: list[tuple[Seat, str, Sector]] = field(default_factory=list)
    """The devices at work: whose, of which class, and where."""
    exploding: set[int] = field(default_factory=set)
    """The ships that blow themselves up, and what they carry."""
    collateral: Counter[int] = field(default_factory=Counter)
    hits: Counter[int] = field(default_factory=Counter)
    """The damage that guns did to a ship."""
    shots: Counter[int] = field(default_factory=Counter)
    """The guns that a ship fired."""
    spent: set[int] = field(default_factory=set)
    """The missiles that were fired."""
    wrecks: list[Wreck] = field(default_factory=list)
    last_looks: set[tuple[Seat, Sector]] = field(default_factory=set)
    """Whose ships were destroyed where, so that they looked around for the last time."""
    changed_hands: set[str] = field(default_factory=set)
    """The worlds that got or lost an owner this turn."""
    doubled: set[str] = field(default_factory=set)
    """The worlds that became homeworlds this turn."""
    travelled: list[tuple[Seat, str, str]] = field(default_factory=list)
    """Who came through which portals."""
    built: int = 0
    made: dict[str, int] = field(default_factory=dict)
    """What each world produced this turn."""
    unspent: dict[str, int] = field(default_factory=dict)
    """What each world had left of its RU before it produced."""
    lists: dict[tuple[Seat, Stage, str], int] = field(default_factory=dict)
    """Where in an empire's news the ships of a heading stand."""
    lost: dict[tuple[Seat, str], str] = field(default_factory=dict)
    """What to say instead of that somebody has no such ship, when he had it before the turn."""

    @classmethod
    def begun(
        cls,
        state: State,
        orders: Mapping[Seat, Sequence[Order]],
        missed: frozenset[Seat],
        dice: Dice,
    ) -> "Turn":
        """Give a turn in which nothing has happened yet; it leaves *state* as it is."""
        sheets: dict[Seat, list[Given[Any]]] = {
            seat: [Given(seat, order, place) for place, order in enumerate(orders[seat])]
            for seat in sorted(orders)
        }
        for seat in sheets.keys() - state.empires.keys():
            for given in sheets[seat]:
                given.refused = True
                given.remark("you have no empire in this game")
        return cls(state, state.copy(), sheets, missed, dice.at(f"turn {state.turn}"))

    def given(self, kind: type[T]) -> list[Given[T]]:
        """Give the orders of a kind that run, by seat and as they were typed."""
        return [
            given
            for sheet in self.sheets.values()
            for given in sheet
            if type(given.order) is kind and not given.refused
        ]

    def empire(self, seat: Seat) -> Empire:
        """Give the empire in *seat*."""
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
        """Give who sees what happens in a sector now."""
        return self.state.present(sector)

    def name(self, seat: Seat) -> str:
        """Give an empire's name."""
        return self.state.empires[seat].name

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

    def own_world(self, given: Given[Any], name: str) -> World | None:
        """Give a world of the seat that ordered; else None, with the reason on the order."""
        world = self.state.worlds.get(name)
        if world is None or world.owner != given.seat:
            given.remark(f"{name} is not yours")
            return None
        return world

    def workshop(self, given: Given[Any], name: str) -> World | None:
        """Give a world that can design, build and pay for repairs this turn; else None (R6.5.2)."""
        world = self.own_world(given, name)
        if world is None:
            return None
        if name in self.changed_hands:
            given.remark(f"{name} became yours only this turn")
            return None
        if world.interdicted:
            given.remark(f"{name} is interdicted")
            return None
        return world

    def met(self, given: Given[Any], names: Iterable[str]) -> Iterator[Empire]:
        """Give the empires of those names that the seat is in contact with; remark on others."""
        contacts = self.empire(given.seat).contacts
        known = {empire.name.casefold(): empire for empire in self.state.empires.values()}
        for name in names:
            empire = known.get(name.casefold())
            if empire is None or empire.seat not in contacts:
                given.remark(f"you are not in contact with {name}")
            else:
                yield empire

    def resolution(self) -> Resolution[State, Order]:
        """Give the state after the turn, with the outcome of every order."""
        return Resolution(
            state=self.state,
            outcomes={
                seat: tuple((given.order, self._outcome(given)) for given in sheet)
                for seat, sheet in self.sheets.items()
            },
            events=(),
        )

    def _outcome(self, given: Given[Any]) -> Outcome:
        """Say what became of an order, and of its ships if they were destroyed before it ran."""
        lost = (self.lost.get((given.seat, each.casefold()), each) for each in given.remarks)
        given.remarks = list(dict.fromkeys(lost))
        return given.outcome()
