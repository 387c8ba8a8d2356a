"""The referee as a separate process, as a service manager runs it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 240.0


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

    @contextmanager
    def running(
        self, program: Sequence[str] = (), watchdog_seconds: float = 60
    ) -> Iterator["Running"]:
        """Run the referee; yield when it has reported that it is ready.

        *program* is what Python runs, by default the command line.
        """
        command = program or ("-m", "referee", "--settings", str(self.file), "run")
        watchdog = str(int(watchdog_seconds * 1_000_000))
        self._starts += 1
        place = self.folder / f"notify{self._starts}"
        # A pipe that is not read during the test would become full.
        log = self.folder / f"log{self._starts}"
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
            log.open("wb") as written,
        ):
            manager.bind(str(place))
            manager.settimeout(PATIENCE)
            started = subprocess.Popen(
                [sys.executable, *command],
                env={**os.environ, "NOTIFY_SOCKET": str(place), "WATCHDOG_USEC": watchdog},
                stderr=written,
            )
            try:
                assert manager.recv(100) == b"READY=1"
                yield Running(started, manager, log)
            finally:
                started.kill()
                started.wait(PATIENCE)
                # pytest shows the log of a referee if its test fails.
                sys.stderr.write(log.read_text())


class Running:
    """A running referee and its messages to the service manager."""

    def __init__(self, program: subprocess.Popen[bytes], manager: socket.socket, log: Path) -> None:
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
        self.program.terminate()
        return self.ended(PATIENCE)

    def ended(self, seconds: float) -> str:
        """Wait until it ends, and return its log; the exit status must be 0."""
        self.program.wait(seconds)
        log = self._log.read_text()
        assert self.program.returncode == 0, log
        return log

    def kill(self) -> None:
        """Kill it, like a power failure."""
        self.program.kill()
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
