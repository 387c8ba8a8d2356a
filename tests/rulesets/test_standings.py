"""The final standing of each game, if the GM or a vote ends it."""

import pytest

from referee.plugins import installed_rulesets
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.extras import extras_of
from referee.rules.ruleset import Seat, SignUp

GAMES = installed_rulesets()
NAMES = ("ARGO", "BEAGLE")


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_standing_has_all_names_and_no_number_of_a_turn(key: str) -> None:
    """The state has the number of the next turn, which is not the last turn of the game."""
    ruleset = GAMES[key]
    seats = [SignUp(Seat(number), name) for number, name in enumerate(NAMES, 1)]
    standing = extras_of(ruleset).standing
    assert standing is not None
    shown = text(standing(ruleset.setup(seats, {}, Dice(b"standing"))))
    assert [name for name in NAMES if name not in shown] == []
    assert [words for words in ("turn 1", "round 1", "of at most") if words in shown.lower()] == []
