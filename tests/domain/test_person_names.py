"""Names of people that could be taken for the referee's or the GM's."""

import pytest

from referee.domain.person_names import is_official, name_fault


@pytest.mark.parametrize(
    "name",
    [
        "GM",
        "The Referee",
        "REJECTED (3)",
        "game  master",
        "Postmaster",
        "Operator SW-1",
        "Not done",
        "R\u00e9f\u00e9ree",
        "G\u200bM",
    ],
)
def test_official_names_are_known(name: str) -> None:
    assert is_official(name)


@pytest.mark.parametrize(
    "name", ["Frodo Baggins", "G. M. Trevelyan", "Game", "Pgm", "Done, Mary", ""]
)
def test_other_names_are_free(name: str) -> None:
    assert not is_official(name)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("S\u0430m Gamgee", "alphabet"),
        ("\u0421\u0410\u041c", "alphabet"),
        ("F3W5", "for an order"),
        ("A=SAM", "for an order"),
        ("Done", "official"),
        ("www.evil.example", "link"),
        ("Frodo Baggins", ""),
        ("Frodo the 3rd", ""),
    ],
)
def test_a_name_that_is_refused_is_explained(name: str, fault: str) -> None:
    found = name_fault(name)
    assert fault in found
    assert bool(found) == bool(fault)
