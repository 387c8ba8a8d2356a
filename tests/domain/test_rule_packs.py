"""The packs of house rules that come with the program."""

import pytest

from referee.desk.base.option_text import options_of, written
from referee.desk.games.pack_text import summary
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.rule_packs import BUILT_IN, SETTINGS, RulePack
from referee.parsing.schedules import read_schedule


@pytest.mark.parametrize("pack", BUILT_IN, ids=lambda pack: pack.name)
def test_a_pack_of_the_program_can_be_used(pack: RulePack) -> None:
    given = [(name, written(value)) for name, value in pack.options.items()]
    assert options_of(HOUSE_OPTIONS, given) == pack.options
    assert set(pack.settings) <= set(SETTINGS)
    read_schedule(pack.schedule)
    assert summary(pack).startswith(f"{pack.name}: Turns are due ")
