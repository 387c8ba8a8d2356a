"""The daemon as a process: started, stopped, killed, restarted."""

import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from referee.app import build
from referee.clock import now
from referee.desk.base.desk import Desk
from referee.desk.base.desk import Site as Site
from referee.desk.gm import game_setup
from referee.desk.reception import intake
from referee.desk.seats.registration import enrol
from referee.domain.commands import Create
from referee.domain.mail_transfer import IncomingMail
from referee.opening import open_store
from referee.settings import load
from referee.store import Session, Store
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import heartbeats, inbox, stale_claims
from tests.support.ports import free_port
from tests.support.processes import PATIENCE, Installation, wait_for

SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[receiver]
port = {port}
[[maildir]]
name = "orders"
path = "incoming"
[sending]
kind = "maildir"
path = "sent"
"""


class House(Installation):
    """A site with a receiver and Maildirs."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        super().__init__(folder, SETTINGS.format(port=self.port))
        for name in ("tmp", "new", "cur"):
            (folder / "incoming" / name).mkdir(parents=True)

    def write(self, number: int, text: str) -> None:
        letter = (
            f"From: <you@example.org>\r\nTo: games@example.org\r\n"
            f"Message-ID: <{number}@example.org>\r\n\r\n{text}\r\n"
        )
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as server:
            server.sendmail("you@example.org", ["games@example.org"], letter)

    def answers(self) -> list[str]:
        return [file.read_text() for file in sorted((self.folder / "sent" / "new").glob("*"))]

    def until_answered(self, number: int) -> None:
        """Wait for this number of answers."""
        wait_for(lambda: len(self.answers()) >= number)

    def pile_up(self, number: int) -> None:
        """Store letters that arrived while the referee was down."""
        letter = b"From: <u%d@example.org>\r\nMessage-ID: <%d@example.org>\r\n\r\nHELP\r\n"
        app = build(load(self.file))
        with app.store.write() as session:
            for n in range(number):
                intake.accept(session, IncomingMail("smtp", str(n), letter % (n, n), now()))
        app.close()

    def waiting(self) -> int:
        with self.opened() as store:
            return _waiting_in(store)

    def holders(self) -> frozenset[str]:
        with self.opened() as store, store.read() as session:
            return stale_claims.owners(session)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        store = open_store(load(self.file))
        yield store
        store.close()


def _waiting_in(store: Store) -> int:
    with store.read() as session:
        return inbox.counts(session)[InboxState.WAITING]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.slow
def test_a_letter_is_answered_and_a_signal_stops_the_referee(house: House) -> None:
    with house.running() as referee:
        house.write(1, "HELP")
        wait_for(lambda: len(house.answers()) == 1)
        assert referee.told() == "WATCHDOG=1"
        log = referee.stop()
        while (told := referee.told()) == "WATCHDOG=1":
            pass
        assert told == "STOPPING=1"
    assert 'event="referee ready"' in log
    assert 'event="letter read" letter=1 source=smtp' in log
    assert 'event="referee stopped" finished=True' in log
    assert "you@example.org" not in log
    assert "Traceback" not in log


@pytest.mark.slow
def test_a_referee_with_a_thousand_letters_to_read_stops_at_once(house: House) -> None:
    house.pile_up(1000)
    # Opening the store can take as long as all the letters on a busy machine.
    with house.opened() as store, house.running() as referee:
        wait_for(lambda: _waiting_in(store) < 1000)
        log = referee.stop()
    assert "finished=True" in log
    assert house.waiting() > 0
    assert house.holders() == frozenset()


@pytest.mark.slow
def test_a_crash_loses_and_doubles_nothing(house: House) -> None:
    numbers = range(1, 5)
    for number in numbers:
        with house.running() as referee:
            # A letter that is being read at every kill would be quarantined.
            house.until_answered(number - 1)
            house.write(number, "HELP")
            # Each kill comes a little later in the processing of a letter.
            time.sleep(0.04 * (number - 1))
            referee.kill()
    with house.running():
        house.until_answered(len(numbers))
        wait_for(lambda: house.waiting() == 0)
        time.sleep(1)
    answered = sorted(
        line
        for answer in house.answers()
        for line in answer.splitlines()
        if line.startswith("In-Reply-To:")
    )
    assert answered == [f"In-Reply-To: <{number}@example.org>" for number in numbers]


@pytest.mark.slow
def test_letters_in_a_maildir_are_answered(house: House) -> None:
    with house.running():
        letter = house.folder / "incoming" / "new" / "1.host"
        letter.write_text("From: <you@example.org>\nMessage-ID: <7@example.org>\n\nHELP\n")
        wait_for(lambda: len(house.answers()) == 1)
    assert "In-Reply-To: <7@example.org>" in house.answers()[0]


