"""A player's turn while it is being played: the state that changes, the orders, what was noted."""

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
    """What is played between two adjudications, on a copy of the state.

    The steps draw at ``thrust|N`` for the N-th battle of the round, once for each side, and at
    ``encounters`` when that deck is used up. Ships of a seat that missed it mine nothing new.
    """

    def begin(self) -> None:
        """Set up what the steps note; the notes of the last round go."""
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
        """The ships that came to a hex this turn, and which hex."""
        self.mined: set[tuple[Seat, int]] = set()
        """Who has mined which planet this turn."""
        self.met: set[tuple[Seat, int]] = set()
        """Who has fought the pirates of which hex this turn."""
        self.offers: list[SheetOrder[Any]] = []
        """The offers to players that nobody has answered so far."""

    def about(self, seat: Seat, kind: type[T], ship: int) -> SheetOrder[T] | None:
        """Return the first order of a kind that a player gave to a ship."""
        return next((g for g in self.unused(seat, kind) if g.order.ship == ship), None)  # type: ignore[attr-defined]  # only asked of orders to ships

    def ship(self, given: SheetOrder[Any]) -> Ship | None:
        """Return the ship an order is for; else None, with the reason on the order."""
        ship = self.state.ships.get(given.order.ship)
        if ship is None or ship.owner != given.seat:
            given.fail(f"you have no ship S{given.order.ship}")
            return None
        return ship

    def player(self, seat: Seat) -> Player:
        """Return the player in *seat*."""
        return self.state.players[seat]

    def swaps(self, seat: Seat, give: Goods, take: Goods) -> bool:
        """Let a player swap cards with whoever is no player, if he has them, and return whether he
        had."""
        if not self.pay(seat, give):
            return False
        self.earn(seat, take)
        return True

    def bring(self, ship: Ship, number: int) -> None:
        """Put a ship onto a hex, with the mercenaries that go with it (rule 21)."""
        for each in self.state.with_ship(ship):
            each.hex = number
        ship.hex = number
        self.arrived[ship.number] = number

    def earn(self, seat: Seat, cards: Goods) -> None:
        """Give a player cards."""
        self.player(seat).hand += cards

    def pay(self, seat: Seat, cards: Goods) -> bool:
        """Take cards from a player if he has them, and return whether he had."""
        player = self.player(seat)
        if not player.hand.covers(cards):
            return False
        player.hand -= cards
        return True

    def tell(self, heading: str, text: str, *hexes: int) -> None:
        """Put a line into the public report, in fog for those alone who see one of the hexes."""
        readers = None
        if hexes and self.state.rules.fog:
            galaxies = {self.state.hexes[number].galaxy for number in hexes}
            readers = frozenset(
                seat for seat in self.state.players for g in galaxies if self.state.sees(seat, g)
            )
        self.state.notes.append(Note(heading, text, readers))

    def whisper(self, seats: Iterable[Seat], heading: str, text: str) -> None:
        """Put a line into the reports of some players alone."""
        for seat in seats:
            self.player(seat).private.append(Note(heading, text))

    def resolution(self) -> Resolution[State, Order]:
        """Return the state afterwards; what no step dealt with had no occasion.

        A policy that was not needed has done what it was for.
        """
        for given in self.all_given():
            if (
                isinstance(given.order, Want | EncounterAnswer)
                and not given.used
                and self.ship(given)
            ):
                given.succeed("there was no occasion for it")
            elif not given.used:
                given.fail("there was no occasion for it")
        return super().resolution()
