"""A game of twenty-five turns and six robots, kept whole: it comes out the same as ever.

Each file ``turn-NN.txt`` has the reports of those in ``FOLLOWED`` before the orders of that turn,
then the orders; the last has everybody's reports. ``make golden`` lets the robots play anew; what
has changed then shows in the reports.
"""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.rulings import CHECKS
from referee.testing import golden
from referee.testing.golden import Beginning, Played, Writer, play, stored_sheets
from referee.testing.robots.star_empires import TEMPERAMENTS
from referee.testing.robots.star_empires.reading import read_report
from referee.testing.scenarios import OrderReading

GOLDEN = Path(__file__).parent / "golden"
TURNS = 25
ROLES = dict(zip(("RED", "BLUE", "GREEN", "GOLD", "TEAL", "PLUM"), TEMPERAMENTS, strict=True))
FOLLOWED = ("GREEN", "GOLD")
BEGINNING = Beginning(
    tuple(SignUp(Seat(number), name) for number, name in enumerate(ROLES, 1)),
    {"game": "SE-25", "devices": True, "wormnets": 2, "alliance_size": 2},
    b"ah",
)
NEWS = (
    *("fires at", "survives at", "loses at", "blows up at", "repair themselves", "takes the world"),
    *("departs from", "arrives at", "You go through", "is your homeworld now"),
    *("is blockaded", "is interdicted", "You have no world left", "The storm at"),
    *("You design the", "gives you the design of", "You salvage the design", "builds at"),
    *("repairs at", "deploys a", "collapses the portal", "sends you the navigation data"),
    *("loads at", "unloads at", "RU, which are at"),
)
"""What must stand in somebody's news in the course of the game."""


def followed(played: tuple[Played, ...]) -> dict[str, str]:
    """Give the files that are kept of the game."""
    *before, last = played
    return golden.files([*map(_of_followed, before), last])


def _of_followed(turn: Played) -> Played:
    return replace(turn, reports={name: turn.reports[name] for name in FOLLOWED})


@pytest.fixture(scope="module")
def replayed() -> tuple[Played, ...]:
    return tuple(play(RULESET, BEGINNING, stored_sheets(GOLDEN), TURNS))


def test_the_game_comes_out_as_it_was(replayed: tuple[Played, ...]) -> None:
    assert followed(replayed) == golden.kept(GOLDEN)


def test_all_its_turns_are_played(replayed: tuple[Played, ...]) -> None:
    assert [turn.turn for turn in replayed] == [*range(1, TURNS + 2)]


def test_every_kind_of_order_is_carried_out_in_it(replayed: tuple[Played, ...]) -> None:
    read = OrderReading()
    done = {type(order) for turn in replayed for order in read(GRAMMAR, "\n".join(turn.done))}
    assert [kind.__name__ for kind in CHECKS if kind not in done] == []


def test_few_orders_come_to_nothing(replayed: tuple[Played, ...]) -> None:
    failed = sum(len(turn.failed) for turn in replayed)
    assert failed < sum(len(turn.done) for turn in replayed) / 10


def test_everything_that_is_told_happens_in_it(replayed: tuple[Played, ...]) -> None:
    told = "\n".join(report for turn in replayed for report in turn.reports.values())
    assert [what for what in NEWS if what not in told] == []


def test_everybody_meets_somebody_and_fights(replayed: tuple[Played, ...]) -> None:
    last = replayed[-1].reports
    assert [name for name in ROLES if not read_report(last[name]).contacts] == []
    told = "\n".join(report for turn in replayed for report in turn.reports.values())
    assert [name for name in ROLES if f"{name} fires at" not in told] == []


def test_designs_that_were_given_are_built_by_others(replayed: tuple[Played, ...]) -> None:
    built = {
        name
        for turn in replayed
        for name, report in turn.reports.items()
        for ship in read_report(report).ships
        if ship.kind == "corvette"
    }
    assert built > {"GREEN"}


def test_who_writes_no_more_defends_himself(replayed: tuple[Played, ...]) -> None:
    silent = [turn.turn for turn in replayed if turn.missed]
    assert silent == [*range(12, TURNS + 1)]
    assert {name for turn in replayed for name in turn.missed} == {"PLUM"}
    told = "\n".join(turn.reports["PLUM"] for turn in replayed if turn.turn > silent[0])
    assert "PLUM fires at" in told
    assert "PLUM builds at" in told
    assert "Your dedication rating is -31." in replayed[-1].reports["PLUM"]


def test_somebody_loses_his_last_world(replayed: tuple[Played, ...]) -> None:
    homeless = {
        name
        for turn in replayed
        for name, report in turn.reports.items()
        if not read_report(report).home
    }
    assert homeless


def test_no_line_is_too_wide_for_a_letter(replayed: tuple[Played, ...]) -> None:
    lines = (line for turn in replayed for report in turn.reports.values()
             for line in report.splitlines())  # fmt: skip
    assert max(map(len, lines)) <= 78


def by_robots() -> Writer:
    """Give a writer that lets a robot of its temperament play each seat."""
    robots = {name: TEMPERAMENTS[role]() for name, role in ROLES.items()}
    return lambda _turn, name, report: robots[name].orders(report)


def test_the_robots_still_begin_like_that(replayed: tuple[Played, ...]) -> None:
    live = tuple(play(RULESET, BEGINNING, by_robots(), 4))
    assert [turn.sheets for turn in live[:4]] == [turn.sheets for turn in replayed[:4]]


def rewrite() -> None:
    """Let the robots play the game anew, and keep it; look at the difference afterwards."""
    played = tuple(play(RULESET, BEGINNING, by_robots(), TURNS))
    golden.keep(GOLDEN, followed(played))
    done = sum(len(turn.done) for turn in played)
    failed = sum(len(turn.failed) for turn in played)
    sys.stdout.write(
        f"{len(played) - 1} turns, {done} orders carried out, {failed} came to nothing.\n"
    )


if __name__ == "__main__":
    rewrite()
