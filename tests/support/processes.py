"""The referee run as a process of its own, as a service manager would run it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 90.0


def wait_for(truth: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until something is true; the test fails when it does not come about in time."""
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
        """Run the referee; when this is entered it is ready, as it told the service manager.

        *program* is what Python runs, otherwise the command line itself.
        """
        command = program or ("-m", "referee", "--settings", str(self.file), "run")
        watchdog = str(int(watchdog_seconds * 1_000_000))
        self._starts += 1
        place = self.folder / f"notify{self._starts}"
        # A pipe that nobody reads while the test goes on would be full in the end.
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
                # pytest shows the log of a referee when the test with it has failed.
                sys.stderr.write(log.read_text())


class Running:
    """A running referee and what it tells the service manager."""

    def __init__(self, program: subprocess.Popen[bytes], manager: socket.socket, log: Path) -> None:
        self.program = program
        self._manager = manager
        self._log = log

    def told(self) -> str:
        """Return the next word to the service manager."""
        return self._manager.recv(100).decode()

    def hear_all(self) -> list[str]:
        """Return the words that have come by now."""
        words: list[str] = []
        self._manager.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                words.append(self.told())
        self._manager.settimeout(PATIENCE)
        return words

    def stop(self) -> str:
        """Stop it as the service manager would, and give its log; the status must be 0."""
        self.program.terminate()
        return self.ended(PATIENCE)

    def ended(self, seconds: float) -> str:
        """Wait until it has ended by itself, and give its log; the status must be 0."""
        self.program.wait(seconds)
        log = self._log.read_text()
        assert self.program.returncode == 0, log
        return log

    def kill(self) -> None:
        """End it as a power cut would."""
        self.program.kill()
        self.program.wait(PATIENCE)

    def workers(self) -> list[int]:
        """Return the processes that it has started to work for it."""
        threads = Path(f"/proc/{self.program.pid}/task").glob("*/children")
        children = [number for thread in threads for number in thread.read_text().split()]
        # Beside its workers it has a keeper of shared resources, which Python starts.
        lines = {int(number): Path(f"/proc/{number}/cmdline") for number in children}
        return [number for number, line in lines.items() if b"spawn_main" in line.read_bytes()]


def is_running(pid: int) -> bool:
    """Return whether a process runs."""
    try:
        # Of a process that has ended and that nobody asked about, the name alone is left.
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except OSError:
        return False


def free_port() -> int:
    """Return a port of this machine that nobody used a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
