"""Forgetting a person: what is deleted with them, and what their games keep."""

import email
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any, Final

import pytest
from sqlalchemy import select

from referee.daemon.housekeeping import Chore, Housekeeping
from referee.desk.games.replay import replay
from referee.domain.retention import Retention
from referee.plugins import installed_rulesets
from referee.store import Session
from referee.store.database.base import Base, Bundle
from referee.store.database.bundle_format import unpack
from referee.store.games import games
from referee.store.models import GameStatus, InboxLetter, Person
from referee.store.people import deputies, people, standbys
from tests.attacks.siege import FRODO, GM, SAM, Siege

SECRETS: Final = ("sam@shire", "sam.gamgee", "samwise", "bag-end", "precious")
"""What shows who Sam is, in small letters."""
ALL_AT_ONCE: Final = Retention(timedelta(0), strangers=None, ignored=None, quarantined=None)
MOVED: Final = "sam.gamgee@bag-end.example"


def forget(siege: Siege, address: str) -> None:
    siege.write(address, "FORGET ME")
    siege.reply(address, "CONFIRM", "confirm: FORGET ME")
    assert siege.last(address).subject == "everything about you was deleted"


def play(siege: Siege) -> None:
    """Resolve turn 1, and leave something of Sam, who moves, wherever something can be left."""
    message = "PRESS TO FRODO\nMeet me at W7, my precious.\nEND"
    siege.reply(SAM, f"SET NAME Samwise Gamgee\n{message}\nFINAL", "T1")
    siege.reply(FRODO, "FINAL", "T1")
    siege.later(hours=2)
    siege.reply(SAM, f"W1B1I\n{message}\nSET ADDRESS {MOVED}", "T2")
    siege.reply(SAM, "CONFIRM", "confirm: your new address")
    siege.reply(MOVED, "CONFIRM", "is this your address")
    siege.write(MOVED, "STANDBY ALL")
    siege.reply(MOVED, "ABSENT FROM 10 October TO 12 October", "comes here now")


@pytest.fixture
def siege() -> Iterator[Siege]:
    with closing(Siege()) as siege:
        yield siege


def rows(session: Session) -> Iterator[tuple[str, str]]:
    """Yield the table and the content of every row, with letters and bundles unpacked."""
    for table in Base.metadata.sorted_tables:
        for row in session.execute(select(table)).mappings():
            yield table.name, str(dict(row))
    for bundle in session.scalars(select(Bundle)):
        yield "bundles", str(unpack(bundle.content))


def shown(session: Session) -> list[str]:
    """Return the tables with rows that show who Sam is."""
    return [table for table, row in rows(session) if any(each in row.lower() for each in SECRETS)]


def housekeep(siege: Siege) -> set[Chore]:
    keeper = Housekeeping(siege.store, ALL_AT_ONCE)
    return {done.chore for done in keeper.do_all(siege.now + timedelta(days=1))}


def game_is_replayed(siege: Siege) -> bool:
    site = siege._app(installed_rulesets()).site
    with siege.store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        assert game.turn > 1
        return replay(session, site, game) == []


def data_of(siege: Siege, address: str) -> dict[str, Any]:
    """Return what the last letter with everything about a person holds."""
    letter = email.message_from_bytes(siege.last(address, "what we store").raw)
    file = next(part for part in letter.walk() if part.get_filename() == "my-data.json")
    content = file.get_payload(decode=True)
    assert isinstance(content, bytes)
    told: dict[str, Any] = json.loads(content)
    return told


def test_my_data_has_no_secret_of_another_player(siege: Siege) -> None:
    siege.reply(SAM, "PRESS TO FRODO\nMeet me at W7.\nEND\nW1B1I", "T1")
    # Sam's orders, with Frodo in From by mistake, are Sam's.
    siege.write(FRODO, "W2B2I\nPRESS TO FRODO\nA secret.\nEND", To=siege.last(SAM, "T1").reply_to)
    siege.reply(FRODO, "MY DATA", "T1")
    told = data_of(siege, FRODO)
    assert told["people"][0]["address"] == FRODO
    assert [seat["seat"] for seat in told["seats"]] == ["FRODO"]
    assert len(told["sheets"]) == 1
    assert told["inbox"][0]["text"].endswith("JOIN SW-1 FRODO AS Empire Builder\r\n")
    for secret in (SAM, "W1B1I", "W2B2I", "A secret", "Meet me"):
        assert secret not in json.dumps(told)


def test_my_data_of_a_gm_has_their_roles_and_no_other_person(siege: Siege) -> None:
    siege.reply(GM, "MY DATA", "open for players")
    told = data_of(siege, GM)
    noon = "2026-09-01T12:00:00+00:00"
    assert told["game_masters"] == [
        {"since": noon, "proposed_at": None, "heard_at": noon, "game": "SW-1"}
    ]
    assert "sheets" not in told
    assert FRODO not in json.dumps(told)


