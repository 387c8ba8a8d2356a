"""A section while it is resolved: the changing state, the orders and the log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.rules.ruleset import Event, Resolution, Seat, Weight
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.orders import Order, ShipNumber
from referee.rulesets.singularity.state import Planet, Player, Ship, State

ECONOMY: Final = "Economy"
MOVEMENT: Final = "Movement"
COMBAT: Final = "Combat"
PLANETS: Final = "Owners and colours"
POLITICS: Final = "Politics"
HEADINGS: Final = (ECONOMY, MOVEMENT, COMBAT, PLANETS, POLITICS)


@dataclass(frozen=True, slots=True)
class Struck:
    """A ship that was hit in a round of combat, as it was after it, and the owners of the hits."""

    ship: Ship
    by: frozenset[Seat]


class Turn(TurnState[State, Order]):
    """A section, or a whole turn, while it is resolved.

    The steps draw at ``combat|SPACE|ROUND|hit|SHIP|n``, ``…|unit|SHIP|n`` and ``…|target|SHIP|n``.
    """

    def begin(self) -> None:
        """Set up the records of the steps."""
        self.dice = self.dice.at(f"turn {self.before.turn}")
        self.repaired: set[ShipNumber] = set()
        self.hidden: set[ShipNumber] = set()
        """The ships that went dark by order."""
        self.scrapped: dict[tuple[Seat, ShipNumber], str] = {}
        """The ships that were scrapped, by owner, and why."""
        self.unpaid: list[Ship] = []
        """The ships that were scrapped because nobody paid for them."""
        self.struck: list[Struck] = []
        players = self.by_name(self.state.players)
        self.ledger: dict[Seat, dict[str, int]] = {seat: {} for seat in players}
        """The points each player got and spent, by purpose."""
        self.told: list[tuple[Space, Event]] = []
        """The lines of the log, with the space that each is about."""

    def ship(self, given: SheetOrder[Any]) -> Ship | None:
        """Return the ship of an order, or None after failing the order with the reason."""
        if reason := self.objection_to_ship(given):
            given.fail(reason)
            return None
        return self.state.ships[given.order.ship]

    def objection_to_ship(self, given: SheetOrder[Any]) -> str:
        """Return why a player cannot order a ship, or an empty string."""
        number = given.order.ship
        ship = self.state.ships.get(number)
        if ship is not None and ship.owner == given.seat:
            return ""
        return self.scrapped.get((given.seat, number), f"you have no ship S{number}")

    def planet(self, given: SheetOrder[Any]) -> Planet | None:
        """Return the planet of an order, or None after failing the order with the reason."""
        planet = self.state.planets.get(given.order.planet)
        if planet is not None and planet.owner == given.seat:
            return planet
        last = len(self.state.rules.board.columns)
        absent = f"there is no planet W{given.order.planet}. The planets are W1 to W{last}"
        given.fail(absent if planet is None else f"W{planet.column} is not your planet")
        return None

    def player(self, seat: Seat) -> Player:
        """Return the player in *seat*."""
        return self.state.players[seat]

    def book(self, seat: Seat, what: str, points: int) -> None:
        """Add points to a player, or take them if negative, and record the purpose."""
        self.player(seat).points += points
        self.ledger[seat][what] = self.ledger[seat].get(what, 0) + points

    def space(self, at: Space) -> str:
        """Return a space as orders write it."""
        return self.state.rules.board.written(at)

    def is_planet(self, at: Space) -> bool:
        """Return whether a space is that of a planet."""
        return self.state.planets[at.column].level == at.level

    def place(self, at: Space) -> str:
        """Return the name of the planet in a space, or else the space as orders write it."""
        return f"W{at.column}" if self.is_planet(at) else self.space(at)

    def tell(self, heading: str, text: str, seats: Iterable[Seat], at: Space | None = None) -> None:
        """Add a line to the logs of *seats*."""
        places = (self.place(at),) if at is not None and self.is_planet(at) else ()
        event = Event(text, frozenset(seats), Weight.DETAIL, places, heading)
        self.told.append((at or Space(0, 0), event))

    def tell_all(self, heading: str, text: str) -> None:
        """Add a line to the logs of all players."""
        self.tell(heading, text, self.state.players)

    @property
    def log(self) -> Sequence[Event]:
        """The log: lines about one space are together, in the order in which things happened."""
        return [event for _, event in sorted(self.told, key=lambda line: line[0])]

    def resolution(self) -> Resolution[State, Order]:
        """Return the resolution, with the log after the news."""
        self.events += self.log
        return super().resolution()
