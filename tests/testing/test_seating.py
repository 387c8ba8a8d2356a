"""Tests that no game but one whose players act in turn depends on the sequence of its seats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from referee.plugins import installed_rulesets
from referee.rules.dice import Dice
from referee.rules.extras import Extras
from referee.rules.ruleset import Event, Outcome, Phase, Resolution, Seat
from referee.rules.simple import SimpleRuleset
from referee.testing import golden_games
from referee.testing.contract import Position, seat_bound, turn
from referee.testing.seating import Reseated

RULESETS = installed_rulesets()
AT_ONCE = ["fistful", "star_empires", "starweb"]
GAMES = [
    pytest.param(key, name, marks=[pytest.mark.release] if key != "fistful" else [])
    for key in AT_ONCE
    for name in import_module(f"referee.testing.casts.{key}").CAST.golden
]
ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a game for a prize."""

    name: str
    rivals: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A game for a prize."""

    players: dict[Seat, Player]
    winner: Seat | None = None
    news: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bid:
    """An order with a seat in it."""

    rival: Seat


Draw = Callable[[State, Dice], Seat]


@dataclass
class PrizeRules(SimpleRuleset[State, Bid]):
    """A game that gives its prize to the player whom *draw* returns."""

    state_type = State

    draw: Draw
    extras: Extras = field(default_factory=Extras)
    news: Callable[[State], tuple[str, ...]] = lambda _state: ()

    def phase(self, state: State) -> Phase:
        """Return the only phase."""
        return Phase("orders", "Orders", frozenset(state.players))

    def render(self, order: Bid) -> str:
        """Return the text of an order."""
        return f"P{order.rival}"

    def resolve(
        self,
        state: State,
        orders: Mapping[Seat, Sequence[Bid]],
        defaulted: frozenset[Seat],
        dice: Dice,
    ) -> Resolution[State, Bid]:
        """Return the state with a winner, and with the rivals of each player."""
        del defaulted
        players = {
            seat: replace(player, rivals=tuple(each.rival for each in orders[seat]))
            for seat, player in state.players.items()
        }
        winner = self.draw(state, dice)
        after = State(players, winner, self.news(state))
        done = {seat: tuple((each, Outcome(done=True)) for each in orders[seat]) for seat in orders}
        return Resolution(after, done, (Event("It is over.", frozenset({winner})),))


START = State({ONE: Player("CATO"), TWO: Player("ALMA"), THREE: Player("BRUNO")})
BIDS = Position(START, {ONE: (Bid(TWO),), TWO: (Bid(THREE),), THREE: (Bid(ONE),)})


def by_name(state: State, dice: Dice) -> Seat:
    del dice
    return min(state.players, key=lambda seat: state.players[seat].name)


def by_seat(state: State, dice: Dice) -> Seat:
    del dice
    return min(state.players)


def by_lot(state: State, dice: Dice) -> Seat:
    return dice.at("prize").pick(sorted(state.players))


def by_throws(state: State, dice: Dice) -> Seat:
    return max(state.players, key=lambda seat: dice.at("throw", seat).below(1000))


@pytest.mark.parametrize("draw", [by_name, by_lot, by_throws])
def test_what_players_draw_is_set_aside(draw: Draw) -> None:
    rules: Any = PrizeRules(draw)
    assert [*turn(rules, BIDS)] == []


def test_a_prize_for_the_lowest_seat_is_a_fault() -> None:
    rules: Any = PrizeRules(by_seat)
    assert _decided(rules) == [
        "the state.winner: 1, and in reverse sequence 3",
        f"the events: {_event(1)}, and in reverse sequence {_event(3)}",
    ]


def test_news_in_the_sequence_of_the_seats_is_a_fault() -> None:
    rules: Any = PrizeRules(by_name, news=lambda state: (next(iter(state.players.values())).name,))
    assert _decided(rules) == ["the state.news: ('CATO',), and in reverse sequence ('BRUNO',)"]


def _decided(rules: Any) -> list[str]:
    """Return what the sequence of the seats decides."""
    ruled = "the sequence of the seats decides "
    return [each.removeprefix(ruled) for each in turn(rules, BIDS) if each.startswith(ruled)]


def _event(winner: int) -> str:
    return f"(Event(text='It is over.', audience=frozenset({{{winner}}}), weigh..."


def test_in_turn_the_sequence_of_the_seats_may_decide() -> None:
    rules: Any = PrizeRules(by_seat, extras=Extras(in_turn=True))
    assert [*turn(rules, BIDS)] == []


@pytest.mark.parametrize(
    "key",
    [
        "fistful",
        pytest.param("star_empires", marks=pytest.mark.slow),
        pytest.param("starweb", marks=pytest.mark.slow),
    ],
)
def test_no_case_depends_on_the_sequence_of_the_seats(key: str) -> None:
    folder = Path(__file__).parent.parent / "rulesets" / key / "scenarios"
    assert seat_bound(RULESETS[key], folder) == []


@pytest.mark.slow
@pytest.mark.parametrize(("key", "name"), GAMES)
def test_no_golden_game_depends_on_the_sequence_of_the_seats(key: str, name: str) -> None:
    game = import_module(f"referee.testing.casts.{key}").CAST.golden[name]
    reseated: Any = Reseated(RULESETS[key])
    again = tuple(golden_games.replayed(reseated, game))
    assert golden_games.differences(game, again) == []
