"""The resolution of a turn: sheets, orders that fail, and steps in sequence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from referee.rules.dice import Dice
from referee.rules.ruleset import Event, Outcome, Seat
from referee.rules.turns import NO_SEAT, SheetOrder, Step, TurnState

ANN, BOB, NOBODY = Seat(1), Seat(2), Seat(3)


@dataclass
class Player:
    """A player of a game of counting."""

    name: str
    points: int = 0


@dataclass
class Count:
    """The state of a game in which players count."""

    players: dict[Seat, Player] = field(
        default_factory=lambda: {ANN: Player("ANN"), BOB: Player("BOB")}
    )

    def copy(self) -> Self:
        """Return a copy."""
        return type(self)({s: Player(p.name, p.points) for s, p in self.players.items()})


@dataclass(frozen=True)
class Add:
    """Add points."""

    points: int


@dataclass(frozen=True)
class Boast:
    """Say something."""

    text: str


class Turn(TurnState[Count, Add | Boast]):
    """A turn of the game."""

    def begin(self) -> None:
        """Set up the records of the steps."""
        self.noted: list[str] = []


def forbid_zero(turn: Turn) -> None:
    """Mark additions of zero as failed."""
    for given in turn.given(Add):
        if not given.order.points:
            given.fail("nothing is added")


def add(turn: Turn) -> None:
    """Add up the numbers."""
    for given in turn.given(Add):
        turn.state.players[given.seat].points += given.order.points
        given.succeed()
        turn.noted.append(f"{turn.name(given.seat)} {given.order.points}")


def boast(turn: Turn) -> None:
    """Announce the boasts to all players."""
    for given in turn.given(Boast):
        turn.events.append(Event(given.order.text, None))


STEPS: Final = (
    Step(forbid_zero, "before the sum"),
    Step(add, "what is left"),
    Step(boast, "last"),
)


def turn_of(orders: Mapping[Seat, Sequence[Add | Boast]]) -> Turn:
    """Return a new turn."""
    return Turn(Count(), orders, Dice(b"seed"))


def test_steps_change_a_copy_in_their_sequence() -> None:
    turn = turn_of({BOB: [Add(1), Boast("ha")], ANN: [Add(2)]})
    resolution = turn.run(STEPS)
    assert {p.name: p.points for p in resolution.state.players.values()} == {"ANN": 2, "BOB": 1}
    assert not any(player.points for player in turn.before.players.values())
    assert turn.noted == ["ANN 2", "BOB 1"]
    assert resolution.events == (Event("ha", None),)


def test_every_order_has_an_outcome_in_the_sequence_given() -> None:
    outcomes = turn_of({ANN: [Add(0), Boast("ha"), Add(3)]}).run(STEPS).outcomes
    assert outcomes == {
        ANN: (
            (Add(0), Outcome(done=False, reason="Nothing is added.")),
            (Boast("ha"), Outcome(done=True)),
            (Add(3), Outcome(done=True)),
        )
    }


def test_orders_of_a_seat_that_does_not_exist_fail_before_the_first_step() -> None:
    turn = turn_of({NOBODY: [Add(1), Boast("ha")], ANN: [Add(1)]})
    assert [given.seat for given in turn.given(Add, Boast)] == [ANN]
    assert [given.remark for given in turn.sheets[NOBODY]] == [NO_SEAT, NO_SEAT]
    assert turn.run(STEPS).state.players[ANN].points == 1


def test_the_first_reason_and_the_first_remark_stay() -> None:
    failed, done = SheetOrder(ANN, Add(1)), SheetOrder(ANN, Add(2))
    failed.fail("too late")
    failed.fail("too small")
    done.succeed("by a hair")
    done.succeed("with ease")
    assert failed.outcome() == Outcome(done=False, reason="Too late.")
    assert done.outcome() == Outcome(done=True, reason="By a hair.")


def test_an_order_can_fail_while_the_orders_are_gone_through() -> None:
    turn = turn_of({ANN: [Add(1), Add(2), Add(3)]})
    seen = []
    for given in turn.given(Add):
        seen.append(given.place)
        turn.sheets[ANN][given.place + 1 if given.place < 2 else 2].fail("one is enough")
    assert seen == [0, 2]


def test_unused_orders_are_those_that_no_step_handled() -> None:
    turn = turn_of({ANN: [Add(1), Add(2), Boast("ha"), Add(3)], BOB: [Add(4)]})
    first, second, *_ = turn.sheets[ANN]
    first.succeed()
    second.fail("no")
    assert [given.order for given in turn.unused(ANN, Add)] == [Add(3)]
    assert turn.unused(NOBODY, Add) == []


def test_orders_of_another_phase_fail_with_their_reason() -> None:
    turn = turn_of({ANN: [Add(1), Boast("ha")]})
    turn.fail_except((Add,), lambda order: f"{order} is for later")
    assert [given.failed for given in turn.all_given()] == [False, True]
    assert turn.sheets[ANN][1].remark == "Boast(text='ha') is for later"
