"""Tournaments: games of robots, strength against strength."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.rules import ruleset as r
from referee.rules.dice import Dice
from referee.rules.extras import Extras, Strength
from referee.rules.robots import robot_orders
from referee.rules.simple import SimpleRuleset
from referee.rules.views import View
from referee.testing.casts.cast import Contest
from referee.testing.tournament import PAIRINGS, Game, Result, play, scores

ALMA, BRUNO = r.Seat(1), r.Seat(2)
HIGHEST: Final = {Strength.EASY: 3, Strength.NORMAL: 6, Strength.HARD: 12}
LOADED: Final = 13
"""A number that no die shows."""


@dataclass(frozen=True)
class Bid:
    """The order to bid a number."""

    number: int


@dataclass(frozen=True)
class State:
    """The points of each seat before a round."""

    round: int
    players: dict[r.Seat, int]


def bid(_state: State, _seat: r.Seat, strength: Strength, dice: Dice) -> list[Bid]:
    """Return a bid that the rules reject, and a die with more sides for a stronger robot."""
    return [Bid(LOADED), Bid(1 + dice.below(HIGHEST[strength]))]


class Bidding(SimpleRuleset[State, Bid]):
    """A game in which the sum of all bids counts, until somebody has the points to win."""

    info = r.RulesetInfo(
        key="bidding", prefix="BID", title="Bidding", edition="1", schema=1,
        fewest_seats=2, most_seats=2, options=(r.Option("lead", int, 0, "A lead.", 0, 99),),
        choices=(), names=r.NameRule("[A-Z]{2,12}", "letters", stock=("LEFT", "RIGHT")),
    )  # fmt: skip
    state_type = State
    extras = Extras(robot=bid)

    def setup(
        self, seats: Sequence[r.SignUp], options: Mapping[str, int | str | bool], dice: Dice
    ) -> State:
        return State(1, {each.seat: int(options["lead"]) * (each.seat == 1) for each in seats})

    def phase(self, state: State) -> r.Phase:
        return r.Phase("orders", "Bids", frozenset(state.players))

    def grammar(self, phase: r.Phase) -> r.Grammar:
        return r.Grammar("order: bid\nbid: NUMBER\nNUMBER: /[0-9]+/", {"bid": Bid})

    def render(self, order: Bid) -> str:
        return str(order.number)

    def validate(self, state: State, seat: r.Seat, orders: Sequence[Bid]) -> list[r.Ruling]:
        right, wrong = r.Ruling(r.RulingKind.ACCEPTED), r.Ruling(r.RulingKind.REJECTED, "Bid less.")
        return [wrong if each.number == LOADED else right for each in orders]

    def resolve(
        self, state: State, orders: Any, defaulted: frozenset[r.Seat], dice: Dice
    ) -> r.Resolution[State, Bid]:
        added = {seat: sum(each.number for each in orders.get(seat, ())) for seat in state.players}
        points = {seat: state.players[seat] + more for seat, more in added.items()}
        return r.Resolution(State(state.round + 1, points), {}, ())

    def view(self, state: State, seat: r.Seat | None, deadline: str) -> View:
        return ()

    def verdict(self, state: State) -> r.Verdict | None:
        best = max(state.players.values())
        winners = frozenset(seat for seat, points in state.players.items() if points == best)
        return r.Verdict(winners, ()) if best >= 100 else None


RULES: Final = Bidding()
SEATS: Final = (r.SignUp(ALMA, "ALMA"), r.SignUp(BRUNO, "BRUNO"))


def contest(lead: int = 0, turns: int = 5) -> Contest:
    return Contest((SEATS,), turns, {"lead": lead}, lambda state, seat: state.players[seat])


def games(contest: Contest, count: int) -> list[Game]:
    return [play(RULES, contest, pairing, n) for pairing in PAIRINGS for n in range(count)]


def results(played: list[Game]) -> list[Result]:
    return [game.result for game in played]


def test_a_better_robot_wins_most_games() -> None:
    assert [score.share > 0.8 for score in scores(games(contest(), 40))] == [True, True]


def test_seats_are_swapped_in_every_second_game() -> None:
    assert results(games(contest(lead=60, turns=1), 4)) == [Result.WON, Result.LOST] * 4


def test_a_contest_without_an_option_has_its_default() -> None:
    played = games(replace(contest(turns=1), options={}), 4)
    assert results(played) == results(games(contest(lead=0, turns=1), 4))


def test_a_game_without_turns_is_a_tie_that_counts_half() -> None:
    played = games(contest(turns=0), 3)
    assert results(played) == [Result.TIED] * 6
    assert [(score.tied, score.share) for score in scores(played)] == [(3, 0.5)] * 2


def test_the_rules_decide_a_game_that_has_ended() -> None:
    (hard, *_) = games(replace(contest(turns=99), score=None), 1)
    assert hard.result is Result.WON
    assert hard.turns < 99


def test_the_same_games_have_the_same_results() -> None:
    assert results(games(contest(), 10)) == results(games(contest(), 10))


def test_orders_that_are_rejected_are_not_sent() -> None:
    state = State(1, {ALMA: 0, BRUNO: 0})
    orders = robot_orders(RULES, state, ALMA, Strength.HARD, Dice(b"any"))
    assert [order.number == LOADED for order in orders] == [False]


def test_each_seat_and_turn_has_dice_of_its_own() -> None:
    dice, points = Dice(b"any"), {ALMA: 0, BRUNO: 0}
    sent = {
        robot_orders(RULES, State(turn, points), seat, Strength.HARD, dice.at(turn))
        for turn in range(6)
        for seat in points
    }
    assert len(sent) > 5


def test_a_ruleset_without_a_robot_sends_nothing() -> None:
    silent = Bidding()
    silent.extras = Extras()
    state = State(1, {ALMA: 0, BRUNO: 0})
    assert robot_orders(silent, state, ALMA, Strength.HARD, Dice(b"any")) == ()
