"""A game of thirty turns and fifteen robots, kept whole: it comes out the same as ever.

Each file ``turn-NN.txt`` has the reports before the orders of that turn, then the orders. ``make
golden`` lets the robots play anew; what has changed then shows in the reports.
"""

import sys
from pathlib import Path

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp, Standing
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.text import parse_printout, render_printout
from referee.testing import golden
from referee.testing.golden import Beginning, Played, Writer, play, stored_sheets
from referee.testing.robots.starweb import CHARACTERS, form
from referee.testing.scenarios import OrderReading

READING = OrderReading()
GOLDEN = Path(__file__).parent / "golden"
FEWEST_TURNS, MOST_TURNS = 28, 35
NAMES = (
    *("ACHERON", "BOREAS", "CALYPSO", "DAEDALUS", "ELECTRA", "FAUNUS", "GALATEA", "HELIOS"),
    *("ICARUS", "JUNO", "KRONOS", "LETHE", "MEDEA", "NESTOR", "ORION"),
)
TYPES = {name: tuple(CHARACTERS)[place % len(CHARACTERS)] for place, name in enumerate(NAMES)}
BEGINNING = Beginning(
    tuple(
        SignUp(Seat(number), name, {"character": (TYPES[name],)})
        for number, name in enumerate(NAMES, 1)
    ),
    {"game": "SW-30", "worlds": 255},
    b"golden",
)
FORMS = """
FnTnFn FnTnI FnTnP InTnFn PnTnFn PnTnI InTnP WnSn WnBnI WnBnP WnBnFn WnInI WnInL WnBnR
PnMnWn CnMnWn FnWn FnWnWn FnWnWnWn FnPn InPn PnPn FnU FnUn FnJ FnJn FnN FnNn FnL FnLn VnFn VnW
FnAFn InAFn PnAFn FnAI FnAP FnAH InAC PnAC FnCFn InCFn PnCFn FnCI FnCP FnCH InCC PnCC
Z Zn A= N= L= X= J= FnG= WnG= WnX FnQ FnX FnB FnD FnRn SIGN
"""


@pytest.fixture(scope="module")
def replayed() -> tuple[Played, ...]:
    return tuple(play(RULESET, BEGINNING, stored_sheets(GOLDEN), MOST_TURNS))


def test_the_game_comes_out_as_it_was(replayed: tuple[Played, ...]) -> None:
    assert golden.files(replayed) == golden.kept(GOLDEN)


def test_the_game_is_played_to_its_end(replayed: tuple[Played, ...]) -> None:
    last = replayed[-1]
    assert last.turn > FEWEST_TURNS
    assert sorted(line.split()[0] for line in last.standing.splitlines()[2:]) == sorted(NAMES)


def test_every_form_of_order_is_carried_out_in_it(replayed: tuple[Played, ...]) -> None:
    done = {form(order) for played in replayed for order in played.done}
    assert done == {*FORMS.split(), "ENDING n"}


def test_few_orders_come_to_nothing(replayed: tuple[Played, ...]) -> None:
    failed = sum(len(played.failed) for played in replayed)
    assert failed < sum(len(played.done) for played in replayed) / 10


def test_every_report_reads_as_it_was_written(replayed: tuple[Played, ...]) -> None:
    for played in replayed:
        for name, report in played.reports.items():
            assert render_printout(parse_printout(report)) == report, (played.turn, name)


def test_nothing_is_refused_before_the_deadline_that_is_carried_out_at_it() -> None:
    write, dice, wrong = stored_sheets(GOLDEN), Dice(BEGINNING.seed), []
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
                if outcome.done and ruling.standing is Standing.REFUSED
            ]
        state = resolution.state
    assert wrong == []


def by_robots() -> Writer:
    """Give a writer that lets a robot of its character play each seat."""
    robots = {name: CHARACTERS[character]() for name, character in TYPES.items()}
    return lambda _turn, name, report: robots[name].sheet(report)


def test_the_robots_still_begin_like_that(replayed: tuple[Played, ...]) -> None:
    live = tuple(play(RULESET, BEGINNING, by_robots(), 3))
    assert [played.sheets for played in live[:3]] == [played.sheets for played in replayed[:3]]


def rewrite() -> None:
    """Let the robots play the game anew, and keep it; look at the difference afterwards."""
    played = tuple(play(RULESET, BEGINNING, by_robots(), MOST_TURNS))
    golden.keep(GOLDEN, golden.files(played))
    done = sum(len(turn.done) for turn in played)
    failed = sum(len(turn.failed) for turn in played)
    sys.stdout.write(
        f"{len(played) - 1} turns, {done} orders carried out, {failed} came to nothing.\n"
        f"{played[-1].standing}"
    )


if __name__ == "__main__":
    rewrite()
