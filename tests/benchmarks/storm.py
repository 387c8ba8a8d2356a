"""A load test: many games of StarWeb due at the same moment, until all reports are sent."""

import os
import re
import smtplib
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from referee.store import Store
from referee.store.letter_states import OutboxState
from referee.store.mail import outbox
from referee.testing.correspondents import Received
from tests.benchmarks.crowd import copy_game, due_still, let_end
from tests.benchmarks.intake import HOUSE, SEATS, House
from tests.benchmarks.sink import Log, Taken
from tests.live import postgresql
from tests.support.ports import free_port

SETTINGS: Final = """
state_dir = "{state}"
[site]
address = "{house}"
operator = "operator@referee.example"
creators = ["gm@example.org"]
[receiver]
protocol = "lmtp"
port = {receiver}
[sending]
kind = "smtp"
host = "127.0.0.1"
port = {sink}
security = "none"
[limits]
letters_an_hour = 10000000
domain_letters_a_minute = 10000000
answers_an_hour = 100000
[trust]
authserv_ids = ["mx.referee.example"]
[database]
url = "{database}"
"""
AIM: Final = 0.8
AIM_OF_TWO: Final = 0.9
_ASKED_EVERY: Final = 2.0
_LOOK: Final = 0.2
_LONGEST: Final = 3600.0

Cores = frozenset[int]


@dataclass(frozen=True, slots=True)
class Result:
    """The result: rates until all turns were resolved, and until all reports were sent."""

    games: int
    resolved: float
    delivered: float
    worked: float
    """CPU seconds of the referees and their workers per turn, with its letters."""
    peak_bytes: int
    waits: tuple[float, ...]
    """The times of the acknowledgements requested during the test."""
    load: float

    def told(self) -> str:
        """Return the figures in words."""
        waits = f"{max(self.waits):.2f} s" if self.waits else "-"
        return (
            f"  {self.games} games: {self.resolved:.1f} turns a second resolved, "
            f"{self.delivered:.1f} with all their reports delivered\n"
            f"    {self.delivered * SEATS:.0f} letters a second; a turn and its letters take "
            f"{1000 * self.worked:.0f} ms of a core; peak memory "
            f"{self.peak_bytes / 2**20:.0f} MB; slowest of {len(self.waits)} acknowledgements "
            f"{waits}; load of the machine {self.load:.1f}\n"
        )


class Referee:
    """A referee that runs on some cores and writes its log into a file."""

    def __init__(self, folder: Path, settings: str, port: int) -> None:
        folder.mkdir()
        self.port = port
        self._log = folder / "log"
        (folder / "referee.toml").write_text(settings)
        command = ("-m", "tests.support.unlocked", str(folder / "referee.toml"))
        with self._log.open("wb") as log:
            self.program = subprocess.Popen([sys.executable, *command], stderr=log)
        until(lambda: "referee ready" in self._log.read_text())

    def peak(self) -> int:
        """Return the sum of the peak memory of it and its workers in bytes."""
        return sum(map(_peak, self._processes()))

    def worked(self) -> float:
        """Return the CPU time of it and its workers in seconds."""
        return sum(map(cpu_seconds, self._processes()))

    def _processes(self) -> list[str]:
        ours = Path(f"/proc/{self.program.pid}/task").glob("*/children")
        children = [pid for threads in ours for pid in threads.read_text().split()]
        return [str(self.program.pid), *children]

    def stop(self) -> None:
        """Stop it, and check that it exited successfully."""
        self.program.terminate()
        if self.program.wait(30) or "level=error" in self._log.read_text():
            raise SystemExit(self._log.read_text()[-5000:])


