"""Strangers who look for private games: nothing shows that there is one."""

import re
from datetime import timedelta

import pytest

from referee.store.database.base import Base
from tests.attacks.siege import FRODO, GM, SAM, Siege

HIDDEN, NONE = "SW-2", "SW-9"
LETTERS = (
    "JOIN {game}",
    "JOIN {game} FRODO CODE AAAAAAAA AS Pirate",
    "JOIN {game} CODE AAAAAAAA\n\nLIST",
    "RULES {game}",
    "OBSERVE {game}",
    "OBSERVE {game} OFF",
    "STANDBY {game}",
    "STANDBY OFF {game}",
    "TAKEOVER {game}",
    "TAKEOVER {game} SAM",
    "GM {game}\nSTATUS",
    "GM {game}\nCODE",
    "GM {game}\nINVITE mallory@evil.example",
    "{game}\nWHO",
    "{game}\nSTATUS",
    "{game}\nF1W2",
    "{game} [SAM]\nF1W2",
    "{game} [SAM], #1234, AAAAAAAA\nPRESS TO GM\nHello\nEND",
    "{game}\nHELP",
)

RECORDS = [
    Base.metadata.tables[name] for name in ("admissions", "audit", "games", "people", "seats")
]


@pytest.fixture(scope="module")
def siege() -> Siege:
    """Return a server with a private game SW-2 in which Sam has a seat."""
    siege = Siege()
    siege.write(GM, 'CREATE STARWEB SEATS 3 DEADLINE "5 days" OPTION private=yes')
    siege.reply(GM, "CONFIRM")
    line = re.search(r"JOIN SW-2 CODE [A-Z2-7]{8}", siege.last(GM, "SW-2").text)
    assert line is not None
    siege.write(SAM, line[0].replace("CODE", "SAM CODE"))
    siege.reply(SAM, "CONFIRM")
    assert "welcome" in siege.last(SAM).subject
    return siege


def told(siege: Siege, address: str, body: str, game: str, subject: str | None) -> list[str]:
    """Return all that the address is sent about a letter, with the name of the game left out.

    Without a subject, the letter is a reply to the report of another game.
    """
    before = len(siege.person(address).got)
    if subject is None:
        siege.reply(address, body.format(game=game), "T1")
    else:
        siege.write(address, body.format(game=game), subject.format(game=game))
    got = siege.person(address).got[before:]
    return [f"{each.subject}\n{each.text}".replace(game, "GAME") for each in got]


@pytest.mark.slow
@pytest.mark.parametrize("subject", ["", "{game}", "[{game} SAM]"])
def test_a_private_game_is_answered_like_none(siege: Siege, subject: str) -> None:
    for number, body in enumerate(LETTERS):
        # Answers to people we do not know are limited by the hour.
        siege.now += timedelta(hours=1)
        address = f"mallory{number}x{len(subject)}@evil.example"
        found = [told(siege, address, body, game, subject) for game in (HIDDEN, NONE)]
        assert (body, found[0]) == (body, found[1])


@pytest.mark.slow
def test_a_private_game_is_answered_to_a_player_of_another_like_none(siege: Siege) -> None:
    for body in LETTERS:
        # Answers to letters in which nothing can be done are limited by the hour.
        siege.now += timedelta(hours=1)
        found = [told(siege, FRODO, body, game, None) for game in (HIDDEN, NONE)]
        assert (body, found[0]) == (body, found[1])


def test_the_list_has_no_private_game(siege: Siege) -> None:
    siege.write("pippin@shire.example", "LIST")
    assert "SW-1" in siege.last("pippin@shire.example").text
    assert "SW-2" not in siege.last("pippin@shire.example").text


def test_an_excluded_address_is_answered_as_if_there_were_no_game(siege: Siege) -> None:
    code = re.search(r"CODE [A-Z2-7]{8}", siege.last(GM, "SW-2").text)
    assert code is not None
    excluded = [f"eve{number}@evil.example" for number in range(3)]
    siege.write(GM, f"GM SW-2\nEXCLUDE {', '.join(excluded)}")
    siege.reply(GM, "CONFIRM", "confirm")
    assert "done: EXCLUDE" in siege.last(GM).subject
    bodies = ("JOIN {game}", "JOIN {game} EVE", f"JOIN {{game}} {code[0]}")
    for address, body in zip(excluded, bodies, strict=True):
        found = [told(siege, address, body, game, "") for game in (HIDDEN, NONE)]
        assert (body, found[0]) == (body, found[1])


@pytest.mark.slow
def test_a_forming_game_is_answered_to_whom_its_gm_has_excluded_like_none(siege: Siege) -> None:
    siege.write(GM, 'CREATE STARWEB SEATS 3 DEADLINE "5 days"')
    siege.reply(GM, "CONFIRM")
    excluded = [f"oscar{number}@evil.example" for number in range(len(LETTERS))]
    siege.write(GM, f"GM SW-3\nEXCLUDE {', '.join(excluded)}")
    siege.reply(GM, "CONFIRM", "confirm")
    for address, body in zip(excluded, LETTERS, strict=True):
        siege.now += timedelta(hours=1)
        found = [told(siege, address, body, game, "") for game in ("SW-3", NONE)]
        assert (body, found[0]) == (body, found[1])
    siege.write(excluded[0], "LIST")
    assert "SW-3" not in siege.last(excluded[0]).text
    siege.write("olive@shire.example", "LIST")
    assert "SW-3" in siege.last("olive@shire.example").text


def test_a_code_is_in_no_log_and_no_record(siege: Siege, caplog: pytest.LogCaptureFixture) -> None:
    siege.write(GM, "GM SW-2\nCODE")
    code = re.search(r"CODE ([A-Z2-7]{8})", siege.last(GM).text)
    assert code is not None
    siege.write("sam@gamgee.example", f"JOIN SW-2 CODE {code[1]}")
    siege.reply("sam@gamgee.example", "CONFIRM")
    assert "welcome" in siege.last("sam@gamgee.example").subject
    assert code[1] not in caplog.text
    with siege.store.read() as session:
        rows = [str(row) for table in RECORDS for row in session.execute(table.select())]
    assert rows
    assert [row for row in rows if code[1] in row] == []
