"""Attacks with names: a name that passes for another person's, for an order or for ours."""

import pytest

from referee.desk.seats.registration import is_reserved
from referee.plugins import installed_rulesets
from referee.store.models import Person
from referee.testing.correspondents import MAIL_SERVER
from tests.attacks.siege import FRODO, GM, MALLORY, SAM, Siege

CREATE = 'CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes\n'


def refused(siege: Siege, name: str) -> str:
    """Set a name as Sam, and return the answer if it was refused."""
    before = siege.picture()
    siege.reply(SAM, f'SET NAME "{name}"\n', "T1 SAM")
    assert siege.picture() == before
    return " ".join(siege.last(SAM).text.split())


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    [
        "FR\u041eD\u041e",
        "\u0421\u0410\u041c",
        "\u0420\u041e\u041c\u0410",
        "Fr\u03bfdo",
    ],
)
def test_letters_of_another_alphabet_are_refused(name: str) -> None:
    assert "Others could take letters of this name for other ones." in refused(Siege(), name)


@pytest.mark.parametrize("name", ["F3W5", "Standing Bear", "JOHN SMITH", "Final", "Map"])
def test_a_name_that_passes_for_nobody_is_free(name: str) -> None:
    siege = Siege()
    siege.reply(SAM, f'SET NAME "{name}"\n', "T1 SAM")
    assert f"Your name is now {name}." in siege.last(SAM).text


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    [
        "frodo",
        "Fr\u00f3do",
        "Gandalf the Grey",
        "gANDALF THE GREY",
        "Gandalf-the-Grey",
        "GandalfTheGrey",
        "GandaIf the Grey",
    ],
)
def test_the_name_of_somebody_that_the_player_knows_is_refused(name: str) -> None:
    siege = Siege()
    siege.reply(GM, "SET NAME Gandalf the Grey\n")
    assert "that of another player or of the GM" in refused(siege, name)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("FRODO: Sam", "no colon"),
        ("Sam (you)", "no brackets"),
        ("PRESS FROM FRODO", "a heading"),
        ("missed 3 turns", "what our lists say"),
    ],
)
def test_a_name_that_reads_as_a_line_of_ours_is_refused(name: str, why: str) -> None:
    assert why in refused(Siege(), name)


def test_ones_own_name_and_seat_are_free() -> None:
    siege = Siege()
    for name in ("Sam", "Samwise Gamgee", "Grace Hopper", "Samwise  GAMGEE"):
        siege.reply(SAM, f"SET NAME {name}\n", "T1 SAM")
        assert f"Your name is now {name.replace('  ', ' ')}." in siege.last(SAM).text


def test_two_people_of_the_same_name_have_numbers_in_lists() -> None:
    siege = Siege()
    siege.reply(FRODO, "SET NAME Peregrin Took\n", "T1 FRODO")
    said = refused(siege, "peregr\u00edn took")
    assert "that of another player" in said
    # They had the same name before they met.
    accounts = []
    with siege.store.write() as session:
        for person in session.query(Person).order_by(Person.id):
            if person.address in (FRODO, SAM):
                person.name = "Peregrin Took"
                accounts.append(person.account)
    siege.reply(SAM, "WHO\n", "T1 SAM")
    text = siege.last(SAM).text
    for number, seat in enumerate(("FRODO", "SAM"), 1):
        assert f"{seat}: Peregrin Took ({number})" in text
    assert not any(str(account) in text for account in accounts)


@pytest.mark.parametrize(
    "name", ["FIRST", "NEXT", "last", "ORDER", "CANCEL", "Press", "HELP", "OR"]
)
def test_no_seat_has_the_name_of_a_word_that_commands_use(name: str) -> None:
    names = installed_rulesets()["starweb"].info.names
    assert is_reserved(names, name.upper())


def test_no_name_that_we_give_is_reserved() -> None:
    for ruleset in installed_rulesets().values():
        names = ruleset.info.names
        assert [
            name for name in names.stock if is_reserved(names, name) and name not in names.reserved
        ] == []


@pytest.mark.parametrize(
    "wish", ["THE_GM", "GAME_MASTER", "THE_REFEREE", "TheGM", "REFEREES", "SAM_", "5AM"]
)
def test_a_seat_cannot_pass_for_ours_or_for_another_seat(wish: str) -> None:
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    siege.write(GM, 'CREATE STAR EMPIRES SEATS 3 DEADLINE "5 days" OPTION introduced=yes\n')
    siege.write(SAM, "JOIN SE-1 SAM\n")
    siege.write(MALLORY, f"JOIN SE-1 {wish} REAL NAME Mallory\n")
    assert f"[SE-1 {wish.upper()}]" not in siege.last(MALLORY).subject


def test_a_stranger_cannot_join_with_such_a_name() -> None:
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    siege.write(GM, CREATE)
    for wish, real in (("FIRST", "Mallory"), ("NEXT", "Mallory"), ("ROGUE", "M\u0430llory")):
        siege.write(MALLORY, f"JOIN SW-2 {wish} REAL NAME {real}\n")
        assert "not done" in siege.last(MALLORY).subject
    siege.write(MALLORY, "JOIN SW-2 ROGUE REAL NAME Mallory\n")
    assert "[SW-2 ROGUE]" in siege.last(MALLORY).subject


@pytest.mark.parametrize(
    "command",
    [
        "GM SW-1\nTITLE win at www.example.com",
        'CREATE STARWEB TITLE "https://a.example" DEADLINE "1 day"',
    ],
)
def test_the_title_of_a_game_has_no_link(command: str) -> None:
    siege = Siege()
    siege.write(GM, command)
    assert "A title has no link and no address in it" in " ".join(siege.last(GM).text.split())
