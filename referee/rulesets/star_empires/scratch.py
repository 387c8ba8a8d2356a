"""The scratch copy for rulings: the state as an empire knows it, with its orders applied."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.lookup import Found, one_sector, other_case, ships_of
from referee.rulesets.star_empires.orders import Ally, ShipSet, Unally
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.ships import cargo_by_carrier, with_cargo
from referee.rulesets.star_empires.state import Empire, Ship, State, World
from referee.rulesets.star_empires.steps.combat import COLLATERAL


class Rejected(Exception):
    """The rejection of an order; its arguments are the reasons."""


@dataclass(slots=True)
class Scratch:
    """The state as the empire knows it, with the orders so far applied, and the warnings."""

    roster: Roster
    empire: Empire
    seen: Mapping[Sector, set[Seat]]
    """The owners of the foreign ships seen closely, by sector."""
    declarations: Mapping[str, type[Ally | Unally]] = field(default_factory=dict)
    """The kind of the last declaration about each empire on the sheet, by its name, casefolded."""
    ended: set[Seat] = field(default_factory=set)
    """The empires with which the sheet has ended an alliance."""
    warnings: list[str] = field(default_factory=list)
    unloaded: set[int] = field(default_factory=set)
    automatic: set[int] = field(default_factory=set)
    """The missiles and devices that leave their carriers because they are used."""
    firing: set[int] = field(default_factory=set)
    journeys: dict[int, Sector | None] = field(default_factory=dict)
    """The destinations of the ships that move, by their numbers; None if it is random."""
    traversing: set[int] = field(default_factory=set)
    built: set[int] = field(default_factory=set)
    exploding: set[int] = field(default_factory=set)
    """The ships that blow themselves up, with their cargo."""
    gone: set[int] = field(default_factory=set)
    """The own ships that are lost by explosions, once combat has ended."""
    place: int = 0
    """The place on the sheet of the order that is being checked."""
    used: dict[int, int] = field(default_factory=dict)
    """The place of the order by which a ship leaves, is loaded or blows itself up."""
    lost: set[str] = field(default_factory=set)
    """The own worlds that the moves give up, once all moves have ended."""
    endangered: set[Sector] = field(default_factory=set)
    """Where the others seen could take or blockade a world against the own ships that stay."""
    risked: set[str] = field(default_factory=set)
    """The own worlds that are endangered once ships have left."""

    @property
    def state(self) -> State:
        """Return the state as the empire knows it."""
        return self.roster.state

    @property
    def seat(self) -> Seat:
        """Return the seat that gave the orders."""
        return self.empire.seat

    def casualties(self) -> list[Ship]:
        """Return the other own ships that the explosions so far destroy (R6.3.1)."""
        tonnage: Counter[Sector] = Counter()
        for number in self.exploding:
            ship = self.state.ships[number]
            tonnage[ship.at] += self.state.kind(ship).tonnage
        return [
            ship
            for ship in self.roster.fleet(self.seat)
            if not ship.loaded and ship.number not in self.exploding
            if ship.dp <= -(-tonnage[ship.at] // COLLATERAL)
        ]

    def end_combat(self) -> None:
        """Record the lost ships; the others repair themselves before they move (R6.3.5)."""
        self.gone = {ship.number for ship in with_cargo(self.state, self.casualties())}
        self.gone |= self.exploding
        for ship in self.roster.fleet(self.seat):
            ship.dp += self.state.self_repair(ship)

    @contextmanager
    def arrived(self) -> Iterator[None]:
        """Put the ships at the ends of their journeys, as they are after logistics and combat."""
        cargo = cargo_by_carrier(self.state)
        origins: list[tuple[list[Ship], Sector]] = []
        for number, to in self.journeys.items():
            ship = self.state.ships[number]
            if to is not None:
                origins.append(([ship, *cargo.get(number, ())], ship.at))
                self.roster.move(origins[-1][0], to)
        try:
            yield
        finally:
            for ships, at in origins:
                self.roster.move(ships, at)

    def warn(self, text: str) -> None:
        """Add a warning about the order that is being checked, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def able(self, ships: Iterable[Ship], objection: Callable[[Ship], str]) -> list[Ship]:
        """Return the ships without an objection, and warn about the others.

        Raises Rejected if no ship is left.
        """
        able = []
        for ship in ships:
            if reason := objection(ship):
                self.warn(reason)
            else:
                able.append(ship)
        if not able:
            raise Rejected(*self.warnings or ("there is no such ship",))
        return able

    def found(self, found: Found) -> tuple[Ship, ...]:
        """Return the ships that were found, and warn about names that were not."""
        for remark in found.remarks:
            self.warn(remark)
        return found.ships

    def group(self, ships: ShipSet) -> tuple[Ship, ...]:
        """Return the ships of an order. Raises Rejected if they are not all in one sector."""
        found = self.found(ships_of(self.roster, self.empire, ships))
        if not found:
            raise Rejected(*self.warnings or ("there is no such ship",))
        if one_sector(found) is None:
            raise Rejected("the ships are not all in one sector")
        return found

    def met(self, names: Iterable[str]) -> list[Empire]:
        """Return the empires in contact, and warn about others. Raises Rejected if none is."""
        known = {empire.name.casefold(): empire for empire in self.state.empires.values()}
        met = []
        for name in names:
            empire = known.get(name.casefold())
            if empire is None or empire.seat not in self.empire.contacts:
                self.warn(f"you are not in contact with {name}")
            else:
                met.append(empire)
        if not met:
            raise Rejected(*self.warnings)
        return met

    def world(self, name: str) -> World:
        """Return a known world. Raises Rejected if the empire does not know it."""
        if name not in self.state.worlds:
            meant = other_case(name, self.state.worlds)
            raise Rejected(f"you do not know a world called {name}{meant}")
        return self.state.worlds[name]

    def workshop(self, name: str) -> World:
        """Return a world that is to design or build, and warn if it cannot do so now."""
        world = self.world(name)
        if world.owner != self.seat:
            self.warn(f"{name} is not yours now")
            self.warn("a world that you take this turn cannot design or build yet")
        elif world.interdicted:
            self.warn(f"{name} is interdicted now")
        self.warn_if_lost(name)
        return world

    def warn_if_lost(self, name: str) -> None:
        """Warn if the sheet gives up a world, or could, before the order that needs it."""
        if name in self.lost:
            self.warn(f"you lose {name} before that")
        elif name in self.risked:
            self.warn(f"the ships seen at {name} could take, blockade or interdict it before that")
