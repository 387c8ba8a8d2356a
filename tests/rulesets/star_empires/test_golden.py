"""The golden game: six empires and twenty-five turns.

``make golden`` plays the game again from the sheets in its file, and writes the file.
"""

from itertools import chain, pairwise

import pytest

from referee.rules.ruleset import RulingKind
from referee.rules.views import Table
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.language import GRAMMAR
from referee.testing import golden_games
from referee.testing.casts.star_empires import GOLDEN, NAMES
from referee.testing.golden import Played
from referee.testing.scenarios import OrderReading

NEWS = (
    *("fires at", "survives at", "loses at", "blows up at", "repair themselves", "takes the world"),
    *("departs from", "arrives at", "You go through", "is your homeworld now"),
    *("is blockaded", "is interdicted", "You have no world left", "The storm at"),
    *("You design the", "gives you the design of", "You salvage the design", "builds at"),
    *("repairs at", "deploys a", "collapses the portal", "sends you the navigation data"),
    *("loads at", "unloads at", "RU. They are at"),
    *("has reformed", "You now have the navigation data", "shows you", "salvages the design"),
)
"""Texts that must occur in the news during the game."""


@pytest.fixture(scope="module")
def replayed() -> tuple[Played, ...]:
    return tuple(golden_games.replayed(RULESET, GOLDEN))


@pytest.mark.slow
def test_the_game_is_reproducible(replayed: tuple[Played, ...]) -> None:
    assert golden_games.differences(GOLDEN, replayed) == []


@pytest.mark.slow
def test_all_its_turns_are_played(replayed: tuple[Played, ...]) -> None:
    assert [turn.turn for turn in replayed] == [*range(1, GOLDEN.turns + 2)]


@pytest.mark.slow
def test_few_orders_fail(replayed: tuple[Played, ...]) -> None:
    failed = sum(len(turn.failed) for turn in replayed)
    assert failed < sum(len(turn.done) for turn in replayed) / 10


@pytest.mark.slow
def test_no_order_that_is_kept_was_rejected(replayed: tuple[Played, ...]) -> None:
    read = OrderReading()
    rejected = [
        (turn.turn, seat, RULESET.render(order), ruling.reason)
        for turn in replayed[:14]
        for seat, empire in turn.state.empires.items()
        for orders in [read(GRAMMAR, turn.sheets[empire.name])]
        for order, ruling in zip(orders, RULESET.validate(turn.state, seat, orders), strict=True)
        if ruling.kind is RulingKind.REJECTED
    ]
    assert rejected == []


@pytest.mark.slow
def test_no_forecast_counts_on_a_world_that_others_take(replayed: tuple[Played, ...]) -> None:
    read, counted, lost = OrderReading(), 0, []
    for turn, after in pairwise(replayed):
        for seat, empire in turn.state.empires.items():
            view = RULESET.forecast(turn.state, seat, read(GRAMMAR, turn.sheets[empire.name]))
            ledgers = (each for each in view if isinstance(each, Table) and each.title == "Ledger")
            for row in chain.from_iterable(each.rows for each in ledgers):
                world = after.state.worlds[row[0]]
                counted += 1
                if world.owner != seat:
                    lost.append((turn.turn, empire.name, world.name))
    assert counted > 400
    assert lost == []


def test_every_kind_of_news_occurs(replayed: tuple[Played, ...]) -> None:
    told = "\n".join(report for turn in replayed for report in turn.reports.values())
    assert [what for what in NEWS if what not in told] == []


def test_every_empire_has_contacts_and_fights(replayed: tuple[Played, ...]) -> None:
    last = replayed[-1].state
    assert [empire.name for empire in last.empires.values() if not empire.contacts] == []
    told = "\n".join(report for turn in replayed for report in turn.reports.values())
    assert [name for name in NAMES if f"{name} fires at" not in told] == []


def test_given_designs_are_built_by_others(replayed: tuple[Played, ...]) -> None:
    built = {
        empire.name
        for turn in replayed
        for empire in turn.state.empires.values()
        for ship in turn.state.fleet(empire.seat)
        if class_name(empire, ship.kind) == "corvette"
    }
    assert built > {"GREEN"}


def test_an_abandoned_empire_defends_itself(replayed: tuple[Played, ...]) -> None:
    silent = [turn.turn for turn in replayed if turn.missed]
    assert silent == [*range(12, GOLDEN.turns + 1)]
    assert {name for turn in replayed for name in turn.missed} == {"PLUM"}
    told = "\n".join(turn.reports["PLUM"] for turn in replayed if turn.turn > silent[0])
    assert "PLUM fires at" in told
    assert "PLUM builds at" in told
    assert "Your dedication rating is -31." in replayed[-1].reports["PLUM"]


def test_an_empire_loses_its_last_world(replayed: tuple[Played, ...]) -> None:
    assert any(empire.homeless for turn in replayed for empire in turn.state.empires.values())


def test_no_line_is_too_wide_for_a_letter(replayed: tuple[Played, ...]) -> None:
    lines = (line for turn in replayed for report in turn.reports.values()
             for line in report.splitlines())  # fmt: skip
    assert max(map(len, lines)) <= 78
