"""Forged letters that ask for a seat or a game: nothing is bound by a mere From."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from referee.app import App
from referee.desk.orders.command_entries import For
from referee.desk.reception.commands import COMMANDS
from referee.rules.ruleset import Ruleset
from referee.store.database.base import Base
from referee.store.games import games
from referee.store.mail.bookings import Booking
from referee.store.people import observers, people, standbys
from referee.testing.conversation import Conversation
from tests.attacks.siege import FRODO, GM, Siege
from tests.desk.reception.test_commands import typed
from tests.letters.signing import Names, signed
from tests.support.faulty import Faulty

VICTIMS = [f"victim{number}@elsewhere.example" for number in range(1, 16)]
OPEN = 'CREATE STARWEB SEATS 15 DEADLINE "1 day" OPTION worlds=255\n'


OF_MAIL = {"inbox", "outbox", "bookings", "heartbeats", "intake_leases"}
"""The tables that any email changes."""


def rows(siege: Siege) -> dict[str, object]:
    """Return everything that no email may change by its From only."""
    with siege.store.read() as session:
        return {
            table.name: session.execute(table.select()).all()
            for table in Base.metadata.sorted_tables
            if table.name not in OF_MAIL
        }


def enlisted() -> Siege:
    """Return a siege in which Frodo is a standby and observes a game."""
    siege = Siege()
    with siege.store.write() as session:
        frodo, game = people.by_address(session, FRODO), games.by_name(session, "SW-1")
        assert frodo is not None
        assert game is not None
        standbys.add(session, frodo, "starweb", siege.now)
        observers.add(session, game, frodo, 1, siege.now)
    return siege


@pytest.mark.sampled
@pytest.mark.parametrize("command", ["STANDBY ALL", "STANDBY OFF", "OBSERVE SW-1 OFF"])
def test_the_sender_is_asked_before_a_list_of_readers_changes(command: str) -> None:
    siege = enlisted()
    before = rows(siege)
    siege.write(FRODO, f"{command}\n")
    assert rows(siege) == before
    assert "confirm: " in siege.last(FRODO).subject
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert rows(siege) != before


@pytest.mark.slow
def test_no_command_changes_anything_by_its_from_only() -> None:
    siege = enlisted()
    before = rows(siege)
    for entry in COMMANDS.values():
        with siege.store.write() as session:
            session.query(Booking).delete()
        by_gm = entry.who is For.GM
        heading = "GM SW-1" if by_gm else "SW-1 [FRODO]"
        siege.write(GM if by_gm else FRODO, f"{heading}\n{typed(entry).text}\n")
        assert (entry.command, rows(siege)) == (entry.command, before)


def confirming(siege: Siege, sender: str, body: str) -> None:
    siege.write(sender, body)
    siege.reply(sender, "CONFIRM\n", "confirm")


def text(siege: Siege, address: str) -> str:
    """Return the last letter to the address as one line."""
    return " ".join(siege.last(address).text.split())


def seats(siege: Siege, game: str = "SW-2") -> list[str]:
    with siege.store.read() as session:
        found = games.by_name(session, game)
        assert found is not None
        return [row.name for row in found.seats]


@pytest.mark.slow
def test_forged_joins_start_no_game_of_ghosts() -> None:
    siege = Siege()
    confirming(siege, GM, OPEN)
    before = siege.picture()
    for number, victim in enumerate(VICTIMS):
        siege.write(victim, f"JOIN SW-2 EVIL{chr(65 + number)}\nHELP http://evil.example\n")
    assert siege.picture() == before
    assert [siege.got(victim) for victim in VICTIMS] == [
        ["Re: not done: your email; confirm: JOIN"]
    ] * 15
    mailed = "\n".join(siege.last(victim).text for victim in VICTIMS).upper()
    assert "EVIL." not in mailed
    siege.later(days=3)
    assert [len(siege.got(victim)) for victim in VICTIMS] == [1] * 15


@pytest.mark.slow
def test_forged_joins_keep_no_seat_from_people_who_are_proven() -> None:
    siege = Siege()
    confirming(siege, GM, 'CREATE STARWEB SEATS 3 DEADLINE "1 day"\n')
    for victim in VICTIMS:
        siege.write(victim, "JOIN SW-2\n")
    for number in range(3):
        confirming(siege, f"player{number}@shire.example", "JOIN SW-2\n")
    assert len(seats(siege)) == 3
    siege.reply(VICTIMS[0], "CONFIRM\n", "confirm")
    assert len(seats(siege)) == 3
    assert "SW-2 has no free seat" in text(siege, VICTIMS[0])


def test_a_forged_creation_creates_nothing() -> None:
    siege = Siege()
    before = siege.picture()
    siege.write(GM, 'CREATE STARWEB SEATS 2 DEADLINE "1 day" TITLE "See this"\n')
    assert siege.picture() == before
    assert siege.got(GM) == ["Re: confirm: CREATE"]
    assert "Title: See this." in text(siege, GM).replace(" : ", " ")
    siege.reply(GM, "CONFIRM\n", "confirm")
    assert "[SW-2] your game is open for players" in siege.last(GM).subject


def test_forged_creations_of_a_game_that_cannot_begin_alert_the_operator_once() -> None:
    rules = Faulty()
    rules.broken.add("setup")
    talk = Conversation({"faulty": rules})
    talk.run("""
