"""Every case in ``scenarios/``: the rules of The Singularity Trap as data."""

import re
from pathlib import Path

import pytest

from referee.rulesets.singularity import RULESET
from referee.testing.scenarios import Case, OrderReading, cases, run_case

RULESETS = {"singularity": RULESET}
CASES = cases([Path(__file__).parent / "scenarios"], RULESETS)
READING = OrderReading()
RULES = {str(number) for number in range(1, 26)}
GAPS = {f"T{number}" for number in range(1, 23)}
"""What the rules leave open, and the game settles itself."""


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file.stem}: {case.name}" for case in CASES])
def test_scenario(case: Case) -> None:
    assert run_case(case, RULESETS, READING).differences == ()


def test_every_case_cites_the_rule_it_shows() -> None:
    assert [case.name for case in CASES if not case.content.get("cite")] == []


def test_no_two_cases_have_the_same_name() -> None:
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(set(names))


def test_no_rule_and_no_gap_goes_without_a_case() -> None:
    cited = {rule for case in CASES for rule in re.findall("T?[0-9]+", case.content["cite"])}
    assert (sorted(RULES - cited), sorted(GAPS - cited)) == ([], [])
    assert cited <= RULES | GAPS
