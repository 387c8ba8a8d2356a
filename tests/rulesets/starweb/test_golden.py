"""A game of thirty turns and fifteen players, kept as a file that must not change.

``make golden`` plays the game again from the sheets in the file, and writes the file.
"""

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.text import render_printout
from referee.testing import golden_games
from referee.testing.casts.starweb import GOLDEN
from referee.testing.golden import Played
from referee.testing.scenarios import OrderReading
from tests.rulesets.starweb.text.notation import parse_printout

READING = OrderReading()
FEWEST_TURNS = 28
BEGINNING = GOLDEN.beginning
NAMES = [signup.name for signup in BEGINNING.seats]


@pytest.fixture(scope="module")
def replayed() -> tuple[Played, ...]:
    return tuple(golden_games.replayed(RULESET, GOLDEN))


def test_the_game_comes_out_as_it_was(replayed: tuple[Played, ...]) -> None:
    assert golden_games.differences(GOLDEN, replayed) == []


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
            # NEWS comes above the printout.
            printout = report[report.index("Game SW-") :]
            assert render_printout(parse_printout(printout)) == printout, (played.turn, name)


def test_no_rejected_order_is_carried_out_at_the_deadline(replayed: tuple[Played, ...]) -> None:
    wrong = []
    for played in replayed[:15]:
        state, grammar = played.state, RULESET.grammar(RULESET.phase(played.state))
        sheets = {seat.seat: READING(grammar, played.sheets[seat.name]) for seat in BEGINNING.seats}
        resolution = RULESET.resolve(state, sheets, frozenset(), Dice(BEGINNING.seed))
        for seat, outcomes in resolution.outcomes.items():
            rulings = RULESET.validate(state, seat, sheets[seat])
            wrong += [
                (played.turn, seat, RULESET.render(order), ruling.reason)
                for (order, outcome), ruling in zip(outcomes, rulings, strict=True)
                if outcome.done and ruling.kind is RulingKind.REJECTED
            ]
    assert wrong == []
