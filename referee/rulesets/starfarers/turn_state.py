"""A round while it is played: the changing state, the orders and the news."""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from referee.rules.ruleset import Resolution, Seat
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import EncounterAnswer, Order, Want
from referee.rulesets.starfarers.state import Note, Player, Ship, State

T = TypeVar("T", bound=Order)

TRAVEL: Final = "Travel"
BATTLES: Final = "Battles"
ENCOUNTERS: Final = "Encounters"
TRADE: Final = "Trade"
BUILDING: Final = "Building"
PLAYERS: Final = "News"
HEADINGS: Final = (PLAYERS, TRAVEL, BATTLES, ENCOUNTERS, TRADE, BUILDING)


class Round(TurnState[State, Order]):
    """The part of a round between two adjudications, on a copy of the state.

    The steps draw at ``thrust|N`` for the N-th battle of the round, once for each side, and at
    ``encounters`` when that deck is empty. Ships of a seat that missed it mine nothing new.
    """

    def begin(self) -> None:
        """Set up the records of the steps, and clear the news of the last round."""
        before = self.before
        self.game_dice = self.dice
        self.dice = self.dice.at(
            f"round {before.round}", before.stage.value, str(before.turn_of or "")
        )
        self.state.notes = []
        for player in self.state.players.values():
            player.private = []
        self.battles = 0
        self.arrived: dict[int, int] = {}
        """The ships that came to a hex this turn, with the hex."""
        self.mined: set[tuple[Seat, int]] = set()
        """The players who have mined a planet this turn, with the hex."""
        self.met: set[tuple[Seat, int]] = set()
        """The players who have fought pirates this turn, with the hex."""
        self.offers: list[SheetOrder[Any]] = []
        """The offers that are not answered so far."""

    def about(self, seat: Seat, kind: type[T], ship: int) -> SheetOrder[T] | None:
        """Return the first unused order of a kind for a ship, or None."""
        return next((g for g in self.unused(seat, kind) if g.order.ship == ship), None)  # type: ignore[attr-defined]  # only asked of orders to ships

    def ship(self, given: SheetOrder[Any]) -> Ship | None:
        """Return the ship of an order, or None after failing the order with the reason."""
        ship = self.state.ships.get(given.order.ship)
        if ship is None or ship.owner != given.seat:
            given.fail(f"you have no ship S{given.order.ship}")
            return None
        return ship

    def player(self, seat: Seat) -> Player:
        """Return the player in *seat*."""
        return self.state.players[seat]

    def swaps(self, seat: Seat, give: Goods, take: Goods) -> bool:
        """Swap cards of a player with the supply. Return whether the player had them."""
        if not self.pay(seat, give):
            return False
        self.earn(seat, take)
        return True

    def bring(self, ship: Ship, number: int) -> None:
        """Move a ship to a hex, with the mercenaries that go with it (rule 21)."""
        for each in self.state.with_ship(ship):
            each.hex = number
        ship.hex = number
        self.arrived[ship.number] = number

    def earn(self, seat: Seat, cards: Goods) -> None:
        """Add cards to the hand of a player."""
        self.player(seat).hand += cards

    def pay(self, seat: Seat, cards: Goods) -> bool:
        """Take cards from a player. Return whether the player had them."""
        player = self.player(seat)
        if not player.hand.covers(cards):
            return False
        player.hand -= cards
        return True

    def tell(self, heading: str, text: str, *hexes: int) -> None:
        """Add a line to the public report. In fog, only seats that see one of the hexes read it."""
        readers = self._watching(*hexes) if hexes and self.state.rules.fog else None
        self.state.notes.append(Note(heading, text, readers))

    def tell_rest(self, heading: str, text: str, number: int, *, seen: int) -> None:
        """Add a line for the seats that see a hex but not *seen*, which are none without fog."""
        if readers := self._watching(number) - self._watching(seen):
            self.state.notes.append(Note(heading, text, readers))

    def _watching(self, *hexes: int) -> frozenset[Seat]:
        """Return the seats that see one of the hexes."""
        galaxies = {self.state.hexes[number].galaxy for number in hexes}
        seats = self.state.players
        return frozenset(s for s in seats for g in galaxies if self.state.sees(s, g))

    def whisper(self, seats: Iterable[Seat], heading: str, text: str) -> None:
        """Add a line to the reports of some players only."""
        for seat in seats:
            self.player(seat).private.append(Note(heading, text))

    def resolution(self) -> Resolution[State, Order]:
        """Return the resolution. Orders that no step used had no chance to be carried out.

        Policies that were not needed count as carried out.
        """
        for given in self.all_given():
            if (
                isinstance(given.order, Want | EncounterAnswer)
                and not given.used
                and self.ship(given)
            ):
                given.succeed("it was not needed")
            elif not given.used:
                given.fail("there was no chance to do it this turn")
        return super().resolution()
