"""A game of thirty turns and fifteen robots, stored as files that must not change.

Each file ``turn-NN.txt`` has the reports before the orders of that turn, then the orders. ``make
golden`` plays the game again and writes the files; the diff shows what has changed.
"""

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.text import parse_printout, render_printout
from referee.testing import golden, golden_games
from referee.testing.golden import Played, stored_sheets
from referee.testing.robots.starweb import GOLDEN
from referee.testing.scenarios import OrderReading

READING = OrderReading()
FEWEST_TURNS = 28
BEGINNING = GOLDEN.beginning
NAMES = [signup.name for signup in BEGINNING.seats]


@pytest.fixture(scope="module")
def replayed() -> tuple[Played, ...]:
    return golden_games.replayed(RULESET, GOLDEN)


def test_the_game_comes_out_as_it_was(replayed: tuple[Played, ...]) -> None:
    assert golden.files(replayed) == golden.kept(GOLDEN.place)


def test_the_game_is_played_to_its_end(replayed: tuple[Played, ...]) -> None:
    last = replayed[-1]
    assert last.turn > FEWEST_TURNS
    assert sorted(line.split()[0] for line in last.standing.splitlines()[2:]) == sorted(NAMES)


def test_few_orders_fail(replayed: tuple[Played, ...]) -> None:
    failed = sum(len(played.failed) for played in replayed)
    assert failed < sum(len(played.done) for played in replayed) / 10


@pytest.mark.slow
def test_every_report_reads_as_it_was_written(replayed: tuple[Played, ...]) -> None:
    for played in replayed:
        for name, report in played.reports.items():
            assert render_printout(parse_printout(report)) == report, (played.turn, name)


def test_no_rejected_order_is_carried_out_at_the_deadline() -> None:
    write, dice, wrong = stored_sheets(GOLDEN.place), Dice(BEGINNING.seed), []
    state = RULESET.setup(BEGINNING.seats, BEGINNING.options, dice)
    for turn in range(1, 16):
        grammar = RULESET.grammar(RULESET.phase(state))
        sheets = {
            seat.seat: READING(grammar, write(turn, seat.name, "")) for seat in BEGINNING.seats
        }
        resolution = RULESET.resolve(state, sheets, frozenset(), dice)
        for seat, outcomes in resolution.outcomes.items():
            rulings = RULESET.validate(state, seat, sheets[seat])
            wrong += [
                (turn, seat, RULESET.render(order), ruling.reason)
                for (order, outcome), ruling in zip(outcomes, rulings, strict=True)
                if outcome.done and ruling.kind is RulingKind.REJECTED
            ]
        state = resolution.state
    assert wrong == []


def test_the_robots_still_begin_the_same_way(replayed: tuple[Played, ...]) -> None:
    live = golden_games.replayed_anew(RULESET, GOLDEN, 3)
    assert [played.sheets for played in live[:3]] == [played.sheets for played in replayed[:3]]
