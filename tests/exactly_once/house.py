"""A referee on disk, with letters in Maildirs, started for one step at a time."""

import os
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from referee.app import build, note_key, retention_of
from referee.daemon import Daemon
from referee.daemon.housekeeping import Housekeeping
from referee.opening import open_store
from referee.plugins import installed_rulesets
from referee.settings import load
from tests.exactly_once.play import People, Step

SETTINGS = """
[site]
address = "games@referee.example"
operator = "operator@referee.example"
creators = ["gm@example.org"]
[[maildir]]
name = "orders"
path = "incoming"
[trust]
authserv_ids = ["mx.referee.example"]
[sending]
"""
MAILDIR = 'kind = "maildir"\npath = "sent"\n'
VOLATILE = {"owner", "lease_until", "fence", "attempts"}
"""Columns in which a crash of the referee can be seen."""

_SUMS = {"bookings": "SELECT thing, purse, SUM(amount) AS amount FROM bookings GROUP BY 1, 2"}
"""What is received is charged by the clock of the machine, which goes on during the test."""

Picture = Mapping[str, object]
"""The result of a run: the rows of every table, and the letters in the mailbox."""


class House:
    """A folder with all data that outlasts the referee, and the referee ready to start.

    *sending* is that section of the settings; *sent* is the folder with the sent letters, one file
    each.
    """

    def __init__(self, folder: Path, sending: str = MAILDIR, sent: str = "sent/new") -> None:
        for name in ("tmp", "new", "cur"):
            (folder / "incoming" / name).mkdir(parents=True)
        (folder / sent).mkdir(parents=True)
        (folder / "state").mkdir()
        (folder / "referee.toml").write_text(SETTINGS + sending)
        self.folder = folder
        self._sent = sent
        settings = load(folder / "referee.toml")
        # A secret that is there before the database would be that of a lost one.
        build(settings, {}).close()
        (folder / "state" / "secret").write_text("5e" * 32)
        with closing(open_store(settings)) as store:
            note_key(settings, store)
        app = build(settings, installed_rulesets())
        # The result must depend neither on how much randomness was used before the crash, nor on
        # the processor time that the reading took, which is charged.
        site = replace(app.site, entropy=lambda count: b"e" * count, cpu_clock=lambda: 0.0)
        self.app = replace(app, site=site)
        self.app.close()

    def post(self, step: Step) -> None:
        """Write the letters of a step into the referee's mailbox."""
        moment = step.now.timestamp()
        for name, raw in step.write(People(self.sent(), step.now)).items():
            file = self.folder / "incoming" / "new" / name
            file.write_bytes(raw)
            os.utime(file, (moment, moment))

    def serve(self, step: Step) -> None:
        """Start the referee, run it until nothing is left to do in this hour, and stop it."""
        daemon = Daemon(self.app)
        daemon.reclaim_stale_claims()
        daemon.step(step.now)
        assert daemon.send(step.now)
        # The crash decides how much of it is done by now, so all of it is done here.
        for _ in Housekeeping(self.app.store, retention_of(self.app.settings)).do_all(step.now):
            pass
        self.app.close()

    def sent(self) -> Sequence[bytes]:
        """Return the sent letters, ordered by file name."""
        return [file.read_bytes() for file in sorted((self.folder / self._sent).iterdir())]

    def picture(self) -> Picture:
        """Return the result of the run so far, without the sent letters."""
        database = sqlite3.connect(self.folder / "state" / "referee.db")
        database.row_factory = sqlite3.Row
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        rows = {name: _rows(database, name) for (name,) in database.execute(tables).fetchall()}
        database.close()
        mailbox = (self.folder / "incoming").rglob("*")
        letters = {str(file): file.read_bytes() for file in mailbox if file.is_file()}
        return {**rows, "mailbox": letters}

    def keep(self, name: str) -> None:
        """Save the current state under a name, replacing an earlier one."""
        shutil.rmtree(self._kept(name), ignore_errors=True)
        shutil.copytree(self.folder, self._kept(name))

    def return_to(self, name: str) -> None:
        """Restore the saved state."""
        shutil.rmtree(self.folder)
        shutil.copytree(self._kept(name), self.folder)

    def _kept(self, name: str) -> Path:
        return self.folder.with_name(f"{self.folder.name}.{name}")


def _rows(database: sqlite3.Connection, table: str) -> list[dict[str, object]]:
    question = _SUMS.get(table, f'SELECT * FROM "{table}" ORDER BY 1')
    rows = [dict(row) for row in database.execute(question)]
    return [{name: row[name] for name in row.keys() - VOLATILE} for row in rows]
