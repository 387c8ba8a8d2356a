"""Names of people that could be taken for the referee's or the GM's."""

import pytest

from referee.domain.person_names import is_official, name_fault, tamed


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
        "TheGM",
        "THE_GM",
        "THEREFEREE",
        "Referees",
        "Game_Master1",
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
        ("F3W5", ""),
        ("Standing Bear", ""),
        ("JOHN SMITH", ""),
        ("Done", "official"),
        ("A\u0274a Alpha", "alphabet"),
        ("ANA: Ana Alpha", "no colon"),
        ("ANA\uff1a Ana Alpha", "no colon"),
        ("Eve (ANA)", "no brackets"),
        ("Eve Delta (you)", "no brackets"),
        ("YOUR ORDERS FOR TURN 1", "a player or a seat"),
        ("vacant", "a player or a seat"),
        ("Robot", "a player or a seat"),
        ("missed 3 turns", "a player or a seat"),
        ("O'Neil", ""),
        ("O'NEIL", ""),
        ("J. R. R. TOLKIEN", ""),
        ("JEAN-LUC", ""),
        ("M\u00dcLLER", ""),
        ("Anna Maria von und zu", ""),
        ("DUPONT Jean", ""),
        ("\u0259li \u018fliyev", ""),
        ("www.evil.example", "link"),
        ("Frodo Baggins", ""),
        ("Frodo the 3rd", ""),
    ],
)
def test_a_name_that_is_refused_is_explained(name: str, fault: str) -> None:
    found = name_fault(name)
    assert fault in found
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("M\u00fcller, Bernd (IT)", "M\u00fcller, Bernd"),
        ("[Extern] HANS  MEIER", "HANS MEIER"),
        ("Frodo Baggins", "Frodo Baggins"),
        ("(ANA)", ""),
    ],
)
def test_a_name_from_an_email_loses_its_brackets(name: str, kept: str) -> None:
    assert tamed(name) == kept
