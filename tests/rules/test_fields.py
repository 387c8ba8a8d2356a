"""Tables of a scenario file: how values are read, and the answers to wrong ones."""

from collections.abc import Callable
from typing import Final

import pytest

from referee.rules.fields import Fields
from referee.rules.ruleset import UserError

ROWS: Final = Fields(
    {
        "name": "Vega",
        "at": [1, -2],
        "numbers": [1, True],
        "open": True,
        "log": "one\ntwo",
        "ships": [{"dp": 3}, {"dp": "many"}],
        "empires": {"A": {"silent": 2}},
    },
    "given.",
)


def test_values_are_read_by_their_kind() -> None:
    assert (ROWS.text("name"), ROWS.pair("at"), ROWS.flag("open")) == ("Vega", (1, -2), True)
    assert ROWS.texts("log") == ["one", "two"]
    assert ROWS.table("empires").table("A").number("silent") == 2
    assert [row.names() for row in ROWS.tables("ships")] == [["dp"], ["dp"]]
    assert ROWS.raw("at") == [1, -2]


def test_a_missing_value_has_its_default() -> None:
    assert (ROWS.number("turn", 1), ROWS.texts("log2"), ROWS.table("x").names()) == (1, [], [])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: ROWS.text("title"), "given.title: is missing"),
        (lambda: ROWS.number("name"), "given.name: should be a whole number"),
        (lambda: ROWS.number("open"), "given.open: should be a whole number"),
        (lambda: ROWS.flag("name"), "given.name: should be true or false"),
        (lambda: ROWS.pair("ships"), "given.ships: should be a list of whole numbers"),
        (lambda: Fields({"at": [1]}).pair("at"), "at: should be two whole numbers"),
        (lambda: ROWS.tables("at"), "given.at: should be a list of tables"),
        (lambda: ROWS.tables("ships")[1].number("dp"),
         "given.ships[1].dp: should be a whole number"),
        (lambda: ROWS.table("empires").allow("B"),
         '"A" is not a key of given.empires; the keys are B'),
        (lambda: Fields({"a": 1}).allow("b"), '"a" is not a key of a case; the keys are b'),
    ],
)  # fmt: skip
def test_a_wrong_value_is_reported_with_its_place(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(UserError) as error:
        wrong()
    assert str(error.value) == words
