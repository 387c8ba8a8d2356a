"""Starfarers keeps the contract of a ruleset."""

import pytest

from referee.rulesets.starfarers import RULESET
from referee.testing.contract import check
from tests.rulesets.starfarers.played import BATCHES, game


@pytest.mark.slow
@pytest.mark.parametrize("mode", BATCHES)
def test_the_contract_is_kept_in_the_rounds_of_a_game(mode: str) -> None:
    check(RULESET, game(mode)[::9])
