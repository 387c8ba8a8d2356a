"""Two referees on one database: a letter has reached one but is not stored yet.

The other one resolves no turn in the meantime, but does not wait long for a dead referee.
"""

import signal
import smtplib
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from referee.app import App
from referee.clock import now
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox, intake_leases
from tests.live.postgresql import Postgres
from tests.live.servers import until
from tests.support.ports import free_port
from tests.support.processes import Installation, Running
from tests.support.storming import SETTINGS, House, Mailed, set_deadline

pytestmark = [pytest.mark.live, pytest.mark.own_database, pytest.mark.slow]

MORE = '[adjudication]\nworkers = 0\n[database]\nurl = "{url}"\n'


class Pair:
    """A game, a letter for its turn, and two referees; the first one cannot store it."""

    def __init__(self, folder: Path, url: str) -> None:
        more = MORE.format(url=url)
        self.house = House(folder, 1, 2, now(), more)
        self.app: App = self.house.open()
        settings = f'state_dir = "{folder}/state"\n{SETTINGS.format(port=free_port())}{more}'
        (folder / "other").mkdir()
        self.other = Installation(folder / "other", settings)
        self.hold = folder / "hold"
        self.hold.touch()
        self.deadline = now() + timedelta(days=3)
        self.mailed: list[Mailed] = []

    @contextmanager
    def at_the_deadline(self) -> Iterator[Running]:
        """Send a letter to the first referee while the deadline passes."""
        dawdler = (
            "-m",
            "tests.support.dawdling",
            str(self.house.installation.file),
            str(self.hold),
        )
        with self.house.installation.running(dawdler) as one, self.other.running():
            self.deadline = now() + timedelta(seconds=1.5)
            set_deadline(self.app, self.deadline)
            self.mailed = self.house.letters(1, 0, self.deadline)
            sending = threading.Thread(target=self._send)
            sending.start()
            until("the letter has arrived", (self.hold.parent / "hold.reached").exists)
            assert now() < self.deadline
            seen = self.deadline + timedelta(seconds=2.5)
            until("the other one has had time to look", lambda: now() > seen)
            assert self.turn() == 1
            yield one
            self.hold.unlink(missing_ok=True)
            sending.join()

    def turn(self) -> int:
        with self.app.store.read() as session:
            (game,) = games.listing(session)
            return game.turn

    def is_read(self) -> bool:
        with self.app.store.read() as session:
            return inbox.counts(session)[InboxState.WAITING] == 0

    def takers(self) -> int:
        with self.app.store.read() as session:
            return len(intake_leases.owners(session))

    def faults(self) -> list[str]:
        """Return in words which letters were not judged by their arrival."""
        return list(self.house.faults(self.app, self.mailed, self.deadline))

    def _send(self) -> None:
        (letter,) = self.mailed
        player = letter.player
        lmtp = smtplib.LMTP("127.0.0.1", self.house.port, timeout=60)
        with suppress(smtplib.SMTPServerDisconnected), lmtp as server:
            server.sendmail(player.person.address, [player.report.reply_to], letter.raw)


@pytest.fixture
def pair(postgres: Postgres, tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(tmp_path, postgres.database(f"taking{uuid.uuid4().hex}"))
    yield pair
    pair.app.close()


def test_a_turn_waits_for_a_letter_that_another_referee_is_storing(pair: Pair) -> None:
    with pair.at_the_deadline():
        pair.hold.unlink()
        until("the turn is over", lambda: pair.turn() == 2)
    assert pair.faults() == []


@pytest.mark.release
def test_a_turn_does_not_wait_long_for_a_dead_referee(pair: Pair) -> None:
    with pair.at_the_deadline() as one:
        one.kill()
        until("the turn is over", lambda: pair.turn() == 2)
    # Its sender got no answer, and sends the letter again.
    pair.mailed = []
    assert pair.faults() == []


@pytest.mark.release
def test_a_letter_after_an_expired_lease_arrives_when_it_is_stored(pair: Pair) -> None:
    with pair.at_the_deadline() as one:
        one.program.send_signal(signal.SIGSTOP)
        until("the turn is over", lambda: pair.turn() == 2)
        one.program.send_signal(signal.SIGCONT)
        until("it is waited for again", lambda: pair.takers() == 2)
        pair.hold.unlink()
        until("the letter is kept", lambda: pair.faults() == [])
    with pair.app.store.read() as session:
        late = inbox.listing(session, None, 1)[0]
    assert late.source == "lmtp"
    assert late.arrived_at > pair.deadline
