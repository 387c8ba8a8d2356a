"""The shapes of owners, units and marks."""

import pytest

from referee.reports.symbols import NOBODY, Livery, liveries, mark, unit
from referee.rules.views import Chart, Mark, Node, Unit, UnitKind


def letters(*owners: str) -> str:
    """Return the letters of owners."""
    return "".join(livery.letter for livery in liveries(Chart((), (), owners=owners), ()).values())


def test_owners_differ_in_letters_where_colours_are_not_seen() -> None:
    assert letters("CERES", "MARS") == "CM"
    assert letters("CERES", "CERBERUS", "CEE") == "CEA"
    assert letters("Жук", "Éowyn", "A") == "AOB"
    many = letters(*(f"A{number}" for number in range(36)))
    assert len(set(many)) == 36


def test_the_letters_of_owners_stay_when_others_are_met() -> None:
    assert letters("CERES", "CEE", "MARS").startswith(letters("CERES", "CEE"))


def test_an_owner_that_is_not_listed_has_a_letter_too() -> None:
    units = (Unit("F1", "MARS", UnitKind.FLEET),)
    found = liveries(Chart((Node("W1", (), "CERES", units=units),), (), owners=("CERES",)), ())
    assert [*found] == ["CERES", "MARS"]


@pytest.mark.parametrize("kinds", [(unit, UnitKind), (mark, Mark)])
def test_every_kind_has_a_shape_of_its_own(kinds: object) -> None:
    if kinds == (mark, Mark):
        shapes = [tuple(mark(each, 0, 0)) for each in Mark]
    else:
        shapes = [tuple(unit(each, NOBODY, 0, 0)) for each in UnitKind]
    assert all(shapes)
    assert len(set(shapes)) == len(shapes)


def test_the_shape_of_a_unit_has_the_letter_of_its_owner() -> None:
    for kind in set(UnitKind) - {UnitKind.TREASURE}:
        *_, word = unit(kind, Livery("#8ec5ff", "Q"), 0, 0)
        assert getattr(word, "text", "") == "Q"
