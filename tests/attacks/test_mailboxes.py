"""People who write their address in another way: a plus and a tag make no second person."""

import re
from datetime import timedelta

import pytest

from referee.domain.mailboxes import mailbox_of
from referee.store.games import games
from tests.attacks.siege import FRODO, GM, SAM, Siege

EVE = "eve@evil.example"
TAGGED = "eve+1@evil.example"
NEW = "eve@new.example"


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Eve+Games@Evil.example", "eve@evil.example"),
        ("e.ve@evil.example", "e.ve@evil.example"),
        ("D.Otty+x@googlemail.com", "dotty@gmail.com"),
        ("dotty@gmail.com", "dotty@gmail.com"),
        ("dot-games@Yahoo.co.uk", "dot@yahoo.co.uk"),
        ("dot-games@ymail.com", "dot@ymail.com"),
        ("dot-games@yahoo.example.org", "dot-games@yahoo.example.org"),
    ],
)
def test_the_mailbox_of_an_address(address: str, mailbox: str) -> None:
    assert mailbox_of(address) == mailbox


def created(options: str = "", seats: int = 4) -> Siege:
    """Return a server with a new game SW-2 that people can join."""
    siege = Siege()
    siege.write(GM, f'CREATE STARWEB SEATS {seats} DEADLINE "5 days" {options}')
    siege.reply(GM, "CONFIRM")
    return siege


def command(siege: Siege, words: str, game: str = "SW-2") -> None:
    siege.write(GM, f"GM {game}\n{words}\n")
    while "confirm" in siege.last(GM).subject:
        siege.reply(GM, "CONFIRM")


def ask(siege: Siege, address: str, words: str) -> None:
    """Send a command of a person, and confirm it if they are asked."""
    siege.write(address, words)
    if "confirm" in siege.last(address).subject:
        siege.reply(address, "CONFIRM")


def players(siege: Siege, game: str = "SW-2") -> list[str]:
    with siege.store.read() as session:
        found = games.by_name(session, game)
        assert found is not None
        return [row.person.address for row in found.seats if row.person is not None]


def text(siege: Siege, address: str) -> str:
    return " ".join(siege.last(address).text.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("excluded", "others"),
    [
        (EVE, (TAGGED,)),
        (TAGGED, (EVE, "eve+2@evil.example")),
        ("dotty@gmail.com", ("d.otty@gmail.com", "dotty@googlemail.com", "dot.ty+x@gmail.com")),
    ],
)
def test_an_excluded_person_cannot_join_with_a_variant(
    excluded: str, others: tuple[str, ...]
) -> None:
    siege = created()
    command(siege, f"EXCLUDE {excluded}")
    for address in others:
        ask(siege, address, "JOIN SW-2")
        assert "There is no game SW-2 that you can join." in text(siege, address)
    assert players(siege) == []


@pytest.mark.slow
def test_a_refused_or_removed_person_does_not_come_back() -> None:
    siege = created("OPTION approve=yes")
    ask(siege, EVE, "JOIN SW-2")
    number = re.search(r"REFUSE #\d+", siege.last(GM).text)
    assert number is not None
    command(siege, number[0])
    ask(siege, TAGGED, "JOIN SW-2")
    assert "There is no game SW-2 that you can join." in text(siege, TAGGED)
    command(siege, f"ALLOW {SAM}")
    ask(siege, SAM, "JOIN SW-2 SAM")
    assert players(siege) == [SAM]
    command(siege, "VACATE SAM")
    ask(siege, "sam+2@shire.example", "JOIN SW-2 SAM")
    assert players(siege) == []


@pytest.mark.slow
def test_exclude_turns_away_who_waits() -> None:
    siege = created("OPTION approve=yes")
    ask(siege, TAGGED, "JOIN SW-2")
    number = re.search(r"#\d+", siege.last(GM).text)
    assert number is not None
    command(siege, f"EXCLUDE {EVE}")
    assert "You do not get a seat in SW-2. Its GM decided this." in text(siege, TAGGED)
    command(siege, f"APPROVE {number[0]}")
    assert f"Nobody with the number {number[0]} waits for you." in text(siege, GM)
    assert players(siege) == []


