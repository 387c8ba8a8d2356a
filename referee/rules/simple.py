"""A ruleset base class with defaults for the functions that a small game does not need."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from referee.rules.extras import Extras
from referee.rules.ruleset import Guide, Seat, UserError
from referee.rules.views import Chart, View


class Seated(Protocol):
    """A state that knows its seats, for example as a mapping from each to its player."""

    @property
    def players(self) -> Iterable[Seat]:
        """The seats."""


S = TypeVar("S", bound=Seated)
O = TypeVar("O")  # noqa: E741 - the interface is Ruleset[S, O]: states and orders


class SimpleRuleset(ABC, Generic[S, O]):
    """The base class of a small game.

    The game itself defines ``info``, ``state_type``, ``setup``, ``phase``, ``grammar``, ``render``,
    ``validate``, ``resolve``, ``view`` and ``verdict``, and overrides the other functions if it
    wants to. ``referee.rules.ruleset.Ruleset`` documents each function. Python demands only
    ``render``, which a default needs; ``check`` lists everything else that is missing.
    """

    extras = Extras()

    @abstractmethod
    def render(self, order: O) -> str:
        """Return the canonical text of *order*."""

    def explain(self, state: S, seat: Seat, order: O) -> str:
        """Return nothing: the order needs no explanation."""
        del state, seat
        return self.render(order)

    def unused(self, state: S, seat: Seat, orders: Sequence[O]) -> Sequence[str]:
        """Return nothing: no sheet leaves anything unused."""
        del state, seat, orders
        return ()

    def defaults(self, state: S, seat: Seat, standing: Sequence[O]) -> Sequence[O]:
        """Return the standing orders, or none."""
        del state, seat
        return standing

    def forecast(self, state: S, seat: Seat, orders: Sequence[O]) -> View:
        """Return nothing: a seat cannot expect anything from only its own orders."""
        del state, seat, orders
        return ()

    def chart(self, state: S, seat: Seat) -> Chart:
        """Return an empty map: there is no board."""
        del state, seat
        return Chart((), ())

    def template(self, state: S, seat: Seat) -> Sequence[str]:
        """Return no lines: every order sheet begins empty."""
        del state, seat
        return ()

    def guide(self, state: S, seat: Seat) -> Guide:
        """Return an empty guide: the first report has none."""
        del state, seat
        return Guide()

    def contacts(self, state: S, seat: Seat) -> frozenset[Seat]:
        """Return all other seats: all players know each other."""
        return frozenset(state.players) - {seat}

    def correct(self, state: S, text: str) -> tuple[S, str]:
        """Raise UserError: this game has no corrections."""
        del state, text
        raise UserError("This game has no corrections. ROLLBACK undoes a turn.")

    def gm_notes(self, state: S) -> Sequence[str]:
        """Return nothing: the GM knows no more than the players."""
        del state
        return ()
