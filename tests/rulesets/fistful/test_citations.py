"""Tests that scenarios cover every rule, every gap in the rules and every option."""

import re

import pytest

from referee.desk.base.option_text import written
from referee.desk.base.rulebooks import rulebook
from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.language import GRAMMAR
from tests.rulesets.fistful.test_scenarios import CASES

RULES = range(1, 23)
GAPS = range(1, 22)


def cited() -> set[str]:
    """Return the citations of all cases: rule numbers, gaps with their F, option names."""
    citations = ", ".join(str(case.content["cite"]) for case in CASES)
    return set(re.findall(r"[A-Za-z0-9_.]+", citations)) - {"rule", "rules"}


def test_every_numbered_rule_has_a_scenario() -> None:
    assert [number for number in RULES if str(number) not in cited()] == []


def test_every_gap_has_a_scenario() -> None:
    assert [f"F{number}" for number in GAPS if f"F{number}" not in cited()] == []


def test_every_option_has_a_scenario() -> None:
    assert [option.name for option in RULESET.info.options if option.name not in cited()] == []


def test_every_citation_exists() -> None:
    there = {*map(str, RULES), *(f"F{number}" for number in GAPS)}
    assert cited() - there - {option.name for option in RULESET.info.options} == set()


def test_the_rulebook_has_every_option_with_its_default() -> None:
    options = chapter("OPTIONS").replace("\n  ", " ").lower()
    for option in RULESET.info.options:
        _, _, entry = options.partition(f"- `{option.name.lower()}`: ")
        assert f"usually {written(option.default)}" in entry.partition("\n- ")[0], option.name


@pytest.mark.parametrize("word", ["START", "ORDERS"])
def test_every_order_in_the_rulebook_is_valid(word: str) -> None:
    codes = re.findall(r"`([^`]+)`", chapter(word))
    read = [item for code in codes for item in reader_of(GRAMMAR).read(code)]
    assert [item for item in read if not isinstance(item, Parsed)] == []


def chapter(word: str) -> str:
    """Return the text of a chapter of the rulebook."""
    book = rulebook(RULESET)
    found = book.chapter(word) if book is not None else None
    assert found is not None
    return found.text
