"""What the scenarios cite: every rule, every gap that was filled, every option."""

import re

from referee.rulesets.fistful import RULESET
from tests.rulesets.fistful.test_scenarios import CASES

RULES = range(1, 23)
GAPS = range(1, 22)


def cited() -> set[str]:
    """Give what the cases cite: numbers of rules, gaps with their F, names of options."""
    citations = ", ".join(str(case.content["cite"]) for case in CASES)
    return set(re.findall(r"[A-Za-z0-9_.]+", citations)) - {"rule", "rules"}


def test_no_numbered_rule_is_without_a_scenario() -> None:
    assert [number for number in RULES if str(number) not in cited()] == []


def test_no_gap_is_without_a_scenario() -> None:
    assert [f"F{number}" for number in GAPS if f"F{number}" not in cited()] == []


def test_no_option_is_without_a_scenario() -> None:
    assert [option.name for option in RULESET.info.options if option.name not in cited()] == []


def test_no_scenario_cites_what_there_is_not() -> None:
    there = {*map(str, RULES), *(f"F{number}" for number in GAPS)}
    assert cited() - there - {option.name for option in RULESET.info.options} == set()
