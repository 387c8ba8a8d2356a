"""A section while it is resolved: the changing state, the orders and the news."""

from collections.abc import Iterable
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.orders import Order, ShipNumber
from referee.rulesets.singularity.state import Note, Planet, Player, Ship, State

ECONOMY: Final = "Economy"
MOVEMENT: Final = "Movement"
COMBAT: Final = "Combat"
PLANETS: Final = "Owners and colours"
POLITICS: Final = "Politics"
HEADINGS: Final = (ECONOMY, MOVEMENT, COMBAT, PLANETS, POLITICS)


class Turn(TurnState[State, Order]):
    """A section, or a whole turn, while it is resolved.

    The steps draw at ``combat|SPACE|ROUND|hit|SHIP|n``, ``…|unit|SHIP|n`` and ``…|target|SHIP|n``.
    """

    def begin(self) -> None:
        """Set up the records of the steps, and clear the news of the last section."""
        self.dice = self.dice.at(f"turn {self.before.turn}")
        for player in self.state.players.values():
            player.notes = []
        self.repaired: set[ShipNumber] = set()
        self.hidden: set[ShipNumber] = set()
        """The ships that went dark by order."""
        self.scrapped: dict[tuple[Seat, ShipNumber], str] = {}
        """The ships that were scrapped, by owner, and why."""
        self.ledger: dict[Seat, dict[str, int]] = {seat: {} for seat in self.state.players}
        """The points each player got and spent, by purpose."""

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

    def tell(self, heading: str, text: str, seats: Iterable[Seat], at: Space | None = None) -> None:
        """Add a line to the reports of *seats*."""
        for seat in sorted(set(seats)):
            self.state.players[seat].notes.append(Note(heading, text, at))

    def tell_all(self, heading: str, text: str) -> None:
        """Add a line to the reports of all players."""
        self.tell(heading, text, self.state.players)
