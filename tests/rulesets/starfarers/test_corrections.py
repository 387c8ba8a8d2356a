"""Corrections by GMs: their previews, and the reports of players that changed."""

import pytest

from referee.reports.changes import changes
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.state import State

ARGO, BEAGLE = Seat(1), Seat(2)


def table() -> State:
    signups = [SignUp(ARGO, "ARGO"), SignUp(BEAGLE, "BEAGLE")]
    state = RULESET.setup(signups, {}, Dice(b"corrected"))
    return RULESET.correct(state, "H5 [BEAGLE] 1,0 planet C\nH6 [BEAGLE] -1,0 empty")[0]


@pytest.mark.parametrize(
    "correction",
    ["S1 [ARGO] H2", "S2 [BEAGLE] H5", "H2 [BEAGLE] 0,4 mothership", "B1 [BEAGLE] colony H5"],
)
def test_a_corrected_report_does_not_say_that_a_hex_is_gone(correction: str) -> None:
    before = table()
    after, _ = RULESET.correct(before, correction)
    found = text(changes(RULESET.view(before, BEAGLE, ""), RULESET.view(after, BEAGLE, "")))
    assert "No longer here" not in found
    assert correction.split()[0] in found


def test_the_preview_has_the_old_values() -> None:
    state, _ = RULESET.correct(table(), "[ARGO] hostile BEAGLE")
    lines = "S1 [ARGO] H5\nB1 [ARGO] colony H5\n[ARGO] hand nothing\n[ARGO] hostile\nB1 -"
    assert RULESET.correct(state, lines)[1].splitlines() == [
        "Now: S1 [ARGO] H5. Before: S1 [ARGO] H1.",
        "Now: B1 [ARGO] colony H5.",
        "Now: [ARGO] hand nothing. Before: [ARGO] hand 1F1C1G1O1U.",
        "Now: [ARGO] hostile. Before: [ARGO] hostile BEAGLE.",
        "B1 is removed. Before: B1 [ARGO] colony H5.",
    ]