@pytest.mark.slow
def test_nothing_shows_who_a_forgotten_person_was(siege: Siege) -> None:
    play(siege)
    with siege.store.read() as session:
        assert {"people", "inbox", "outbox", "press", "address_changes"} <= set(shown(session))
    forget(siege, MOVED)
    with siege.store.read() as session:
        # Frodo keeps the report with Sam's message; our last letter and the counters expire.
        found = [table for table in shown(session) if table != "bookings"]
        assert found == ["outbox", "outbox"]
        person = session.get_one(Person, 3)
        assert (person.name, person.second_address) == ("", None)
        assert standbys.of(session, person) == []
    assert game_is_replayed(siege)
    with siege.store.read() as session:
        assert any(table == "sheets" and "W1B1I" in row for table, row in rows(session))


def test_the_note_of_a_pending_letter_does_not_show_who_wrote_it(siege: Siege) -> None:
    siege.write(SAM, "SW-1 [FRODO]\nENDING 1000\n")
    notes = select(InboxLetter.note).where(InboxLetter.note.contains("It came from"))
    with siege.store.read() as session:
        assert SAM in session.scalars(notes).one()
    forget(siege, SAM)
    with siege.store.read() as session:
        assert session.scalars(notes).all() == []


@pytest.mark.slow
def test_letters_are_deleted_from_bundles_too(siege: Siege) -> None:
    play(siege)
    assert Chore.BUNDLE in housekeep(siege)
    with siege.store.read() as session:
        others = select(InboxLetter).where(InboxLetter.writer == FRODO)
        before = {letter.id: letter.raw for letter in session.scalars(others)}
        assert "bundles" in shown(session)
    forget(siege, MOVED)
    assert Chore.REPACK in housekeep(siege)
    with siege.store.read() as session:
        assert {letter.id: letter.raw for letter in session.scalars(others)} == before
        reports = [row for table, row in rows(session) if table == "bundles"]
        assert not any(MOVED in report for report in reports)
    assert game_is_replayed(siege)


def test_every_role_ends_and_the_others_are_notified(siege: Siege) -> None:
    siege.reply(FRODO, "DEPUTY sam.gamgee@bag-end.example TO 10 September", "T1")
    siege.reply(FRODO, "CONFIRM", "confirm: DEPUTY")
    siege.reply(MOVED, "CONFIRM", "")
    siege.write(GM, "GM SW-1\nPROMOTE pippin@took.example")
    siege.reply(GM, "CONFIRM", "confirm: PROMOTE")
    siege.later(hours=1)
    forget(siege, MOVED)
    assert "You no longer have a deputy for FRODO" in siege.last(FRODO).text
    forget(siege, "pippin@took.example")
    assert "A GM has left SW-1." in siege.last(GM).text
    with siege.store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        assert [gm.person.address for gm in game.gms] == [GM]
        assert deputies.running(session, game) == []


@pytest.mark.slow
def test_a_forgotten_player_cannot_come_back_to_another_seat(siege: Siege) -> None:
    forget(siege, SAM)
    forget(siege, FRODO)
    with siege.store.read() as session:
        assert people.by_address(session, SAM) is None
    siege.write(SAM, "STANDBY ALL")
    siege.reply(SAM, "CONFIRM", "confirm")
    siege.write(SAM, "TAKEOVER SW-1")
    assert "You have left SW-1" in siege.last(SAM).text


def test_a_fingerprint_is_kept_only_while_the_game_goes_on(siege: Siege) -> None:
    forget(siege, SAM)
    housekeep(siege)
    assert fingerprints(siege) == 1
    with siege.store.write() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        game.status = GameStatus.ENDED
    housekeep(siege)
    assert fingerprints(siege) == 0


def fingerprints(siege: Siege) -> int:
    with siege.store.read() as session:
        return sum(each is not None for each in session.scalars(select(Person.fingerprint)))


def test_a_bounce_of_an_old_letter_counts_for_nobody(siege: Siege) -> None:
    siege.write("pippin@took.example", "STANDBY ALL")
    siege.reply("pippin@took.example", "CONFIRM", "confirm")
    sent = next(each for each in siege.mailed[::-1] if each.recipient == "pippin@took.example")
    forget(siege, "pippin@took.example")
    report = siege.person("daemon@x.example").report(sent.sender, "Action: failed", siege.now)
    siege.arrive(report, sent.sender, "<>")
    with siege.store.read() as session:
        assert set(session.scalars(select(Person.bounces))) == {0}
        assert set(session.scalars(select(Person.bounced_at))) == {None}


@pytest.mark.slow
def test_nothing_is_deleted_if_the_second_address_does_not_confirm(siege: Siege) -> None:
    siege.reply(SAM, f"SET SECOND ADDRESS {MOVED}", "T1")
    siege.reply(SAM, "CONFIRM", "confirm: your new second address")
    siege.reply(MOVED, "CONFIRM", "is this your address")
    siege.reply(SAM, "FORGET ME", "T1")
    siege.reply(SAM, "CONFIRM", "confirm: FORGET ME")
    siege.later(days=8)
    assert any(f"{MOVED} did not confirm in time" in each.text for each in siege.person(SAM).got)
    siege.reply(MOVED, "CONFIRM", "confirm: delete everything")
    with siege.store.read() as session:
        person = people.by_address(session, SAM)
        assert person is not None
        assert person.second_address == MOVED
