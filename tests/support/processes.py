"""The referee as a separate process, as a service manager runs it."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final, Protocol

from referee.cli import main

PATIENCE = 240.0

# Its forks are referees that have imported the program already, which takes most of a start.
_IMPORTED: Final = multiprocessing.get_context("forkserver")
_RULESETS: Final = [each.module for each in entry_points(group="referee.rulesets")]
_IMPORTED.set_forkserver_preload(["referee.cli.run", "alembic.command", *_RULESETS])


def wait_for(truth: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until something is true; fail if it takes too long."""
    until = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < until, "it did not come about in time"
        time.sleep(0.05)


class Installation:
    """A settings file in a folder, and the referee run with it."""

    def __init__(self, folder: Path, settings: str) -> None:
        self.folder = folder
        self.file = folder / "referee.toml"
        self.file.write_text(settings)
        self._starts = 0

    @property
    def command(self) -> tuple[str, ...]:
        """Return what Python runs for a referee that imports the program itself."""
        return ("-m", "referee", "--settings", str(self.file), "run")

    @contextmanager
    def running(
        self, program: Sequence[str] = (), watchdog_seconds: float = 60
    ) -> Iterator["Running"]:
        """Run the referee; yield when it has reported that it is ready.

        *program* is what Python runs, by default a fork that has imported the program.
        """
        self._starts += 1
        place = self.folder / f"notify{self._starts}"
        # A pipe that is not read during the test would become full.
        log = self.folder / f"log{self._starts}"
        watchdog = str(int(watchdog_seconds * 1_000_000))
        environment = {**os.environ, "NOTIFY_SOCKET": str(place), "WATCHDOG_USEC": watchdog}
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(place))
            manager.settimeout(PATIENCE)
            started = (
                _started(program, environment, log)
                if program
                else Fork(("--settings", str(self.file), "run"), environment, log)
            )
            try:
                assert manager.recv(100) == b"READY=1"
                yield Running(started, manager, log)
            finally:
                started.send_signal(signal.SIGKILL)
                started.wait(PATIENCE)
                # pytest shows the log of a referee if its test fails.
                sys.stderr.write(log.read_text())


class Program(Protocol):
    """A running program; ``subprocess.Popen`` is one."""

    pid: int

    @property
    def returncode(self) -> int | None:
        """Return the exit status, or None while it runs."""

    def send_signal(self, number: int, /) -> None:
        """Send a signal, if it is still running."""

    def wait(self, seconds: float, /) -> object:
        """Wait until it ends. Raises an error if it takes too long."""


class Fork:
    """The command line in a fork of a process that has imported it."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], log: Path) -> None:
        self._process = _IMPORTED.Process(target=_run, args=(arguments, environment, log))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """Return the exit status, or None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int, /) -> None:
        """Send a signal, if it is still running."""
        if self.returncode is None:
            # It may have ended just now.
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, seconds: float, /) -> None:
        """Wait until it ends. Raises an error if it takes too long."""
        self._process.join(seconds)
        assert self.returncode is not None, "it did not end in time"


def _started(program: Sequence[str], environment: dict[str, str], log: Path) -> Program:
    with log.open("wb") as written:
        return subprocess.Popen([sys.executable, *program], env=environment, stderr=written)


def _run(arguments: Sequence[str], environment: dict[str, str], log: Path) -> None:
    os.environ.clear()
    os.environ.update(environment)
    with log.open("wb") as written:
        os.dup2(written.fileno(), 2)
    main(arguments, prog_name="referee")


class Running:
    """A running referee and its messages to the service manager."""

    def __init__(self, program: Program, manager: socket.socket, log: Path) -> None:
        self.program = program
        self._manager = manager
        self._log = log

    def told(self) -> str:
        """Return the next message to the service manager."""
        return self._manager.recv(100).decode()

    def hear_all(self) -> list[str]:
        """Return the messages received so far."""
        words: list[str] = []
        self._manager.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                words.append(self.told())
        self._manager.settimeout(PATIENCE)
        return words

    def stop(self) -> str:
        """Stop it like the service manager, and return its log; the exit status must be 0."""
        self.program.send_signal(signal.SIGTERM)
        return self.ended(PATIENCE)

    def ended(self, seconds: float) -> str:
        """Wait until it ends, and return its log; the exit status must be 0."""
        self.program.wait(seconds)
        log = self._log.read_text()
        assert self.program.returncode == 0, log
        return log

    def kill(self) -> None:
        """Kill it, like a power failure."""
        self.program.send_signal(signal.SIGKILL)
        self.program.wait(PATIENCE)

    def workers(self) -> list[int]:
        """Return the process ids of its workers."""
        threads = Path(f"/proc/{self.program.pid}/task").glob("*/children")
        children = [number for thread in threads for number in thread.read_text().split()]
        # Besides its workers, Python starts a tracker of shared resources.
        lines = {int(number): Path(f"/proc/{number}/cmdline") for number in children}
        return [number for number, line in lines.items() if b"spawn_main" in line.read_bytes()]


def is_running(pid: int) -> bool:
    """Return whether a process is running."""
    try:
        # Of a process that ended but was not waited for, only its name is left.
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except OSError:
        return False
