"""The results of functions of a ruleset are checked: their types, and seats that a game has."""

import re
from collections import UserDict
from collections.abc import Callable, ItemsView, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.domain.ruleset_results import WrongResult, checked_result, mismatch
from referee.rules.extras import Extras
from referee.rules.ruleset import (
    Event,
    Grammar,
    Option,
    Outcome,
    Phase,
    Resolution,
    RulingKind,
    Seat,
    Verdict,
)
from referee.rules.views import Prose, Table, View
from referee.rulesets.fistful import RULESET

PHASE = Phase("orders", "Orders", frozenset({Seat(1), Seat(2)}))


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("phase", replace(PHASE, awaiting=frozenset({Seat(1), Seat(3)}))),
        ("verdict", Verdict(frozenset({Seat(3)}), ())),
    ],
)
def test_a_seat_that_no_game_has_is_a_fault(name: str, result: Any) -> None:
    said = f"{name} of the ruleset fistful returns seat 3, but the seats are numbered from 1 to at"
    with pytest.raises(WrongResult, match=said):
        checked_result(RULESET, name, result)


def test_the_audience_of_an_event_has_seats_of_the_game() -> None:
    state = RULESET.state_type.__new__(RULESET.state_type)
    events = (Event("News.", None), Event("News.", frozenset({Seat(0)})))
    with pytest.raises(WrongResult, match="returns seat 0"):
        checked_result(RULESET, "resolve", Resolution(state, {}, events))


def test_seats_of_the_game_and_no_verdict_are_right() -> None:
    assert checked_result(RULESET, "phase", PHASE) is PHASE
    assert checked_result(RULESET, "verdict", None) is None


def test_a_grammar_is_looked_into_once() -> None:
    class Watched(UserDict[str, Any]):
        asked = 0

        def items(self) -> ItemsView[str, Any]:
            self.asked += 1
            return super().items()

    orders = Watched(throw=str)
    grammar = Grammar("order: throw", orders)
    wrong = Grammar("order: throw", UserDict[str, Any](throw=7))
    for _ in range(2):
        assert checked_result(RULESET, "grammar", grammar) is grammar
        with pytest.raises(WrongResult, match=re.escape("grammar of the ruleset fistful returns")):
            checked_result(RULESET, "grammar", wrong)
    assert orders.asked == 1


OPTION = Option("a", int, 1, "So.")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("a", str),
        (1, int),
        (1, float),
        (1.5, float),
        (True, bool),
        (Seat(1), Seat),
        (None, Verdict | None),
        ((), tuple[str, ...]),
        (["a"], tuple[str, ...]),
        (["a"], Sequence[str]),
        ({1}, frozenset[Seat]),
        ((1, "a"), tuple[int, str]),
        ({"a": 1}, Mapping[str, int]),
        (OPTION, Option),
        (str.upper, Callable[[str], Any]),
        (object(), Any),
        (Extras(), Extras),
        ((Prose("a"), Table(("a",), (("b",),))), View),
        (Resolution(3, {Seat(1): (("order", Outcome(done=True)),)}, ()), Resolution[Any, Any]),
    ],
)
def test_a_value_fits_its_hint(value: object, hint: Any) -> None:
    assert mismatch(value, hint) is None


@pytest.mark.parametrize(
    ("value", "hint", "path", "wanted"),
    [
        (None, str, "", "str"),
        (True, int, "", "int"),
        (1, bool, "", "bool"),
        ("abc", tuple[str, ...], "", "tuple[str, ...]"),
        ("abc", Sequence[str], "", "Sequence[str]"),
        (["a"], frozenset[str], "", "frozenset[str]"),
        (("a", 2), tuple[str, ...], "[1]", "str"),
        ((1,), tuple[int, str], "", "tuple[int, str]"),
        ({"a": "b"}, Mapping[str, int], "['a']", "int"),
        ({1: 1}, Mapping[str, int], "[1]", "str"),
        (3, Verdict | None, "", "Verdict | None"),
        (float, type[int] | type[str], "", "type[int] | type[str]"),
        ((Option("a", float, 1, "So."),), tuple[Option, ...],  # type: ignore[arg-type]
         "[0].kind", "type[int] | type[str] | type[bool]"),
        ([Outcome("yes")], Sequence[Outcome], "[0].done", "bool"),  # type: ignore[arg-type]
        ((Prose("a"), Prose(3)), View, "[1].text", "str"),  # type: ignore[arg-type]
        (Resolution(3, {Seat(1): (("order", RulingKind.ACCEPTED),)}, ()),  # type: ignore[dict-item]
         Resolution[Any, Any], ".outcomes[1][0][1]", "Outcome"),
    ],
)  # fmt: skip
def test_a_mismatch_has_its_path_and_the_hint(
    value: object, hint: Any, path: str, wanted: str
) -> None:
    found = mismatch(value, hint)
    assert found is not None
    assert (found.path, found.wanted) == (path, wanted)
