"""A referee that is killed at every point of a letter and of a turn, and restarted."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from referee.store import Store
from referee.store.letter_states import OutboxState
from referee.store.mail import inbox, outbox
from tests.live.gate import Gate
from tests.live.playing import SEATS, House, MailServers, in_time
from tests.live.postgresql import Postgres
from tests.support.processes import PATIENCE, is_running

pytestmark = [pytest.mark.live, pytest.mark.slow]

LETTERS = 6


@pytest.fixture
def gate(mail_servers: MailServers) -> Iterator[Gate]:
    """Return a gate between the referee and Postfix."""
    with Gate(mail_servers.postfix.port) as gate:
        yield gate


@contextmanager
def stuck(address: str) -> Iterator[None]:
    """Lock the outbox, so that reading a letter or resolving a turn stops halfway."""
    with psycopg.connect(address.replace("+psycopg", "")) as connection:
        connection.execute("LOCK TABLE outbox IN SHARE MODE")
        yield
        connection.rollback()


@pytest.mark.release
def test_killed_after_the_acknowledgement_and_down_at_the_deadline(house: House) -> None:
    with house.installation.running() as referee:
        house.begin("10 seconds")
        house.order(1)
        house.until_quiet()
        referee.kill()
    house.take_time()
    # These are in the mailbox before the deadline, so they are in time whenever they are read.
    orders = house.order(1, 2)
    deadline = house.look(lambda session: house.game(session).deadline_at)
    assert deadline is not None
    in_time("the deadline has passed", lambda: datetime.now(UTC) > deadline)
    with house.installation.running() as referee:
        for seat in SEATS:
            house.report(seat, 2)
        log = referee.stop()
    assert "level=error" not in log
    assert house.sheets(1) == orders
    house.check_mailboxes(turns=2)
    assert house.command("replay", "SW-1").output == "SW-1: 1 turn resolved again, identical\n"


@pytest.mark.release
def test_killed_between_taking_reading_and_sending(
    mail_servers: MailServers, gate: Gate, tmp_path: Path
) -> None:
    house = House(mail_servers, tmp_path, gate.port)
    with house.installation.running() as referee:
        house.begin("72 hours")
        house.until_quiet()
        referee.kill()
    gate.shut()
    orders = house.order(1, LETTERS)

    before = house.taken()
    with house.installation.running() as referee, house.store() as store:
        _spot(lambda: _taken(store) >= before + 3)
        referee.kill()
    assert house.waiting() > 0, "everything was read before the kill"
    calls = gate.callers
    with house.installation.running() as referee:
        in_time("all letters are taken", lambda: house.taken() == before + 2 * LETTERS)
        in_time("all letters are read", lambda: house.waiting() == 0)
        in_time("the referee begins to send", lambda: gate.callers > calls)
        referee.kill()
    assert house.unsent() == 2 * LETTERS
    gate.open()
    with house.installation.running():
        house.until_quiet()
        house.finish(1)
        house.until_quiet()
    assert house.sheets(1) == orders
    house.check_mailboxes(turns=2)


@pytest.mark.own_database
def test_killed_in_the_midst_of_reading_and_of_a_turn(
    mail_servers: MailServers, postgres: Postgres, tmp_path: Path
) -> None:
    address = postgres.database("midst")
    house = House(mail_servers, tmp_path, more=f'[database]\nurl = "{address}"\n')
    with house.installation.running() as referee:
        house.begin("72 hours")
        with stuck(address):
            orders = house.order(1)
            in_time("both letters are taken", lambda: house.waiting() == 2)
            in_time("one is being read", lambda: _waiting_for_the_outbox(address))
            referee.kill()
    with house.installation.running() as referee:
        house.until_quiet()
        with stuck(address):
            # A letter with FINAL would need the outbox for its answer.
            _make_due(house)
            in_time("the turn is being resolved", lambda: _is_claimed(house))
            in_time("it is in its midst", lambda: _waiting_for_the_outbox(address))
            workers = referee.workers()
            referee.kill()
            in_time("its workers die with it", lambda: not any(map(is_running, workers)))
    assert house.look(lambda session: house.game(session).turn) == 1
    with house.installation.running():
        for seat in SEATS:
            house.report(seat, 2)
        house.until_quiet()
    assert house.sheets(1) == orders
    house.check_mailboxes(turns=2)


@pytest.mark.release
def test_killed_before_the_mail_servers_answer_is_recorded(
    mail_servers: MailServers, gate: Gate, tmp_path: Path
) -> None:
    house = House(mail_servers, tmp_path, gate.port)
    gate.shut_after(b"\r\n.\r\n")
    with house.installation.running() as referee:
        house.gm.write(house.address, "HELP\n")
        house.gm.until_answered()
        referee.kill()
    gate.open()
    with house.installation.running():
        house.until_quiet()
    # It is unknown whether the server accepted it, so the same letter is sent again.
    copies = Counter(letter.message_id for letter in house.gm.letters())
    assert list(copies.values()) == [2]
    with house.store() as store, store.read() as session:
        (sent,) = outbox.listing(session, OutboxState.SENT, 10)
    assert [sent.message_id] == list(copies)


def _spot(happened: Callable[[], bool]) -> None:
    """Wait until something has happened, without delay, because all is read soon after."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not come about in time"


def _taken(store: Store) -> int:
    with store.read() as session:
        return sum(inbox.counts(session).values())


def _waiting_for_the_outbox(address: str) -> bool:
    query = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'outbox'::regclass "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    with psycopg.connect(address.replace("+psycopg", "")) as connection:
        row = connection.execute(query).fetchone()
        return row is not None and row[0] > 0


def _make_due(house: House) -> None:
    with house.store() as store, store.write() as session:
        game = house.game(session)
        game.ready_at = game.started_at


def _is_claimed(house: House) -> bool:
    return house.look(lambda session: house.game(session).owner is not None)
