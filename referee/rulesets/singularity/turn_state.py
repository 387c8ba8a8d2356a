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
        self.ledger: dict[Seat, dict[str, int]] = {seat: {} for seat in self.state.players}
        """The points each player got and spent, by purpose."""

    def ship(self, given: SheetOrder[Any]) -> Ship | None:
        """Return the ship of an order, or None after failing the order with the reason."""
        ship = self.state.ships.get(given.order.ship)
        if ship is None or ship.owner != given.seat:
            given.fail(f"you have no ship S{given.order.ship}")
            return None
        return ship

    def planet(self, given: SheetOrder[Any]) -> Planet | None:
        """Return the planet of an order, or None after failing the order with the reason."""
        planet = self.state.planets.get(given.order.planet)
        if planet is None or planet.owner != given.seat:
            given.fail(f"W{given.order.planet} is not your planet")
            return None
        return planet

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
