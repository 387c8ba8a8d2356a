"""Every case in ``scenarios/``: the rules of The Singularity Trap as data."""

from pathlib import Path

import pytest

from referee.rulesets.singularity import RULESET
from referee.testing.contract import unshown
from referee.testing.scenarios import cases, run_case

RULESETS = {"singularity": RULESET}
FOLDER = Path(__file__).parent / "scenarios"
CASES = cases([FOLDER], RULESETS)


@pytest.mark.parametrize("file", sorted({case.file for case in CASES}), ids=lambda file: file.stem)
def test_scenarios(file: Path) -> None:
    found = {case.name: run_case(case, RULESETS).differences for case in CASES if case.file == file}
    assert {name: differences for name, differences in found.items() if differences} == {}


def test_every_case_cites_the_rule_it_shows() -> None:
    assert [case.name for case in CASES if not case.content.get("cite")] == []


def test_no_two_cases_have_the_same_name() -> None:
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(set(names))


def test_every_form_of_order_is_carried_out_in_a_case() -> None:
    assert unshown(RULESET, FOLDER) == []