class Storm:
    """A site with games in progress, and referees that resolve their turns."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self._database = database
        self._runs = 0
        self._house = House(folder / "house", f'[database]\nurl = "{database}"\n')
        self._asked = 0
        self._letter = self._house.letters()[0]
        self._house.deliver(self._house.letters())
        self._house.take()

    @property
    def _store(self) -> Store:
        return self._house.app.store

    def prepare(self, number: int) -> None:
        """Add *number* games with all orders on file."""
        with self._store.write() as session:
            copy_game(session, "SW-1", number)

    def run(self, number: int, daemons: Sequence[Cores]) -> Result:
        """Make *number* games due at once, with a referee on each set of cores."""
        self._runs += 1
        folder = self._folder / f"run{self._runs}"
        folder.mkdir()
        log = Log(folder / "letters")
        with ExitStack() as running:
            sink = running.enter_context(sink_on(folder / "letters", frozenset().union(*daemons)))
            referees = [
                running.enter_context(self._referee(folder / f"referee{n}", sink, cores))
                for n, cores in enumerate(daemons)
            ]
            # The workers start with the first turns.
            self._weather(min(number, 4) * len(daemons), log, referees[0])
            before, begun = len(log.taken()), time.time()
            worked = sum(referee.worked() for referee in referees)
            resolved, waits = self._weather(number, log, referees[0])
            letters = log.taken()[before:]
            worked = sum(referee.worked() for referee in referees) - worked
            peak, load = sum(referee.peak() for referee in referees), os.getloadavg()[0]
        _check(letters, number * SEATS + len(waits))
        span = letters[-1].at - begun
        speeds = number / resolved, number / span
        return Result(number, *speeds, worked / number, peak, tuple(waits), load)

    def _weather(self, number: int, log: Log, asked: Referee) -> tuple[float, list[float]]:
        """End turns, and wait for the last letter; return the duration and the answer times."""
        begun, resolved, waits = time.time(), 0.0, list[float]()
        before = len(log.taken())
        with self._store.write() as session:
            let_end(session, number, datetime.now(UTC))
        # Letters are counted first, because database queries slow the referees down.
        while (
            not resolved
            or len(log.taken()) < before + number * SEATS + len(waits)
            or self._unsent()
        ):
            if not resolved and time.time() > begun + _ASKED_EVERY * (len(waits) + 1):
                waits.append(self._wait_for_answer(log, asked))
            if time.time() > begun + _LONGEST:
                raise SystemExit(f"{len(log.taken()) - before} letters came, which is not all")
            time.sleep(_LOOK)
            if not resolved and not self._due():
                resolved = time.time() - begun
        return resolved, waits

    def _due(self) -> int:
        with self._store.read() as session:
            return due_still(session, datetime.now(UTC))

    def _unsent(self) -> int:
        with self._store.read() as session:
            return outbox.counts(session)[OutboxState.WAITING]

    def _wait_for_answer(self, log: Log, asked: Referee) -> float:
        """Send a letter with orders, and return the time until its acknowledgement."""
        self._asked += 1
        begun, number = time.time(), f"<asked{self._asked}@player.example>"
        letter = re.sub(rb"Message-ID: <[^>]*>", f"Message-ID: {number}".encode(), self._letter)
        to = Received(letter).recipient
        before = len(log.taken())
        with smtplib.LMTP("127.0.0.1", asked.port, timeout=60) as client:
            client.sendmail("player1@example.org", [to], letter)
        until(lambda: any(each.answers == number for each in log.taken()[before:]))
        return time.time() - begun

    @contextmanager
    def _referee(self, folder: Path, sink: int, cores: Cores) -> Iterator[Referee]:
        port = free_port()
        settings = SETTINGS.format(
            state=self._folder / "house" / "state",
            house=HOUSE,
            receiver=port,
            sink=sink,
            database=self._database,
        )
        with _on(cores):
            referee = Referee(folder, settings, port)
        try:
            yield referee
            referee.stop()
        finally:
            referee.program.kill()
            referee.program.wait()


@contextmanager
def sink_on(log: Path, cores: Cores) -> Iterator[int]:
    """Run a mail server on some cores that records all letters; yield its port."""
    with _on(cores):
        command = [sys.executable, "-m", "tests.benchmarks.sink", str(log)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield int(server.stdout.readline())
    finally:
        server.kill()
        server.communicate()


@contextmanager
def _on(cores: Cores) -> Iterator[None]:
    """Run programs started in this context only on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _check(letters: Sequence[Taken], number: int) -> None:
    """Check that *number* letters or more were delivered, each once; the GM gets some, too."""
    came = Counter(letter.message_id for letter in letters)
    if len(came) < number or len(letters) != len(came):
        raise SystemExit(f"of {number} letters {len(came)} came, in {len(letters)} copies")


