"""Order forms: what they need, and the orders that are made from them."""

from dataclasses import replace
from typing import Any

import pytest

from referee.rules.extras import Extras, extras_of
from referee.rules.order_forms import FIELDS, OrderForm, Target, filled, form_faults
from referee.rules.ruleset import Seat
from referee.rules.views import UnitKind
from referee.testing.contract import order_forms
from referee.testing.form_samples import samples
from tests.support.golden_states import KEYS, ruleset, states
from tests.support.seen_turns import GAMES

MOVE = OrderForm("Move", "{key}{path}", UnitKind.FLEET, Target.PLACE)


def test_the_fields_of_a_form_are_those_in_its_pattern() -> None:
    assert MOVE.fields == ("key", "path")
    assert filled(MOVE.pattern, {"key": "F3", "path": "W5W7"}) == "F3W5W7"
    assert filled("{key}", {"key": "{path}"}) == "{path}"


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        (replace(MOVE, label=""), "must have a label and a pattern of one line each"),
        (replace(MOVE, pattern="{key}{path}\n"), "must have a label and a pattern of one line"),
        (replace(MOVE, pattern="{key}{path}{x}"), "has an unknown field {x}"),
        (replace(MOVE, target=Target.UNIT), "has a field {path}, but not the target for it"),
        (replace(MOVE, pattern="{key}"), "has the target place, but no field for it"),
        (replace(MOVE, choices=("A",)), "must have the field {choice} and what belongs to it"),
        (replace(MOVE, pattern="{key}{path}{steps}"), "must have the field {steps} and what"),
        (replace(MOVE, asks="A word: x"), "must have the field {word} and what belongs to it"),
        (
            replace(MOVE, pattern="{key}{path}{word}", asks="Which?"),
            "must ask for a word with an example after a colon",
        ),
        (OrderForm("Here", "{at}"), "is for a place, which is at no other place"),
    ],
)
def test_a_form_says_what_it_lacks(form: OrderForm, fault: str) -> None:
    (found,) = form_faults(form)
    assert found.startswith(fault)


@pytest.mark.parametrize("key", KEYS)
def test_the_forms_of_our_games_have_no_faults(key: str) -> None:
    forms = extras_of(ruleset(key)).order_forms
    assert [fault for form in forms for fault in form_faults(form)] == []
    assert {name for form in forms for name in form.fields} <= {*FIELDS}
    assert len({(form.label, form.unit, form.prefix, form.own) for form in forms}) == len(forms)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_every_form_makes_one_order_of_the_language(key: str) -> None:
    """Compose each form on the maps of a golden game, in all its phases."""
    rules, made = ruleset(key), set()
    for state in states(key, GAMES[key])[:12:2]:
        if rules.verdict(state) is None:
            for seat in (Seat(1), Seat(2)):
                assert list(order_forms(rules, state, seat)) == []
                made |= {form.label for form, _ in samples(rules, state, seat)}
    assert len(made) >= 8


@pytest.mark.slow
def test_the_contract_reports_a_form_that_makes_no_order() -> None:
    rules, state = ruleset("fistful"), states("fistful", "fog")[3]
    wrong: Any = _Changed(rules, (OrderForm("Rest", "REST {key}", UnitKind.FLEET),))
    (fault,) = order_forms(wrong, state, Seat(1))
    assert fault.startswith("the order form 'Rest' makes 'REST FA', which cannot be read")
    double: Any = _Changed(rules, (OrderForm("Both", "{key}D {key}D", UnitKind.FLEET),))
    assert list(order_forms(double, state, Seat(1))) == [
        "the order form 'Both' makes 'FAD FAD', which is 2 orders"
    ]


class _Changed:
    """A ruleset with other order forms."""

    def __init__(self, rules: object, forms: tuple[OrderForm, ...]) -> None:
        self._rules = rules
        self.extras = Extras(order_forms=forms)

    def __getattr__(self, name: str) -> object:
        return getattr(self._rules, name)
