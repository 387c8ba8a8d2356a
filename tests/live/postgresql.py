"""A PostgreSQL server for the tests: a free port and a temporary folder."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.live.servers import absent
from tests.support.ports import free_port

_SUPERUSER = "referee"


@dataclass(frozen=True, slots=True)
class Postgres:
    """A running server; its databases are deleted when it stops."""

    programs: Path
    folder: Path
    port: int

    def database(self, name: str) -> str:
        """Create an empty database and return its URL."""
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", _SUPERUSER]
        self._run("createdb", *where, name)
        return f"postgresql+psycopg://{_SUPERUSER}@127.0.0.1:{self.port}/{name}"

    @property
    def user(self) -> str:
        """Return the superuser of the server."""
        return _SUPERUSER

    def start(self) -> None:
        """Start the server and wait until it responds."""
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder} -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """Stop the server at once, like a power failure."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def initialise(self) -> None:
        """Create the server's own files."""
        words = ["-U", _SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "-N"]
        self._run("initdb", "-D", str(self._data), *words)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *words: str) -> None:
        command = [*_unprivileged(), str(self.programs / program), *words]
        # The server would keep a pipe open while it runs, so its output goes to a file.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                command, stdout=output, stderr=output, cwd="/", timeout=60, check=False
            )
            output.seek(0)
            assert done.returncode == 0, f"{program} failed: {output.read().decode()}"


@contextmanager
def running() -> Iterator[Postgres]:
    """Yield a server until the end; skip the test if PostgreSQL is not installed.

    With ``REFEREE_REQUIRE_SERVERS=1`` the test fails instead.
    """
    programs = installed()
    folder = Path(tempfile.mkdtemp(prefix="referee-postgresql-"))
    try:
        if _unprivileged():
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        server = Postgres(programs, folder, free_port())
        server.initialise()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def installed() -> Path:
    """Return the folder of the server's programs; skip the test if there is none."""
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(versions, key=lambda path: int(path.parts[-3]), default=None)
    found = newest or shutil.which("initdb")
    if found is None:
        absent("PostgreSQL is not installed: apt install postgresql")
    return Path(found).parent


def _unprivileged() -> Sequence[str]:
    """Return the prefix of a command that root must not run."""
    return ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
