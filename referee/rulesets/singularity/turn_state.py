"""The section while it is being resolved: the state that changes, the orders, what was noted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from referee.rules.dice import Dice
from referee.rules.ruleset import Outcome, Resolution, Seat
from referee.rules.wording import sentence
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.orders import Order, ShipNumber
from referee.rulesets.singularity.state import Note, Planet, Player, Ship, State

T = TypeVar("T", bound=Order)

DONE: Final = Outcome(done=True)

ECONOMY: Final = "Economy"
MOVEMENT: Final = "Movement"
COMBAT: Final = "Combat"
PLANETS: Final = "Owners and colours"
POLITICS: Final = "Politics"
HEADINGS: Final = (ECONOMY, MOVEMENT, COMBAT, PLANETS, POLITICS)


def counted(number: int, what: str) -> str:
    """Write a number of things: ``1 planet``, ``2 planets``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


@dataclass(slots=True, eq=False)
class Given(Generic[T]):
    """One order of a seat's sheet and what became of it so far."""

    seat: Seat
    order: T
    failed: bool = False
    remark: str = ""

    def fail(self, reason: str) -> None:
        """Let the order come to nothing; the first reason given stays."""
        if not self.failed:
            self.failed, self.remark = True, reason

    def outcome(self) -> Outcome:
        """Say what became of the order."""
        return Outcome(not self.failed, sentence(self.remark)) if self.remark else DONE


class Turn:
    """A section, or a whole turn, being resolved: *before* stays, *state* changes.

    The steps draw at ``combat|SPACE|ROUND|hit|SHIP|n``, ``…|unit|SHIP|n`` and ``…|target|SHIP|n``.
    """

    def __init__(self, state: State, orders: Mapping[Seat, Sequence[Order]], dice: Dice) -> None:
        self.before = state
        self.state = state.copy()
        self.dice = dice.at(f"turn {state.turn}")
        self.sheets: dict[Seat, list[Given[Any]]] = {
            seat: [Given(seat, order) for order in orders[seat]] for seat in sorted(orders)
        }
        for player in self.state.players.values():
            player.notes = []
        for seat, sheet in self.sheets.items():
            for given in sheet:
                if seat not in state.players:
                    given.fail("you have no seat in this war")
        self.repaired: set[ShipNumber] = set()
        self.ledger: dict[Seat, dict[str, int]] = {seat: {} for seat in state.players}
        """What each player's points came from and went to."""

    def all_given(self) -> Iterator[Given[Any]]:
        """Give all orders, by seat and as they were typed."""
        for sheet in self.sheets.values():
            yield from sheet

    def given(self, *kinds: type[T]) -> Iterator[Given[T]]:
        """Give the orders of these kinds that still stand, by seat and as they were typed."""
        for given in self.all_given():
            if isinstance(given.order, kinds) and not given.failed:
                yield given

    def ship(self, given: Given[Any]) -> Ship | None:
        """Give the ship an order is for; else None, with the reason on the order."""
        ship = self.state.ships.get(given.order.ship)
        if ship is None or ship.owner != given.seat:
            given.fail(f"you have no ship S{given.order.ship}")
            return None
        return ship

    def planet(self, given: Given[Any]) -> Planet | None:
        """Give the planet an order is for; else None, with the reason on the order."""
        planet = self.state.planets.get(given.order.planet)
        if planet is None or planet.owner != given.seat:
            given.fail(f"W{given.order.planet} is not your planet")
            return None
        return planet

    def player(self, seat: Seat) -> Player:
        """Give the player in *seat*."""
        return self.state.players[seat]

    def book(self, seat: Seat, what: str, points: int) -> None:
        """Give a player points, or take them away, and note what for."""
        self.player(seat).points += points
        self.ledger[seat][what] = self.ledger[seat].get(what, 0) + points

    def name(self, seat: Seat) -> str:
        """Give a player's name."""
        return self.state.players[seat].name

    def space(self, at: Space) -> str:
        """Write a space."""
        return self.state.rules.board.written(at)

    def tell(self, heading: str, text: str, seats: Iterable[Seat], at: Space | None = None) -> None:
        """Put a line into the reports of *seats*."""
        for seat in sorted(set(seats)):
            self.state.players[seat].notes.append(Note(heading, text, at))

    def tell_all(self, heading: str, text: str) -> None:
        """Put a line into everybody's report."""
        self.tell(heading, text, self.state.players)

    def resolution(self) -> Resolution[State, Order]:
        """Give the state afterwards, and what became of every order."""
        return Resolution(
            state=self.state,
            outcomes={
                seat: tuple((given.order, given.outcome()) for given in sheet)
                for seat, sheet in self.sheets.items()
            },
            events=(),
        )
