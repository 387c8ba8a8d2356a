"""A round while it is played: the changing state, the orders and the events."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from referee.rules.ruleset import Event, Resolution, Seat, Weight
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import EncounterAnswer, Order, Want
from referee.rulesets.starfarers.state import Card, Player, Ship, State

T = TypeVar("T", bound=Order)

TRAVEL: Final = "Travel"
BATTLES: Final = "Battles"
ENCOUNTERS: Final = "Encounters"
TRADE: Final = "Trade"
BUILDING: Final = "Building"
PLAYERS: Final = "News"
MOTHERSHIP: Final = "the mothership"
"""The name of a mothership in a battle."""
HEADINGS: Final = (PLAYERS, TRAVEL, BATTLES, ENCOUNTERS, TRADE, BUILDING)


@dataclass(frozen=True, slots=True)
class Loss:
    """A lost ship as it was before, how it was lost, and the name of who destroyed it."""

    ship: Ship
    how: str
    by: str = ""


class Attack(NamedTuple):
    """An attack: whose unit, its name, the hex, and who attacked it."""

    on: Seat
    unit: str
    hex: int
    by: str


class Capture(NamedTuple):
    """The capture of a base, or its destruction by pirates (None)."""

    base: int
    loser: Seat
    taker: Seat | None


class Meeting(NamedTuple):
    """The first meeting of a player with the people of a planet, by a ship."""

    seat: Seat
    ship: int
    hex: int
    card: Card


class Retreat(NamedTuple):
    """The retreat of a ship to a hex."""

    owner: Seat
    ship: int
    to: int


class Round(TurnState[State, Order]):
    """The part of a round between two adjudications, on a copy of the state.

    The steps draw at ``thrust|N`` for the N-th battle of the round, once for each side, and at
    ``encounters`` when that deck is empty. Ships of a seat that missed it mine nothing new.
    """

    def begin(self) -> None:
        """Set up the records of the steps."""
        before = self.before
        self.game_dice = self.dice
        self.dice = self.dice.at(
            f"round {before.round}", before.stage.value, str(before.turn_of or "")
        )
        self.battles = 0
        self.arrived: dict[int, int] = {}
        """The ships that came to a hex this turn, with the hex."""
        self.mined: set[tuple[Seat, int]] = set()
        """The players who have mined a planet this turn, with the hex."""
        self.met: set[tuple[Seat, int]] = set()
        """The players who have fought pirates this turn, with the hex."""
        self.offers: list[SheetOrder[Any]] = []
        """The offers that are not answered so far."""
        self.lost: list[Loss] = []
        self.attacks: list[Attack] = []
        self.captures: list[Capture] = []
        self.retreats: list[Retreat] = []
        self.won: list[tuple[Seat, str, int]] = []
        """The deeds of players in words, each with its hex."""
        self.people: list[Meeting] = []
        self.explored: list[tuple[Seat, int, str]] = []
        """The hexes that players explored, with the content in words."""

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
        """Add a line to the public log; in fog, only to that of seats that see one of the hexes."""
        readers = self._watching(*hexes) if hexes and self.state.rules.fog else None
        self._log(readers, heading, text, *hexes)

    def tell_rest(self, heading: str, text: str, number: int, *, seen: int) -> None:
        """Add a line for the seats that see a hex but not *seen*, which are none without fog."""
        if readers := self._watching(number) - self._watching(seen):
            self._log(readers, heading, text, number)

    def _log(self, readers: frozenset[Seat] | None, heading: str, text: str, *hexes: int) -> None:
        # In fog a reader can have lost sight of the hex when the map is drawn.
        places = () if self.state.rules.fog else tuple(f"H{number}" for number in hexes)
        self.events.append(Event(text, readers, Weight.DETAIL, places, heading))

    def _watching(self, *hexes: int) -> frozenset[Seat]:
        """Return the seats that see one of the hexes."""
        galaxies = {self.state.hexes[number].galaxy for number in hexes}
        seats = self.state.players
        return frozenset(s for s in seats for g in galaxies if self.state.sees(s, g))

    def whisper(self, seat: Seat, heading: str, text: str) -> None:
        """Add a line to the log of one player only."""
        self._log(frozenset({seat}), heading, text)

    def inform(
        self, seat: Seat, heading: str, text: str, *, weight: Weight = Weight.MEETING
    ) -> None:
        """Add a line to the log of one player only, which is also news."""
        self.whisper(seat, heading, text)
        self.events.append(Event(text, frozenset({seat}), weight))

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
