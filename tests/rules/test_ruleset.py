"""The facts about a ruleset that the core uses."""

import pytest

from referee.rules.ruleset import NameRule


@pytest.mark.parametrize(
    ("name", "allowed"), [("A", True), ("A" * 20, True), ("A1", False), ("A" * 21, False)]
)
def test_a_name_has_its_pattern_and_at_most_20_characters(name: str, allowed: bool) -> None:
    assert NameRule("(?:[A-Z]+)", "letters").allows(name) == allowed


def test_a_long_name_costs_no_time() -> None:
    # Without the limit, this pattern would need years for this name.
    assert not NameRule("(?:[A-Z]+)+", "letters").allows("A" * 60 + "1")