=== gm@example.org writes unsigned
CREATE FAULTY SEATS 2 DEADLINE "1 day"
=== gm@example.org gets
Subject: not done: CREATE
=== operator@referee.example gets
Subject: games cannot be created
=== gm@example.org writes unsigned
CREATE FAULTY SEATS 2 DEADLINE "2 days"
=== gm@example.org gets
Subject: not done: CREATE
=== nobody gets anything
""")


@pytest.mark.release
def test_a_gm_has_at_most_ten_games_that_wait_for_players() -> None:
    siege = Siege()
    for _ in range(10):
        confirming(siege, GM, 'CREATE STARWEB SEATS 2 DEADLINE "1 day" OPTION worlds=36\n')
        siege.later(hours=2)
    siege.write(GM, 'CREATE STARWEB SEATS 2 DEADLINE "1 day" OPTION worlds=36\n')
    assert "10 games that you created within 30 days wait for players" in text(siege, GM)
    siege.later(days=31)
    confirming(siege, GM, 'CREATE STARWEB SEATS 2 DEADLINE "1 day" OPTION worlds=36\n')
    assert "[SW-12] your game is open for players" in siege.last(GM).subject


@pytest.mark.slow
def test_a_signed_join_needs_no_question() -> None:
    siege = Siege(Names().key("shire.example"))
    confirming(siege, GM, OPEN)
    letter = siege.person("merry@shire.example").letter(
        "games@referee.example", "a seat", "JOIN SW-2 MERRY\n", siege.now, {}
    )
    siege.arrive(signed(letter, "shire.example"))
    assert seats(siege) == ["MERRY"]
    assert "welcome, you play MERRY" in siege.last("merry@shire.example").subject


@pytest.mark.slow
def test_a_join_with_the_name_of_anothers_seat_asks_only_its_sender() -> None:
    siege = Siege()
    confirming(siege, GM, OPEN)
    siege.write("mallory@evil.example", "JOIN SW-2 EVE\n", "[SW-1 T1 FRODO]")
    assert siege.got("frodo@shire.example") == []
    siege.reply("mallory@evil.example", "CONFIRM\n", "confirm")
    assert seats(siege) == ["EVE"]


class Open(Siege):
    """A siege of a server on which anybody can create games."""

    def _app(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> App:
        app = super()._app(rulesets)
        return replace(app, site=replace(app.site, creators=None))


@pytest.mark.slow
def test_a_gm_the_operator_does_not_know_writes_nothing_to_people_we_do_not_know() -> None:
    siege, friend = Open(), "friend@elsewhere.example"
    confirming(siege, "mallory@evil.example", f'{OPEN} TITLE "See evil"')
    siege.reply("mallory@evil.example", f"INVITE {friend}\n", "is open")
    siege.reply("mallory@evil.example", "CONFIRM\n", "confirm: INVITE")
    assert "evil" not in siege.last(friend).text
    siege.reply("mallory@evil.example", "INVITE a@b.example SAYING\nBuy!\nEND\n", "is open")
    assert "Only GMs whom the operator lists" in text(siege, "mallory@evil.example")
    siege.reply("mallory@evil.example", f"ASSIGN {friend}\n", "is open")
    refused = " ".join(text(siege, "mallory@evil.example").split())
    assert f"{friend} has not asked for a seat in" in refused
    assert len(siege.got(friend)) == 1


@pytest.mark.slow
def test_invitations_quote_the_title_of_a_known_gm_twenty_times_a_day() -> None:
    siege = Siege()
    confirming(siege, GM, f'{OPEN} TITLE "The Shire League"')
    friends = [f"friend{number}@elsewhere.example" for number in range(21)]
    invite = "\n".join(f"INVITE {friend}" for friend in friends[:20])
    siege.reply(GM, invite, "is open")
    siege.reply(GM, "CONFIRM\n", "confirm: INVITE")
    assert "TITLE CHOSEN BY THE GM\n  The Shire League\n" in siege.last(friends[19]).text
    siege.reply(GM, f"INVITE {friends[20]}\n", "is open")
    assert "You can send 20 invitations a day, so nobody was invited" in text(siege, GM)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["REFEREE", "Operator", "final", "EVERYONE"])
def test_no_seat_is_named_like_the_referee_or_a_command(name: str) -> None:
    siege = Siege()
    confirming(siege, GM, OPEN)
    siege.write("x@shire.example", f"JOIN SW-2 {name}\n")
    assert "it already means something else" in text(siege, "x@shire.example")
