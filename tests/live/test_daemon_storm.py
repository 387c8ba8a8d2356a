"""Four referees on one PostgreSQL, killed at random while many games are due.

``STORM_GAMES`` and ``STORM_SECONDS`` in the environment prolong it: ``make storm``.
"""

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.app import App, build
from referee.cli import main
from referee.clock import now
from referee.errors import StoreError
from referee.settings import load
from referee.store.games import games
from referee.store.letter_states import OutboxState
from referee.store.mail import intake_leases, outbox, stale_claims
from referee.store.models import GameStatus
from tests.benchmarks.crowd import copy_game, due_still, let_end
from tests.benchmarks.sink import Taken, taken
from tests.daemon.test_service import begin_a_game
from tests.live.postgresql import Postgres
from tests.live.servers import until
from tests.support.ports import free_port

pytestmark = [pytest.mark.live, pytest.mark.own_database, pytest.mark.slow]

GAMES = int(os.environ.get("STORM_GAMES", "12"))
SECONDS = float(os.environ.get("STORM_SECONDS", "0"))
"""How long referees are killed."""
KILLS = 4
"""The minimum number of kills; the database is restarted halfway."""
SEED = int(os.environ.get("STORM_SEED") or time.time())
REFEREES = 4
PATIENCE = 120 + 4 * SECONDS
"""On a busy machine, so many programs need seconds to start."""
SETTINGS = """
state_dir = "{folder}/state"
[site]
address = "games@example.org"
operator = "you@example.org"
[receiver]
port = {receiver}
[sending]
kind = "smtp"
host = "127.0.0.1"
port = {sink}
security = "none"
[limits]
letters_an_hour = 1000000
domain_letters_a_minute = 1000000
[adjudication]
workers = {workers}
[database]
url = "{database}"
"""


@dataclass(slots=True)
class Referee:
    """One of the referees, which is restarted whenever it was killed."""

    settings: Path
    log: Path
    program: subprocess.Popen[bytes] | None = None
    told_before: int = 0
    """The length of the log at its last start."""

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.told_before = log.tell()
            command = [sys.executable, "-m", "referee", "--settings", str(self.settings), "run"]
            self.program = subprocess.Popen(command, stderr=log)

    def end(self, *, kindly: bool) -> None:
        assert self.program is not None
        if kindly:
            self.program.terminate()
        else:
            self.program.kill()
        status = self.program.wait(30)
        assert status == (0 if kindly else -9) or self._found_no_database()

    def is_ready(self) -> bool:
        """Return whether it is ready since its last start."""
        return b"referee ready" in self.log.read_bytes()[self.told_before :]

    def revive(self) -> None:
        """Restart it, like systemd, if it ended because there was no database."""
        assert self.program is not None
        if self.program.poll() is not None:
            assert self._found_no_database()
            self.start()

    def _found_no_database(self) -> bool:
        # It waits if the database disappears, but not if it is missing at the start.
        last = self.log.read_text().rpartition("\nreferee: ")[2]
        return last.startswith("database: ") and "level=" not in last


def is_revived(referee: Referee) -> bool:
    """Return whether a referee is ready; restart it if it only now ended without a database."""
    referee.revive()
    return referee.is_ready()


class Place:
    """A database with many games, a mail server that accepts everything, and four referees."""

    def __init__(self, folder: Path, database: str, sink: int, letters: Path) -> None:
        self.letters = letters
        self.referees = []
        for number in range(REFEREES):
            file = folder / f"referee{number}.toml"
            words = {"folder": folder, "sink": sink, "database": database}
            # Every second one resolves turns in its own process, and is ready sooner.
            file.write_text(SETTINGS.format(receiver=free_port(), workers=number % 2, **words))
            self.referees.append(Referee(file, folder / f"log{number}"))
        self.app: App = build(load(self.referees[0].settings))
        with self.app.store.write() as session:
            begin_a_game(self.app.site, session)
        with self.app.store.write() as session:
            copy_game(session, "SW-1", GAMES)

    def let_end(self, number: int) -> None:
        """Make the turns of *number* more games due; it can be repeated after a failure."""
        with suppress(StoreError), self.app.store.write() as session:
            let_end(session, number, now())

    def is_over(self) -> bool:
        with self.app.store.read() as session:
            waiting = outbox.counts(session)[OutboxState.WAITING]
            return not due_still(session, now()) and not waiting

    def came(self) -> list[Taken]:
        return taken(self.letters)


