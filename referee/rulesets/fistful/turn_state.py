"""The turn being resolved: the changing state, the orders, and the notes of the steps."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.fistful.orders import Letter, Order, Recon, Ships, StarNumber, Withdraw
from referee.rulesets.fistful.state import Fleet, Star, State

EVERYBODY: Final = None

BATTLES: Final = "Battles"
WITHDRAWALS: Final = "Withdrawals"
COLONIES: Final = "Colonies"
RECON: Final = "Recon"
MEETINGS: Final = "Fleets met"


@dataclass(frozen=True, slots=True)
class Retreat:
    """A fleet that withdrew before the enemy."""

    owner: Seat
    letter: Letter
    left: StarNumber
    to: StarNumber


class Turn(TurnState[State, Order]):
    """A turn being resolved, with the notes that its steps leave for later steps.

    The steps draw at ``STAR|ROUND|INDEX``, one die for each pair of ships in a battle.
    """

    def begin(self) -> None:
        """Set up the notes of the steps."""
        self.dice = self.dice.at(f"turn {self.before.turn}")
        self.paid: dict[StarNumber, int] = {}
        """The production points spent, by star."""
        self.fortifying: set[StarNumber] = set()
        self.growing: dict[StarNumber, Seat] = {}
        self.withdrawals: dict[tuple[Seat, Letter], SheetOrder[Withdraw]] = {}
        self.recons: dict[
            tuple[Seat, Letter], tuple[SheetOrder[Recon], tuple[StarNumber, ...]]
        ] = {}
        """The recon orders of fleets, with the stars that they look at."""
        self.captured: set[StarNumber] = set()
        self.lost: list[Fleet] = []
        """The ships that fleets lost in battles, each with its star."""
        self.met: list[Fleet] = []
        """Fleets that the enemy met without a battle, as they were then."""
        self.retreats: list[Retreat] = []

    def fleet(self, given: SheetOrder[Any]) -> Fleet | None:
        """Return the fleet of an order, or None with a reason on the order."""
        fleet = self.state.fleet(given.seat, given.order.fleet)
        if fleet is None:
            given.fail(f"you have no fleet {given.order.fleet}")
        return fleet

    def colony(self, given: SheetOrder[Any]) -> Star | None:
        """Return the colony of an order, or None with a reason on the order."""
        star = self.state.stars.get(given.order.star)
        if star is None or star.owner != given.seat:
            given.fail(f"W{given.order.star} is not your colony")
            return None
        return star

    def add(self, seat: Seat, letter: Letter, star: StarNumber, ships: Ships) -> Fleet:
        """Add ships to a fleet at a star, and create the fleet if its letter is vacant."""
        fleet = self.state.fleet(seat, letter)
        if fleet is None:
            fleet = Fleet(letter, seat, star, Ships())
            self.state.fleets.append(fleet)
        fleet.ships += ships
        return fleet

    def drop_empty(self) -> None:
        """Remove fleets without ships, which frees their letters (rule 7)."""
        self.state.fleets = [fleet for fleet in self.state.fleets if fleet.ships]

    def tell(
        self, heading: str, text: str, *stars: StarNumber, seats: Iterable[Seat] | None = EVERYBODY
    ) -> None:
        """Add a line about *stars* to the logs of *seats*, by default of both players."""
        audience = frozenset(self.state.players if seats is EVERYBODY else seats)
        places = tuple(f"W{star}" for star in stars)
        self.events.append(Event(text, audience, Weight.DETAIL, places, heading))

    def meet(self, star: StarNumber) -> None:
        """Report to both players the fleets they meet at a star without a battle (rule 21)."""
        for seat in self.by_name(self.state.players):
            enemy = self.state.other(seat)
            for fleet in self.state.fleets_at(star, enemy):
                self.met.append(replace(fleet))
                text = (
                    f"At W{star} you met {self.name(enemy)}'s fleet {fleet.letter} ({fleet.ships})."
                )
                self.tell(MEETINGS, text, star, seats={seat})
