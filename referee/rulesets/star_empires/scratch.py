"""The scratch copy on which a sheet is ruled: what an empire believes, and what it pencilled in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.lookup import Found, one_sector, ships_of
from referee.rulesets.star_empires.orders import ShipSet
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.ships import with_cargo
from referee.rulesets.star_empires.state import Empire, Ship, State, World


class Refused(Exception):
    """Nothing can come of an order; the text says why."""


@dataclass(slots=True)
class Scratch:
    """What the empire believes, with the orders so far pencilled in, and what is to be said."""

    state: State
    empire: Empire
    seen: Mapping[Sector, set[Seat]]
    """Whose ships are seen closely in which sectors."""
    cautions: list[str] = field(default_factory=list)
    unloaded: set[int] = field(default_factory=set)
    firing: set[int] = field(default_factory=set)
    journeys: dict[int, Sector | None] = field(default_factory=dict)
    """Where the ships that move will be, by their numbers; None where chance decides."""
    traversing: set[int] = field(default_factory=set)
    built: set[int] = field(default_factory=set)

    @property
    def seat(self) -> Seat:
        """Return whose orders they are."""
        return self.empire.seat

    @contextmanager
    def arrived(self) -> Iterator[None]:
        """Let the ships be where their journeys end; before, logistics and combat are done."""
        origins: dict[int, Sector] = {}
        for number, to in self.journeys.items():
            for ship in with_cargo(self.state, [self.state.ships[number]]):
                origins[ship.number] = ship.at
                ship.at = ship.at if to is None else to
        try:
            yield
        finally:
            for number, at in origins.items():
                self.state.ships[number].at = at

    def caution(self, text: str) -> None:
        """Note what the player should know although the order stands."""
        if text not in self.cautions:
            self.cautions.append(text)

    def able(self, ships: Iterable[Ship], objection: Callable[[Ship], str]) -> list[Ship]:
        """Return the ships to which nothing is objected; caution about the others.

        Raises Refused when none is left.
        """
        able = []
        for ship in ships:
            if reason := objection(ship):
                self.caution(reason)
            else:
                able.append(ship)
        if not able:
            raise Refused("; ".join(self.cautions) or "there is no such ship")
        return able

    def found(self, found: Found) -> tuple[Ship, ...]:
        """Return the ships that were found, and caution about what was not."""
        for remark in found.remarks:
            self.caution(remark)
        return found.ships

    def group(self, ships: ShipSet) -> tuple[Ship, ...]:
        """Return the ships of an order, which must be in one sector. Raises Refused otherwise."""
        found = self.found(ships_of(self.state, self.empire, ships))
        if not found:
            raise Refused("; ".join(self.cautions) or "there is no such ship")
        if one_sector(found) is None:
            raise Refused("the ships are not in one sector")
        for ship in found:
            if ship.number in self.built:
                self.caution(f"{ship.callsign} is built only after all ships have moved")
        return found

    def met(self, names: Iterable[str]) -> list[Empire]:
        """Return the empires one is in contact with. Raises Refused when there is none of them."""
        known = {empire.name.casefold(): empire for empire in self.state.empires.values()}
        met = []
        for name in names:
            empire = known.get(name.casefold())
            if empire is None or empire.seat not in self.empire.contacts:
                self.caution(f"you are not in contact with {name}")
            else:
                met.append(empire)
        if not met:
            raise Refused("; ".join(self.cautions))
        return met

    def world(self, name: str) -> World:
        """Return a world one knows. Raises Refused for another."""
        if name not in self.state.worlds:
            raise Refused(f"you know no world {name}")
        return self.state.worlds[name]

    def workshop(self, name: str) -> World:
        """Return a world that is to design or build; caution when it cannot as things stand."""
        world = self.world(name)
        if world.owner != self.seat:
            self.caution(f"{name} is not yours now, and what you take this turn cannot work yet")
        elif world.interdicted:
            self.caution(f"{name} is interdicted now")
        return world