@contextmanager
def sink(letters: Path) -> Iterator[int]:
    letters.touch()
    command = [sys.executable, "-m", "tests.benchmarks.sink", str(letters)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


@pytest.fixture
def place(postgres: Postgres, tmp_path: Path) -> Iterator[Place]:
    letters = tmp_path / "letters"
    with sink(letters) as port:
        place = Place(tmp_path, postgres.database(f"storm{os.getpid()}"), port, letters)
        for referee in place.referees:
            referee.start()
        try:
            yield place
        finally:
            for referee in place.referees:
                if referee.program is not None and referee.program.poll() is None:
                    referee.end(kindly=False)
                sys.stderr.write(referee.log.read_text()[-20_000:])
            place.app.close()


@pytest.mark.release
def test_every_turn_is_adjudicated_once_and_every_letter_sent_once(
    place: Place, postgres: Postgres
) -> None:
    chance = random.Random(SEED)
    sys.stderr.write(f"SEED={SEED}\n")
    until("all are at work", lambda: all(each.is_ready() for each in place.referees), PATIENCE)
    until("the first letters have gone", place.is_over, PATIENCE)
    before = len(place.came())
    blows = _storm(place, postgres, chance)
    for referee in place.referees:
        referee.revive()
    place.let_end(GAMES)
    until("all turns are over and all letters gone", place.is_over, PATIENCE)
    # A referee that was just restarted would not handle a stop signal yet.
    until("all are at work", lambda: all(map(is_revived, place.referees)), PATIENCE)
    for referee in place.referees:
        referee.end(kindly=True)

    copies = Counter(letter.message_id for letter in place.came()[before:])
    twice = sum(copies.values()) - len(copies)
    sys.stderr.write(f"{blows} blows, {len(copies)} letters, {twice} of them twice\n")
    # After a kill between sending and recording, it is unknown whether a letter was accepted.
    assert twice <= blows
    with place.app.store.read() as session:
        played = [game for game in games.listing(session) if game.name != "SW-1"]
        assert {(game.turn, game.status, game.stalls) for game in played} == {
            (2, GameStatus.RUNNING, 0)
        }
        assert outbox.counts(session)[OutboxState.FAILED] == 0
        assert stale_claims.owners(session) | intake_leases.owners(session) == frozenset()
        written = outbox.listing(session, OutboxState.SENT, 100_000)
        reported = [row for row in written if row.kind == "Report" and row.turn == 2]
        reports = Counter((row.game_id, row.seat_number) for row in reported)
    names = [game.name for game in played]
    assert set(copies) == {row.message_id for row in written if row.game_id != 1} - {""}
    assert reports == {(game.id, seat): 1 for game in played for seat in (1, 2)}
    for name in names[:4]:
        arguments = ["--settings", str(place.referees[0].settings), "replay", name]
        told = CliRunner().invoke(main, arguments).output
        assert told == f"{name}: 1 turn resolved again, identical\n"


def _storm(place: Place, postgres: Postgres, chance: random.Random) -> int:
    """Kill referees at random, and restart the database once; return the number of kills."""
    kills, begun, was_restarted = 0, time.monotonic(), False
    while kills < KILLS or time.monotonic() < begun + SECONDS:
        # Games fall due while referees die.
        place.let_end(GAMES // max(6, int(SECONDS)))
        time.sleep(chance.uniform(0.2, 1.2))
        is_middle = kills >= KILLS // 2 and time.monotonic() > begun + SECONDS / 2
        if is_middle and not was_restarted:
            place.let_end(GAMES // 4)
            time.sleep(chance.uniform(0.0, 1.0))
            postgres.stop()
            time.sleep(chance.uniform(0.1, 1.0))
            postgres.start()
            was_restarted = True
        victim = chance.choice(place.referees)
        victim.end(kindly=False)
        victim.start()
        kills += 1
    return kills + REFEREES
