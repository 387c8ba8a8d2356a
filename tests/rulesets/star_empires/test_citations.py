"""Tests that scenarios cover every section of the rules and every order."""

import re
from typing import Final

from referee.rulesets.star_empires.administration import ORDERS
from referee.rulesets.star_empires.rulings import CHECKS
from tests.rulesets.star_empires.galaxies import read
from tests.rulesets.star_empires.test_scenarios import CASES

STAGES: Final = {1: 9, 2: 2, 3: 6, 4: 10, 5: 3, 6: 5, 7: 3, 8: 5}
"""The stages of the turn, with the number of phases of each (R6.1 to R6.8)."""

PHASES: Final = tuple(
    f"R6.{stage}.{phase}" for stage, most in STAGES.items() for phase in range(1, most + 1)
)

SECTIONS: Final = (
    *("R2.1", "R2.3", "R2.4", "R2.5", "R3.0", "R4.0", "R4.1", "R4.2", "R4.3", "R4.5", "R6.0"),
    *PHASES,
    *("R7.0", "R8.0"),
)
"""The sections with rules; R1, R5 and R9 introduce, and R2.2, R4.4 and R6.n repeat."""

CITED: Final = re.compile(r"R[1-9](\.[0-9]+){0,2}|page [1-6](\.[0-9])?")


def citations() -> list[str]:
    return [part for case in CASES for part in str(case.content.get("cite", "")).split(", ")]


def lines(*, of_gm: bool) -> list[str]:
    """Return all order lines in the scenarios, those of the GM or those of the empires."""
    tables = [case.content.get("orders", {}) for case in CASES]
    sheets = [sheet for table in tables for name, sheet in table.items() if (name == "GM") is of_gm]
    return [line for sheet in sheets for line in sheet]


def test_a_citation_is_a_section_of_the_rules_or_the_page() -> None:
    assert [cited for cited in citations() if not CITED.fullmatch(cited)] == []


def test_every_section_has_a_scenario() -> None:
    cited = citations()
    assert [section for section in SECTIONS if section not in cited] == []


def test_every_class_of_order_is_used_in_a_scenario() -> None:
    used = {type(order) for order in read("\n".join(lines(of_gm=False)))}
    assert [kind.__name__ for kind in CHECKS if kind not in used] == []


def test_every_order_of_the_gm_is_used_in_a_scenario() -> None:
    used = {line.split()[0].upper() for line in lines(of_gm=True)}
    assert [keyword for keyword in ORDERS if keyword not in used] == []


def test_there_are_scenarios_enough() -> None:
    assert len(CASES) >= 300
