"""A turn during its resolution: the orders of all sheets, their outcomes, and the steps."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, ParamSpec, Protocol, Self, TypeVar

from referee.rules.dice import Dice
from referee.rules.ruleset import Event, Outcome, Resolution, Seat
from referee.rules.wording import sentence

DONE: Final = Outcome(done=True)
NO_SEAT: Final = "you have no seat in this game"


class Named(Protocol):
    """A player with the name of their seat."""

    @property
    def name(self) -> str:
        """The name of the seat."""


class GameState(Protocol):
    """A state whose turns can be resolved here, with players and a copy function."""

    @property
    def players(self) -> Mapping[Seat, Named]:
        """The players by their seats, with those who are eliminated."""

    def copy(self) -> Self:
        """Return a copy that shares nothing mutable."""


S = TypeVar("S", bound=GameState)
O = TypeVar("O")  # noqa: E741 - orders, as in Ruleset[S, O]
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(slots=True, eq=False)
class SheetOrder(Generic[T]):
    """One order of a seat's sheet, with its outcome so far.

    An order without an outcome at the end of the turn was carried out.
    """

    seat: Seat
    order: T
    place: int = 0
    """The position on the sheet, from 0."""
    used: bool = False
    """Whether a step has handled the order."""
    failed: bool = False
    remark: str = ""

    def fail(self, reason: str) -> None:
        """Mark the order as failed. The first reason stays."""
        if not self.failed:
            self.used, self.failed, self.remark = True, True, reason

    def succeed(self, remark: str = "") -> None:
        """Mark the order as carried out. The first remark stays."""
        self.used, self.remark = True, self.remark or remark

    def outcome(self) -> Outcome:
        """Return the outcome of the order, with the remark as a sentence."""
        return Outcome(not self.failed, sentence(self.remark)) if self.remark else DONE


class Step(NamedTuple, Generic[P]):
    """A step of a turn, with the rule or the reason for its place in the sequence.

    It is called with the turn, and also with the seat where players play one after the other.
    """

    take: Callable[P, None]
    reason: str


class TurnState(Generic[S, O]):
    """A turn during its resolution: *before* does not change, and the steps change *state*.

    A game derives its own class from this one, sets up the records of its steps in ``begin``, and
    resolves a turn with ``GameTurn(state, orders, dice, defaulted).run(STEPS)``. Orders of seats
    that are not in the game fail before the first step.
    """

    order_type: type[SheetOrder[Any]] = SheetOrder
    """The class of an order on a sheet; a game can have its own."""

    def __init__(
        self,
        state: S,
        orders: Mapping[Seat, Sequence[O]],
        dice: Dice,
        defaulted: frozenset[Seat] = frozenset(),
    ) -> None:
        self.before = state
        self.state = state.copy()
        self.dice = dice
        self.defaulted = defaulted
        """The seats that missed the turn; one with an excuse, as an absence, did not."""
        self.sheets: dict[Seat, list[Any]] = {
            seat: [self.order_type(seat, order, place) for place, order in enumerate(orders[seat])]
            for seat in self.by_name(orders)
        }
        self.events: list[Event] = []
        for seat in self.sheets.keys() - state.players.keys():
            for given in self.sheets[seat]:
                given.fail(NO_SEAT)
        self.begin()

    def begin(self) -> None:
        """Set up the records of the game's own steps. Called once, before the first step."""

    def run(self, steps: Iterable[Step[[Self]]]) -> Resolution[S, O]:
        """Take the steps one after the other and return the resolution."""
        for step in steps:
            step.take(self)
        return self.resolution()

    def by_name(self, seats: Iterable[Seat]) -> list[Seat]:
        """Return seats in the sequence of their names, those that are not in the game last.

        What is done or told seat by seat follows it, so that nothing depends on who sits where.
        """
        found, players = {*seats}, self.state.players.keys()
        return [*sorted(found & players, key=self.name), *sorted(found - players)]

    def all_given(self) -> Iterator[SheetOrder[Any]]:
        """Yield all orders, by the names of their seats and as typed."""
        for sheet in self.sheets.values():
            yield from sheet

    def given(self, *kinds: type[T]) -> Iterable[SheetOrder[T]]:
        """Yield the orders of these kinds that have not failed, by name and as typed."""
        for given in self.all_given():
            if isinstance(given.order, kinds) and not given.failed:
                yield given

    def unused(self, seat: Seat, *kinds: type[T]) -> list[SheetOrder[T]]:
        """Return a seat's orders of these kinds that no step has handled, as typed."""
        return [
            given
            for given in self.sheets.get(seat, ())
            if isinstance(given.order, kinds) and not given.used
        ]

    def fail_except(self, kinds: tuple[type[O], ...], reason: Callable[[O], str]) -> None:
        """Mark all orders as failed except those of *kinds*, which belong to the phase."""
        for given in self.all_given():
            if not isinstance(given.order, kinds):
                given.fail(reason(given.order))

    def name(self, seat: Seat) -> str:
        """Return the name of a player."""
        return self.state.players[seat].name

    def resolution(self) -> Resolution[S, O]:
        """Return the state after the turn, one outcome for each order, and the events."""
        outcomes = {
            seat: tuple((given.order, given.outcome()) for given in sheet)
            for seat, sheet in self.sheets.items()
        }
        return Resolution(self.state, outcomes, tuple(self.events))
