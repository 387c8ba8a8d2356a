"""The turn while it is being resolved: the state that changes, the orders, what was noted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from referee.rules.dice import Dice
from referee.rules.ruleset import Outcome, Resolution, Seat
from referee.rules.wording import sentence
from referee.rulesets.fistful.orders import Letter, Order, Recon, Ships, StarNumber, Withdraw
from referee.rulesets.fistful.state import Fleet, Note, Star, State

T = TypeVar("T", bound=Order)

DONE: Final = Outcome(done=True)
EVERYBODY: Final = None

BATTLES: Final = "Battles"
WITHDRAWALS: Final = "Withdrawals"
COLONIES: Final = "Colonies"
RECON: Final = "Recon"
MEETINGS: Final = "Fleets met"


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
    """A turn being resolved: *before* stays as it was, *state* is what the steps change.

    The steps draw at ``STAR|ROUND|INDEX``, one die for each pair of ships in a battle.
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
                    given.fail("you have no seat in this game")
        self.paid: dict[StarNumber, int] = {}
        """The production points a star has spent."""
        self.fortifying: set[StarNumber] = set()
        self.growing: dict[StarNumber, Seat] = {}
        self.withdrawals: dict[tuple[Seat, Letter], Given[Withdraw]] = {}
        self.recons: dict[tuple[Seat, Letter], Given[Recon]] = {}
        self.captured: set[StarNumber] = set()

    def given(self, *kinds: type[T]) -> Iterator[Given[T]]:
        """Give the orders of these kinds that still stand, by seat and as they were typed."""
        for sheet in self.sheets.values():
            for given in sheet:
                if isinstance(given.order, kinds) and not given.failed:
                    yield given

    def fleet(self, given: Given[Any]) -> Fleet | None:
        """Give the fleet an order is for; else None, with the reason on the order."""
        fleet = self.state.fleet(given.seat, given.order.fleet)
        if fleet is None:
            given.fail(f"you have no fleet {given.order.fleet}")
        return fleet

    def colony(self, given: Given[Any]) -> Star | None:
        """Give the colony an order is for; else None, with the reason on the order."""
        star = self.state.stars.get(given.order.star)
        if star is None or star.owner != given.seat:
            given.fail(f"W{given.order.star} is not your colony")
            return None
        return star

    def add(self, seat: Seat, letter: Letter, star: StarNumber, ships: Ships) -> Fleet:
        """Add ships to a fleet at a star, which begins to exist if the letter was vacant."""
        fleet = self.state.fleet(seat, letter)
        if fleet is None:
            fleet = Fleet(letter, seat, star, Ships())
            self.state.fleets.append(fleet)
        fleet.ships += ships
        return fleet

    def drop_empty(self) -> None:
        """Free the letters of fleets without ships (rule 7)."""
        self.state.fleets = [fleet for fleet in self.state.fleets if fleet.ships]

    def tell(self, heading: str, text: str, seats: Iterable[Seat] | None = EVERYBODY) -> None:
        """Put a line into the reports of *seats*, or of both players."""
        for seat in self.state.players if seats is EVERYBODY else seats:
            self.state.players[seat].notes.append(Note(heading, text))

    def meet(self, star: StarNumber) -> None:
        """Tell both players whom they meet at a star without a battle (rule 21)."""
        for seat in self.state.players:
            enemy = self.state.other(seat)
            for fleet in self.state.fleets_at(star, enemy):
                text = (
                    f"At W{star} you met {self.name(enemy)}'s fleet {fleet.letter} ({fleet.ships})."
                )
                self.tell(MEETINGS, text, {seat})

    def name(self, seat: Seat) -> str:
        """Give a player's name."""
        return self.state.players[seat].name

    def resolution(self) -> Resolution[State, Order]:
        """Give the state after the turn, with the outcome of every order."""
        return Resolution(
            state=self.state,
            outcomes={
                seat: tuple((given.order, given.outcome()) for given in sheet)
                for seat, sheet in self.sheets.items()
            },
            events=(),
        )
