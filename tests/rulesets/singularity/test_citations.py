"""Nothing is left out: every rule, gap and option has its scenario, and every rule its code."""

import re
from pathlib import Path
from typing import Final

from referee.resources import folder
from referee.rulesets import singularity
from tests.rulesets.singularity.test_scenarios import CASES
from tests.rulesets.singularity.test_setup import ONLY_AT_SETUP

RULES: Final = {str(number) for number in range(1, 26)}
GAPS: Final = {f"T{number}" for number in range(1, 23)}
"""What the rules leave open, and the game settles itself."""
OPTIONS: Final = {option.name for option in singularity.RULESET.info.options}
FEWEST: Final = 160


def cited() -> set[str]:
    """Give what the cases cite: numbers of rules, gaps with their T, names of options."""
    citations = ", ".join(str(case.content["cite"]) for case in CASES)
    return set(re.findall(r"[A-Za-z0-9_.]+", citations)) - {"rule", "rules"}


def in_code() -> set[str]:
    """Give the rules and gaps that stand in the code, ranges such as ``rules 1 to 3`` too."""
    folder = Path(singularity.__file__).parent
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        for words in re.findall(
            r"(?:rules?|\bT)\s?([0-9T]+(?:(?:, | and | to )T?[0-9]+)*)", file.read_text()
        ):
            found |= {*re.findall(r"T?[0-9]+", words)}
        found |= {*re.findall(r"\bT[0-9]+", file.read_text())}
    return found


def test_no_rule_is_without_a_scenario() -> None:
    assert sorted(RULES - cited()) == []


def test_no_gap_is_without_a_scenario() -> None:
    assert sorted(GAPS - cited()) == []


def test_no_option_is_without_a_scenario_or_a_test_of_the_setup() -> None:
    used = {name for case in CASES for name in case.content.get("options", {})}
    assert sorted(OPTIONS - used - ONLY_AT_SETUP) == []


def test_no_scenario_cites_what_there_is_not() -> None:
    assert sorted(cited() - RULES - GAPS - OPTIONS - {"ships"}) == []


def test_no_rule_and_no_gap_is_without_its_code() -> None:
    assert sorted((RULES | GAPS) - in_code()) == []


def test_there_are_scenarios_enough() -> None:
    assert len(CASES) >= FEWEST


def test_every_option_has_its_sentence_in_the_rulebook() -> None:
    chapter = (folder("docs") / "rulesets" / "singularity.md").read_text(encoding="utf-8")
    assert sorted(option for option in OPTIONS if f"`{option}`" not in chapter) == []
