"""Golden games of The Singularity Trap: whole wars, replayed without a change.

``make golden`` plays the wars again from the sheets in their files, and writes the files.
"""

from functools import cache

import pytest

from referee.rulesets.singularity import RULESET
from referee.testing import golden_games
from referee.testing.casts.singularity import CAST
from referee.testing.golden import Played
from tests.support.examples import mostly_slow

WARS = CAST.golden
"""A war of every mode. The first mode has two, because an ally is abandoned in one of them."""
ENDINGS = {
    "single": "The faction of ABBOT and BISHOP has won.",
    "alone": "ABBOT held 25 planets for 3 turns.",
    "two": "The empire of ABBOT, BISHOP and CANTOR has won.",
    "full": "ABBOT held 13 planets for 3 cycles.",
}


@cache
def replayed(mode: str) -> tuple[Played, ...]:
    """Return the batches of a war, resolved again from its kept order sheets."""
    return tuple(golden_games.replayed(RULESET, WARS[mode]))


@pytest.mark.parametrize("mode", mostly_slow(WARS))
def test_a_replayed_war_equals_the_kept_file(mode: str) -> None:
    assert golden_games.differences(WARS[mode], replayed(mode)) == []


@pytest.mark.parametrize("mode", mostly_slow(WARS))
def test_the_war_is_played_to_its_verdict(mode: str) -> None:
    assert replayed(mode)[-1].standing.splitlines()[0] == ENDINGS[mode]


@pytest.mark.parametrize("mode", mostly_slow(WARS))
def test_no_line_of_a_report_is_too_wide_for_a_letter(mode: str) -> None:
    reports = [report for turn in replayed(mode) for report in turn.reports.values()]
    assert max(len(line) for report in reports for line in report.splitlines()) <= 78


@pytest.mark.parametrize("mode", mostly_slow(WARS))
def test_few_orders_fail(mode: str) -> None:
    failed = sum(len(turn.failed) for turn in replayed(mode))
    assert failed < sum(len(turn.done) for turn in replayed(mode)) / 8


@pytest.mark.slow
def test_only_combat_by_rounds_asks_some_players_for_no_orders() -> None:
    for mode in WARS:
        sheets = [turn.sheets for turn in replayed(mode)[:-1]]
        lost = "You are no longer in the war."
        asked = [
            bool(sheet)
            for turn, batch in zip(replayed(mode), sheets, strict=False)
            for name, sheet in batch.items()
            if lost not in " ".join(turn.reports[name].split())
        ]
        assert all(asked) == (mode != "full")
        assert not any(turn.missed for turn in replayed(mode))
