"""The kinds of orders that a text is, or begins to be."""

import pytest

from referee.parsing.reader import reader_of
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Phase


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("starweb", "W36B5I", {"build_home_ships"}),
        ("starweb", "F2TX", {"transfer_to_fleet", "transfer_to_home"}),
        ("starweb", "W7BX", {"build_home_ships", "build_fleet_ships", "build_robots"}),
        ("starweb", "f2w5x", {"move_fleet"}),
        ("starweb", "Z", {"hold_ambush"}),
        ("starweb", "F2", set()),
        ("starweb", "XYZ1", set()),
        ("starweb", "NONSENSE", set()),
        ("starweb", "", set()),
        ("fistful", "W12B1C", {"build"}),
        ("fistful", "FAR12R", {"recon"}),
        ("singularity", "S17V2+", {"move"}),
        ("singularity", "FAC", set()),
        ("starfarers", "S3E9", {"explore"}),
        ("starfarers", "X2:2O>", {"offer"}),
        ("star_empires", "BUILD Earth 2 probe", {"build"}),
        ("star_empires", "MOVE p1 TO", {"move"}),
        ("star_empires", "DESIGN Sol x scout many", {"design"}),
    ],
)
def test_a_text_has_the_kinds_that_it_could_be(key: str, text: str, expected: set[str]) -> None:
    ruleset = installed_rulesets()[key]
    phase = Phase(ruleset.info.phases[0], "", 1, frozenset())
    assert reader_of(ruleset.grammar(phase)).kinds(text) == expected