def second(settings: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command while a referee is running, until it ends."""
    return subprocess.run(
        [sys.executable, "-m", "referee", "--settings", settings, *command],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.release
@pytest.mark.sqlite("two referees with files of their own")
def test_a_second_referee_on_the_same_port_reports_an_error(house: House) -> None:
    other = house.folder / "other.toml"
    other.write_text(f'state_dir = "elsewhere"\n{house.file.read_text()}')
    with house.running():
        refused = second(other, "run")
    assert refused.returncode == 1
    assert f"receiver: cannot listen on 127.0.0.1, port {house.port}" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.release
@pytest.mark.sqlite("two referees on a file")
def test_a_second_referee_on_one_sqlite_file_is_rejected_until_the_first_ends(
    house: House,
) -> None:
    # Other settings and another state folder: only the database file is the same.
    other = house.folder / "other.toml"
    port = f"port = {house.port}"
    other.write_text(
        house.file.read_text().replace(port, f"port = {free_port()}")
        + f'[database]\nurl = "sqlite:///{house.folder}/state/referee.db"\n'
    )
    other.write_text(f'state_dir = "elsewhere"\n{other.read_text()}')
    with house.running() as first:
        number = first.program.pid
        for settings in (house.file, other):
            refused = second(settings, "run")
            assert refused.returncode == 1
            assert f"referee: database in use: a referee is running: process {number}, since 2" in (
                refused.stderr
            )
            assert "stop it first; use PostgreSQL to run several" in refused.stderr
            assert "Traceback" not in refused.stderr
        # A machine that hangs is not dead.
        first.program.send_signal(signal.SIGSTOP)
        assert second(house.file, "run").returncode == 1
        first.program.send_signal(signal.SIGCONT)
        for looking in (("status",), ("mail", "list"), ("backup", f"{house.folder}/copy.tar.gz")):
            looked = second(house.file, *looking)
            assert (looked.returncode, looked.stderr) == (0, "")
        house.write(1, "HELP")
        wait_for(lambda: len(house.answers()) == 1)
        first.kill()
    # The text in the file is from the dead process; its lock has ended.
    with house.running():
        house.write(2, "HELP")
        wait_for(lambda: len(house.answers()) == 2)


OUTAGE = """
[outage]
gap_seconds = 4
"""


def begin_a_game(house: Site, session: Session) -> None:
    """Start a game of two with turns of an hour."""
    options = (("introduced", "yes"),)
    wish = Create("STARWEB", seats=2, schedule="1 hour", options=options)
    desk, you = Desk(session, house, now()), "you@example.org"
    game, _, _ = game_setup.create(desk, you, game_setup.plan(desk, you, wish))
    for number, name in enumerate(("CERES", "MARS"), 1):
        person = enrol(Desk(session, house, now()), f"{name.lower()}@example.org", "", "").person
        games.add_seat(
            session, game, number=number, name=name, choices={}, person=person, now=now()
        )
    game_setup.start(Desk(session, house, now()), game)


class Playing(House):
    """A site with a game of two with turns of an hour."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.file.write_text(self.file.read_text() + OUTAGE)
        app = build(load(self.file))
        with app.store.write() as session:
            begin_a_game(app.site, session)
        app.close()

    def is_watched(self) -> bool:
        with self.opened() as store, store.read() as session:
            return bool(heartbeats.among(session, ["daemon", "maildir:orders"])[1:])

    def let_turn_end(self, seconds: float) -> datetime:
        due = now() + timedelta(seconds=seconds)
        with self.opened() as store, store.write() as session:
            (game,) = games.listing(session)
            game.deadline_at = game.closes_at = due
        return due

    def turn(self) -> tuple[int, datetime]:
        with self.opened() as store, store.read() as session:
            (game,) = games.listing(session)
            assert game.deadline_at is not None
            return game.turn, game.deadline_at


@pytest.mark.slow
def test_a_referee_stopped_during_a_deadline_moves_it(tmp_path: Path) -> None:
    house = Playing(tmp_path)
    with house.running() as referee:
        wait_for(house.is_watched)
        due = house.let_turn_end(2)
        referee.program.send_signal(signal.SIGSTOP)
        stopped = now()
        wait_for(lambda: now() > stopped + timedelta(seconds=6))
        referee.program.send_signal(signal.SIGCONT)
        wait_for(lambda: house.turn()[1] != due)
        turn, moved = house.turn()
        assert turn == 1
        assert due + timedelta(seconds=5) < moved
        told = "The referee was down for less than a minute, so it moved the deadline of turn 1"
        wait_for(lambda: sum(told in " ".join(a.split()) for a in house.answers()) == 3)
        # The new deadline leaves half a turn; an earlier one is kept.
        house.let_turn_end(2)
        wait_for(lambda: house.turn()[0] == 2)


@pytest.mark.slow
def test_a_referee_killed_during_a_deadline_moves_it_after_its_restart(
    tmp_path: Path,
) -> None:
    house = Playing(tmp_path)
    with house.running() as referee:
        wait_for(house.is_watched)
        due = house.let_turn_end(2)
        referee.kill()
        killed = now()
    wait_for(lambda: now() > killed + timedelta(seconds=4))
    with house.running():
        wait_for(lambda: house.turn()[1] != due)
        assert house.turn()[0] == 1


@pytest.mark.release
def test_the_watchdog_gets_no_signal_while_a_turn_hangs(tmp_path: Path) -> None:
    house = Playing(tmp_path)
    hold = tmp_path / "hold"
    hold.touch()
    house.file.write_text(house.file.read_text() + "[adjudication]\nworkers = 0\n")
    program = ("-m", "tests.support.hanging", str(house.file), str(hold))
    with house.running(program, watchdog_seconds=2) as referee:
        wait_for(house.is_watched)
        assert referee.told() == "WATCHDOG=1"
        house.let_turn_end(0)
        wait_for((tmp_path / "hold.reached").exists)
        # Messages from before the test noticed the silence have been read by now.
        time.sleep(2.2)
        referee.hear_all()
        time.sleep(1.5)
        assert referee.hear_all() == []
        hold.unlink()
        assert referee.told() == "WATCHDOG=1"
        wait_for(lambda: house.turn()[0] == 2)
