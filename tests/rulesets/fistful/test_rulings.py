"""Rulings of A Fistful of Planets on stars that are not on the map."""

import pytest

from referee.parsing.reader import read_orders
from referee.rules.ruleset import RulingKind
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.language import GRAMMAR
from tests.rulesets.fistful.played import SEATS, game

FORMS = ("H{}", "W{}B1SFA", "W{}F", "W{}G", "FAW{}", "FAX{}", "FAR{}", "FAR3R{}")
"""Every form of an order with the number of a star."""


@pytest.mark.parametrize("form", FORMS)
def test_a_star_that_is_not_on_the_map_is_rejected(form: str) -> None:
    for position in game():
        state = position.state
        for number in (len(state.stars) + 1, 10**9 - 1):
            for seat in SEATS:
                scouts = [f.letter for f in state.fleets_of(seat) if f.ships.scouts > 1]
                text = form.format(number).replace("FA", f"F{(scouts or ['A'])[0]}")
                (ruling,) = RULESET.validate(state, seat, read_orders(GRAMMAR, text))
                assert ruling.kind is RulingKind.REJECTED
