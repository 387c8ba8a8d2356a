"""Names of people that could be taken for the referee's or the GM's."""

import pytest

from referee.domain.person_names import is_official


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
    ],
)
def test_official_names_are_known(name: str) -> None:
    assert is_official(name)


@pytest.mark.parametrize(
    "name", ["Frodo Baggins", "G. M. Trevelyan", "Game", "Pgm", "Done, Mary", ""]
)
def test_other_names_are_free(name: str) -> None:
    assert not is_official(name)