@pytest.mark.slow
def test_nobody_who_has_an_excluded_address_is_approved() -> None:
    siege = created("OPTION approve=yes")
    command(siege, f"EXCLUDE {NEW}")
    ask(siege, EVE, "JOIN SW-2")
    number = re.search(r"#\d+", siege.last(GM).text)
    assert number is not None
    ask(siege, EVE, f"SET ADDRESS {NEW}")
    siege.reply(NEW, "CONFIRM")
    command(siege, f"APPROVE {number[0]}")
    assert f"An address of {number[0]} is one that you have excluded." in text(siege, GM)
    assert players(siege) == []


@pytest.mark.slow
def test_an_excluded_person_is_never_asked_as_a_standby_and_not_told_so() -> None:
    siege = created()
    for address in (EVE, TAGGED):
        ask(siege, address, "STANDBY SW-2")
        assert "You are a standby for SW-2." in text(siege, address)
    command(siege, f"EXCLUDE {EVE}")
    for address in (EVE, TAGGED):
        ask(siege, address, "STANDBY SW-2")
        assert "There is no such game" in text(siege, address)
    command(siege, "STANDBY")
    assert "There are no standbys." in text(siege, GM)
    command(siege, f"EXCLUDE {EVE} UNDO")
    command(siege, "STANDBY")
    assert "Standbys, in the order in which they are asked:" in text(siege, GM)


@pytest.mark.slow
def test_one_mailbox_has_one_seat() -> None:
    siege = created()
    for address in (EVE, TAGGED, "eve+2@evil.example"):
        ask(siege, address, "JOIN SW-2")
    assert players(siege) == [EVE]
    assert "You already have a seat in SW-2." in text(siege, TAGGED)
    ask(siege, "frodo+1@shire.example", "JOIN SW-2")
    assert players(siege) == [EVE, "frodo+1@shire.example"]


def test_a_player_takes_no_other_seat_of_a_running_game() -> None:
    siege = Siege()
    command(siege, "STANDBY OFF", "SW-1")
    command(siege, "VACATE SAM", "SW-1")
    tagged = "frodo+1@shire.example"
    ask(siege, tagged, "STANDBY SW-1")
    assert "You play in SW-1 already." in text(siege, tagged)
    ask(siege, tagged, "TAKEOVER SW-1")
    assert "You already have a seat in SW-1." in text(siege, tagged)
    # Sam has left, and knows what only that seat knows.
    ask(siege, "sam+1@shire.example", "TAKEOVER SW-1")
    assert "You have left SW-1." in text(siege, "sam+1@shire.example")
    assert players(siege, "SW-1") == [FRODO]


def test_another_player_is_no_deputy_with_a_variant() -> None:
    siege = Siege()
    siege.reply(FRODO, "DEPUTY frodo+1@shire.example UNTIL 2026-09-20\n", "T1")
    assert "That is your own address." in text(siege, FRODO)
    siege.reply(FRODO, "DEPUTY sam+1@shire.example UNTIL 2026-09-20\n", "T1")
    siege.reply(FRODO, "CONFIRM", "confirm")
    assert "You named sam+1@shire.example as your deputy" in text(siege, FRODO)
    assert "sam+1@shire.example" not in siege.people or siege.got("sam+1@shire.example") == []


@pytest.mark.slow
def test_an_invitation_counts_for_the_mailbox() -> None:
    siege = created("OPTION private=yes")
    command(siege, f"INVITE {EVE}")
    ask(siege, TAGGED, "JOIN SW-2")
    assert players(siege) == [TAGGED]
    command(siege, f"INVITE {TAGGED}")
    assert "has already been invited" in text(siege, GM)


@pytest.mark.slow
def test_one_mailbox_is_not_flooded_by_what_others_ask_for() -> None:
    siege = Siege()
    for number in range(12):
        siege.reply(FRODO, f"DEPUTY eve+{number}@evil.example UNTIL 2026-09-20\n", "T1")
        if "confirm" in siege.last(FRODO).subject:
            siege.reply(FRODO, "CONFIRM", "confirm")
        siege.reply(FRODO, "DEPUTY NONE\n", "T1")
        siege.now += timedelta(minutes=1)
    asked = sum(len(siege.got(f"eve+{number}@evil.example")) for number in range(12))
    assert asked == 8
