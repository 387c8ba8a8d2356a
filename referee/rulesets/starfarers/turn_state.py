"""A player's turn while it is being played: the state that changes, the orders, what was noted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from referee.rules.dice import Dice
from referee.rules.ruleset import Outcome, Resolution, Seat
from referee.rules.wording import sentence
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import Answer, Order, Want
from referee.rulesets.starfarers.state import Note, Player, Ship, State

T = TypeVar("T", bound=Order)

DONE: Final = Outcome(done=True)

TRAVEL: Final = "Travel"
BATTLES: Final = "Battles"
ENCOUNTERS: Final = "Encounters"
TRADE: Final = "Trade"
BUILDING: Final = "Building"
PLAYERS: Final = "News"
HEADINGS: Final = (PLAYERS, TRAVEL, BATTLES, ENCOUNTERS, TRADE, BUILDING)


@dataclass(slots=True, eq=False)
class Given(Generic[T]):
    """One order of a seat's sheet and what became of it so far."""

    seat: Seat
    order: T
    used: bool = False
    """Whether a step has dealt with it."""
    failed: bool = False
    remark: str = ""

    def fail(self, reason: str) -> None:
        """Let the order come to nothing; the first reason given stays."""
        if not self.failed:
            self.used, self.failed, self.remark = True, True, reason

    def settle(self, remark: str) -> None:
        """Note that the order was carried out after all, whatever was noted before."""
        self.used, self.failed, self.remark = True, False, remark

    def succeed(self, remark: str = "") -> None:
        """Note that the order was carried out."""
        self.used = True
        self.remark = self.remark or remark

    def outcome(self) -> Outcome:
        """Say what became of the order."""
        return Outcome(not self.failed, sentence(self.remark)) if self.remark else DONE


class Round:
    """What is played between two adjudications, on a copy of the state.

    The steps draw at ``thrust|N`` for the N-th battle of the round, once for each side, and at
    ``encounters`` when that deck is used up.
    """

    def __init__(
        self,
        state: State,
        orders: Mapping[Seat, Sequence[Order]],
        missed: frozenset[Seat],
        dice: Dice,
    ) -> None:
        self.state = state.copy()
        self.missed = missed
        """Who sent nothing: his ships mine nothing new."""
        self.game_dice = dice
        self.dice = dice.at(f"round {state.round}", state.stage.value, str(state.turn_of or ""))
        self.sheets: dict[Seat, list[Given[Any]]] = {
            seat: [Given(seat, order) for order in orders[seat]] for seat in sorted(orders)
        }
        self.state.notes = []
        for player in self.state.players.values():
            player.private = []
        for seat, sheet in self.sheets.items():
            for given in sheet:
                if seat not in state.players:
                    given.fail("you have no seat in this game")
        self.battles = 0
        self.arrived: dict[int, int] = {}
        """The ships that came to a hex this turn, and which hex."""
        self.mined: set[tuple[Seat, int]] = set()
        """Who has mined which planet this turn."""
        self.met: set[tuple[Seat, int]] = set()
        """Who has fought the pirates of which hex this turn."""
        self.offers: list[Given[Any]] = []
        """The offers to players that nobody has answered so far."""

    def given(self, seat: Seat, *kinds: type[T]) -> Iterator[Given[T]]:
        """Give a player's orders of these kinds that nothing has come of yet, as typed."""
        for given in self.sheets.get(seat, ()):
            if isinstance(given.order, kinds) and not given.used:
                yield given

    def about(self, seat: Seat, kind: type[T], ship: int) -> Given[T] | None:
        """Give the first order of a kind that a player gave to a ship."""
        return next((g for g in self.given(seat, kind) if g.order.ship == ship), None)  # type: ignore[attr-defined]  # only asked of orders to ships

    def ship(self, given: Given[Any]) -> Ship | None:
        """Give the ship an order is for; else None, with the reason on the order."""
        ship = self.state.ships.get(given.order.ship)
        if ship is None or ship.owner != given.seat:
            given.fail(f"you have no ship S{given.order.ship}")
            return None
        return ship

    def player(self, seat: Seat) -> Player:
        """Give the player in *seat*."""
        return self.state.players[seat]

    def name(self, seat: Seat) -> str:
        """Give a player's name."""
        return self.state.players[seat].name

    def swaps(self, seat: Seat, give: Goods, take: Goods) -> bool:
        """Let a player swap cards with whoever is no player, if he has them; say whether he had."""
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
        """Take cards from a player if he has them; say whether he had."""
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
        """Give the state afterwards; what no step dealt with had no occasion.

        A policy that was not needed has done what it was for.
        """
        for given in (given for sheet in self.sheets.values() for given in sheet):
            if isinstance(given.order, Want | Answer) and not given.used and self.ship(given):
                given.succeed("there was no occasion for it")
            elif not given.used:
                given.fail("there was no occasion for it")
        return Resolution(
            state=self.state,
            outcomes={
                seat: tuple((given.order, given.outcome()) for given in sheet)
                for seat, sheet in self.sheets.items()
            },
            events=(),
        )
