"""Completeness: every rule, gap and option has a scenario, and every rule is cited in code."""

import re
from pathlib import Path
from typing import Final

from referee.resources import folder
from referee.rulesets import singularity
from tests.rulesets.singularity.test_scenarios import CASES
from tests.rulesets.singularity.test_setup import ONLY_AT_SETUP

RULES: Final = {str(number) for number in range(1, 26)}
GAPS: Final = {f"T{number}" for number in range(1, 23)}
"""Questions that the rules leave open and this game answers."""
OPTIONS: Final = {option.name for option in singularity.RULESET.info.options}
FEWEST: Final = 160


def cited() -> set[str]:
    """Return what the cases cite: numbers of rules, gaps such as T1, names of options."""
    citations = ", ".join(str(case.content["cite"]) for case in CASES)
    return set(re.findall(r"[A-Za-z0-9_.]+", citations)) - {"rule", "rules"}


def in_code() -> set[str]:
    """Return the rules and gaps cited in the code, also ranges such as ``rules 1 to 3``."""
    folder = Path(singularity.__file__).parent
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        for words in re.findall(
            r"(?:rules?|\bT)\s?([0-9T]+(?:(?:, | and | to )T?[0-9]+)*)", file.read_text()
        ):
            found |= {*re.findall(r"T?[0-9]+", words)}
        found |= {*re.findall(r"\bT[0-9]+", file.read_text())}
    return found


def test_every_rule_has_a_scenario() -> None:
    assert sorted(RULES - cited()) == []


def test_every_gap_has_a_scenario() -> None:
    assert sorted(GAPS - cited()) == []


def test_every_option_has_a_scenario_or_a_test_of_the_setup() -> None:
    used = {name for case in CASES for name in case.content.get("options", {})}
    assert sorted(OPTIONS - used - ONLY_AT_SETUP) == []


def test_scenarios_cite_only_what_exists() -> None:
    assert sorted(cited() - RULES - GAPS - OPTIONS - {"ships"}) == []


def test_every_rule_and_gap_is_cited_in_the_code() -> None:
    assert sorted((RULES | GAPS) - in_code()) == []


def test_there_are_enough_scenarios() -> None:
    assert len(CASES) >= FEWEST


def test_every_option_is_in_the_rulebook() -> None:
    chapter = (folder("docs") / "rulesets" / "singularity.md").read_text(encoding="utf-8")
    assert sorted(option for option in OPTIONS if f"`{option}`" not in chapter) == []
