"""``python -m tests.live.dying SETTINGS``: the daemon, again and again, killed each time.

A line of the input is a life, such as ``sender 3``: a process with the whole daemon that is killed
just before the third change of its thread ``sender``. The output is its process id, what its
threads change, and ``gone``. All lives are forks of a program that has imported everything, so they
begin at once.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from typing import Final

from referee import instance_lock
from referee.app import build
from referee.daemon import Daemon, Service, logs
from referee.plugins import installed_rulesets
from referee.settings import load
from referee.testing.faults import Faults
from tests.support.processes import PATIENCE

SENT: Final = "smtplib.send a letter"
COMMIT: Final = "commit"
IDLE: Final = "imaplib.send IDLE"
_GONE: Final = "gone"
_KILLED: Final = "killed before "


class _Dying(Faults):
    """A watcher that tells all changes, and kills the program before one of them."""

    def __init__(self, folder: Path, thread: str, at: int) -> None:
        super().__init__(folder)
        self._thread, self._left = thread, at

    def _reach(self, point: str) -> None:
        thread = threading.current_thread().name
        self._left -= thread.startswith(self._thread)
        if self._left == 0:
            _tell(f"{thread}: {_KILLED}{point}")
            os.kill(os.getpid(), signal.SIGKILL)
        _tell(f"{thread}: {point}")


@dataclass(slots=True)
class Life:
    """What each thread changed in a life, in order, and the change before which it was killed."""

    points: dict[str, list[str]] = field(default_factory=dict)
    killed: tuple[str, str] = ("", "")
    """The last change of the thread that was to be killed, and its next one."""

    def add(self, line: str) -> None:
        """Add a line of the output."""
        thread, _, point = line.partition(": ")
        before = self.points.setdefault(thread, [])
        if point.startswith(_KILLED):
            self.killed = (before[-1] if before else "", point.removeprefix(_KILLED))
        else:
            before.append(point)

    @property
    def doubts(self) -> int:
        """Return how many letters were sent, at most, without a record of it: 0 or 1."""
        sent = [point for point in self.points.get("sender", []) if point in (SENT, COMMIT)]
        return int(sent[-1:] == [SENT])


class Lives:
    """The lives of a referee, one after the other."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        assert program.stdin is not None
        assert program.stdout is not None
        self._orders, self._told = program.stdin, program.stdout
        self._lines: Queue[str] = Queue()
        self.listener = threading.Thread(target=self._listen)

    def live(self, thread: str, at: int, while_waiting: Callable[[], object]) -> Life:
        """Return the life that ends before a thread's *at*-th change.

        A call of *while_waiting* comes each time the mailbox was read and is waited for.
        """
        self._begin(thread, at)
        life = Life()
        while (line := self._next()) != _GONE:
            life.add(line)
            if line.endswith(f": {IDLE}"):
                while_waiting()
        return life

    def live_until(self, deed: Callable[[], object]) -> Life:
        """Return the life that is ended from outside when a deed is done."""
        number = self._begin("nobody", 1)
        deed()
        os.kill(number, signal.SIGKILL)
        life = Life()
        while (line := self._next()) != _GONE:
            life.add(line)
        return life

    def _begin(self, thread: str, at: int) -> int:
        self._orders.write(f"{thread} {at}\n")
        self._orders.flush()
        return int(self._next())

    def _next(self) -> str:
        return self._lines.get(timeout=PATIENCE)

    def _listen(self) -> None:
        for line in self._told:
            self._lines.put(line.rstrip("\n"))


@contextmanager
def lives(settings: Path, log: Path) -> Iterator[Lives]:
    """Yield the lives of a referee, whose logs go into a file."""
    command: Sequence[str | Path] = (sys.executable, "-m", "tests.live.dying", settings)
    with (
        log.open("w") as written,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
            start_new_session=True,
        ) as program,
    ):
        found = Lives(program)
        found.listener.start()
        try:
            yield found
        finally:
            # With it ends a life that a failed test has left.
            os.killpg(program.pid, signal.SIGKILL)
            found.listener.join()
            # pytest shows it if the test fails.
            sys.stderr.write(log.read_text())


def _tell(words: str) -> None:
    # One write, so that the lines of two threads do not mix.
    os.write(1, f"{words}\n".encode())


def _begin_lives(file: Path) -> None:
    logs.begin()
    settings = load(file)
    # The tables are not compared in each life, because that takes most of a start.
    app = build(settings, installed_rulesets(), exactly=True)
    app.close()
    for line in sys.stdin:
        thread, at = line.split()
        child = os.fork()
        if child == 0:
            _tell(str(os.getpid()))
            _Dying(file.parent, thread, int(at)).watch()
            with instance_lock.running(settings):
                Service(Daemon(app)).run()
        os.waitpid(child, 0)
        _tell(_GONE)


if __name__ == "__main__":
    _begin_lives(Path(sys.argv[1]))
