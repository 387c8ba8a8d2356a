"""Games that the robots of a ruleset play, with the orders of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.extras import Strength, extras_of
from referee.rules.ruleset import Ruleset, RulingKind, Seat, SignUp

NAMES: Final = ("RED", "BLUE", "GREEN", "GOLD")
DICE: Final = Dice(b"robots")


@dataclass(frozen=True)
class Sent:
    """The orders of a robot in a state, before any is left out."""

    state: Any
    seat: Seat
    orders: Sequence[Any]


@dataclass(frozen=True)
class Played:
    """What all robots sent in a game, and the state at its end."""

    sent: tuple[Sent, ...]
    end: Any


def sent(
    rules: Ruleset[Any, Any], state: Any, seat: Seat, strength: Strength, turn: int = 1
) -> Sent:
    """Return the orders of the robot of a seat."""
    robot = extras_of(rules).robot
    assert robot is not None
    return Sent(state, seat, tuple(robot(state, seat, strength, DICE.at(turn, seat))))


def played(
    rules: Ruleset[Any, Any],
    strengths: Sequence[Strength],
    turns: int,
    options: Mapping[str, int | str | bool],
) -> Played:
    """Play a game of so many turns, or until the rules end it."""
    seats = [SignUp(Seat(n), NAMES[n - 1]) for n, _ in enumerate(strengths, 1)]
    state, game = rules.setup(seats, options, DICE), list[Sent]()
    for turn in range(1, turns + 1):
        if rules.verdict(state) is not None:
            break
        awaiting = sorted(rules.phase(state).awaiting)
        now = [sent(rules, state, seat, strengths[seat - 1], turn) for seat in awaiting]
        game += now
        orders = {each.seat: each.orders for each in now}
        state = rules.resolve(state, orders, frozenset(), DICE).state
    return Played(tuple(game), state)


def rejections(rules: Ruleset[Any, Any], each: Sent) -> list[str]:
    """Return the orders that the rules reject, with the reasons."""
    rulings = rules.validate(each.state, each.seat, each.orders)
    return [
        f"{rules.render(order)}: {ruling.reason}"
        for order, ruling in zip(each.orders, rulings, strict=True)
        if ruling.kind is RulingKind.REJECTED
    ]
