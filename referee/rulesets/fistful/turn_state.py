"""The turn while it is being resolved: the state that changes, the orders, what was noted."""

from collections.abc import Iterable
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.fistful.orders import Letter, Order, Recon, Ships, StarNumber, Withdraw
from referee.rulesets.fistful.state import Fleet, Note, Star, State

EVERYBODY: Final = None

BATTLES: Final = "Battles"
WITHDRAWALS: Final = "Withdrawals"
COLONIES: Final = "Colonies"
RECON: Final = "Recon"
MEETINGS: Final = "Fleets met"


class Turn(TurnState[State, Order]):
    """A turn being resolved.

    The steps draw at ``STAR|ROUND|INDEX``, one die for each pair of ships in a battle.
    """

    def begin(self) -> None:
        """Set up what the steps note; the notes of the last turn go."""
        self.dice = self.dice.at(f"turn {self.before.turn}")
        for player in self.state.players.values():
            player.notes = []
        self.paid: dict[StarNumber, int] = {}
        """The production points a star has spent."""
        self.fortifying: set[StarNumber] = set()
        self.growing: dict[StarNumber, Seat] = {}
        self.withdrawals: dict[tuple[Seat, Letter], SheetOrder[Withdraw]] = {}
        self.recons: dict[tuple[Seat, Letter], SheetOrder[Recon]] = {}
        self.captured: set[StarNumber] = set()

    def fleet(self, given: SheetOrder[Any]) -> Fleet | None:
        """Return the fleet an order is for; else None, with the reason on the order."""
        fleet = self.state.fleet(given.seat, given.order.fleet)
        if fleet is None:
            given.fail(f"you have no fleet {given.order.fleet}")
        return fleet

    def colony(self, given: SheetOrder[Any]) -> Star | None:
        """Return the colony an order is for; else None, with the reason on the order."""
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
