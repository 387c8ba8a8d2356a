"""The defaults of a game that is derived from SimpleRuleset."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import pytest

from referee.rules.extras import Extras, extras_of
from referee.rules.ruleset import Guide, Ruleset, Seat, UserError
from referee.rules.simple import SimpleRuleset
from referee.rules.views import Chart

ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)


@dataclass(frozen=True)
class State:
    players: Mapping[Seat, str] = field(
        default_factory=lambda: {ONE: "ANN", TWO: "BEN", THREE: "CAT"}
    )


class Game(SimpleRuleset[State, str]):
    def render(self, order: str) -> str:
        return order.upper()


RULES = Game()


def test_all_players_have_met_each_other() -> None:
    assert RULES.contacts(State(), TWO) == {ONE, THREE}


def test_an_order_is_explained_by_its_text() -> None:
    assert RULES.explain(State(), ONE, "rock") == "ROCK"


def test_a_seat_that_sends_nothing_has_its_standing_orders() -> None:
    assert RULES.defaults(State(), ONE, ("rock",)) == ("rock",)


def test_the_default_views_are_empty() -> None:
    assert RULES.chart(State(), ONE) == Chart((), ())
    shown = (
        RULES.forecast(State(), ONE, ("rock",)),
        RULES.unused(State(), ONE, ()),
        RULES.template(State(), ONE),
        RULES.gm_notes(State()),
    )
    assert shown == ((), (), (), ())
    assert RULES.guide(State(), ONE) == Guide()


def test_corrections_are_not_possible() -> None:
    with pytest.raises(UserError, match="no corrections"):
        RULES.correct(State(), "ANN WINS")


def test_it_has_no_extras() -> None:
    assert extras_of(cast("Ruleset[State, str]", RULES)) == Extras()