def until(truth: Callable[[], bool], pause: float = 0.02) -> None:
    """Wait until something is true, checking every *pause* seconds."""
    end = time.monotonic() + _LONGEST
    while not truth():
        if time.monotonic() > end:
            raise SystemExit("it did not come about in time")
        time.sleep(pause)


def cpu_seconds(pid: str) -> float:
    """Return the CPU time of a process in seconds."""
    with suppress(OSError):
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _peak(pid: str) -> int:
    with suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
        return int(found[1]) * 1024 if found else 0
    return 0


def on_one_machine(folder: Path, number: int) -> None:
    """Run a load test with an SQLite file, on one core and on all, and print the ratio.

    On one core, the same program with the same settings finds only one core and resolves turns in
    its own process; the mail server is on that core, too. It gets only its share of the games, so
    that both tests take about as long.
    """
    cores = sorted(os.sched_getaffinity(0))
    storm = Storm(folder, f"sqlite:///{folder}/referee.db")
    few = max(number // len(cores), min(number, 8))
    storm.prepare(number + few + 16)
    one = storm.run(few, [frozenset(cores[:1])])
    sys.stdout.write(f"SQLite, one core, no worker\n{one.told()}")
    every = storm.run(number, [frozenset(cores)])
    sys.stdout.write(f"SQLite, {len(cores)} cores\n{every.told()}")
    ratio = every.delivered / (len(cores) * one.delivered)
    sys.stdout.write(f"  {ratio:.2f} of {len(cores)} times one core; the aim is {AIM}\n")


def on_two_daemons(folder: Path, number: int) -> None:
    """Run a load test on PostgreSQL with one referee and with two, and print the ratio.

    One referee, the database server and the mail server share one core; then two referees have a
    core each, and the two servers both. The server flushes nothing to the disk, as in the tests.
    """
    cores = sorted(os.sched_getaffinity(0))[:2]
    with postgresql.running() as server:
        storm = Storm(folder, server.database("storm"))
        few = max(number // len(cores), min(number, 8))
        storm.prepare(number + few + 16)
        _pin(server, frozenset(cores[:1]))
        one = storm.run(few, [frozenset(cores[:1])])
        sys.stdout.write(f"PostgreSQL, one daemon, server and all on one core\n{one.told()}")
        _pin(server, frozenset(cores))
        two = storm.run(number, [frozenset({core}) for core in cores])
        sys.stdout.write(f"PostgreSQL, two daemons on a core each\n{two.told()}")
    ratio = two.delivered / (len(cores) * one.delivered)
    sys.stdout.write(f"  {ratio:.2f} of twice as much per core; the aim is {AIM_OF_TWO}\n")


def _pin(server: postgresql.Postgres, cores: Cores) -> None:
    """Restrict the database server, and all its future processes, to these cores."""
    pid = int((server.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each in (pid, *map(int, children)):
        with suppress(ProcessLookupError):
            os.sched_setaffinity(each, cores)


def main(number: int) -> None:
    """Run both load tests; copying the games takes a minute before."""
    with tempfile.TemporaryDirectory() as folder:
        on_one_machine(Path(folder) / "file", number)
        on_two_daemons(Path(folder) / "server", number)


if __name__ == "__main__":
    main(int(sys.argv[1]))
