"""Letters from a Maildir to acknowledgements in the outbox, with a baseline."""

import os
import sqlite3
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from functools import partial
from itertools import count, cycle
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from referee.app import build
from referee.daemon import Daemon
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.plugins import installed_rulesets
from referee.rules.extras import Strength
from referee.rulesets.starweb.state import Character
from referee.settings import load
from referee.store.letter_states import InboxState
from referee.store.mail import inbox, outbox
from referee.testing.correspondents import Correspondent, Received, quoted, signed
from referee.testing.mailbox import Mailbox
from tests.benchmarks.timing import Benchmark, report, size

SEATS: Final = size(15, 2)
_FLUSHES: Final = size(200, 1)
TURNS: Final = size(6, 1)
HOUSE: Final = "games@referee.example"
HEADERS: Final = ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References")
"""The headers that are needed to answer a letter."""
NOON: Final = datetime.now(UTC) - timedelta(hours=1)
SETTINGS: Final = f"""
[site]
address = "{HOUSE}"
operator = "operator@referee.example"
creators = ["gm@example.org"]
[[maildir]]
name = "orders"
path = "incoming"
[trust]
authserv_ids = ["mx.referee.example"]
[sending]
kind = "maildir"
path = "sent"
"""


class House:
    """A referee with a game in progress, and players who send the same orders repeatedly."""

    def __init__(self, folder: Path, more: str = "") -> None:
        for name in ("tmp", "new", "cur"):
            (folder / "incoming" / name).mkdir(parents=True)
        (folder / "referee.toml").write_text(SETTINGS + more)
        app = build(load(folder / "referee.toml"), installed_rulesets())
        self.app = replace(app, site=replace(app.site, entropy=lambda number: b"e" * number))
        self.daemon = Daemon(self.app)
        self._new = folder / "incoming" / "new"
        self._sent = folder / "sent" / "new"
        self._ids = count()
        self._minutes = count()
        self._players = [Correspondent(f"player{n}@example.org") for n in range(1, SEATS + 1)]
        self._mailbox = Mailbox(self.app.store, self.app.site)
        self._begin()
        for _ in range(TURNS):
            self._play()
        self._read_before = self._states()[InboxState.READ] - self._acknowledged()

    def letters(self) -> list[bytes]:
        """Return a new order letter of every player: a reply above the quoted report."""
        reports = self._reports()
        written = []
        for player in self._players:
            report = reports[player.address]
            body = self._mailbox.answer(report.subject, Strength.HARD) + quoted(report, NOON)
            written.append(signed(player.reply(report, body, NOON, {})))
        return written

    def deliver(self, letters: list[bytes]) -> None:
        """Put letters into the referee's mailbox, each with a new Message-ID."""
        for raw in letters:
            number = next(self._ids)
            fresh = signed(raw).replace(b"Message-ID: <", b"Message-ID: <%d." % number, 1)
            (self._new / f"{number:08}.host").write_bytes(fresh)

    def take(self) -> None:
        """Take all letters out of the mailbox, read them, and put the answers into the outbox."""
        now = self._now()
        self.daemon.sources.take_in("orders", now)
        # A round reads only so many letters.
        while self.daemon.inbox.read_waiting(now):
            pass

    def check(self) -> None:
        """Check that every letter was read and acknowledged."""
        states, acknowledged = self._states(), self._acknowledged()
        read = states[InboxState.READ] - self._read_before
        if not read == acknowledged == sum(states.values()) - self._read_before:
            raise SystemExit(f"of {states} only {acknowledged} were acknowledged")

    def _states(self) -> Mapping[InboxState, int]:
        with self.app.store.read() as session:
            return inbox.counts(session)

    def _acknowledged(self) -> int:
        with self.app.store.read() as session:
            written = outbox.listing(session, None, 100_000)
            return sum(letter.kind == Acknowledgement.__name__ for letter in written)

    def _now(self) -> datetime:
        return NOON + timedelta(minutes=next(self._minutes))

    def _begin(self) -> None:
        gm, worlds = Correspondent("gm@example.org"), 17 * SEATS
        create = f'CREATE STARWEB SEATS {SEATS} DEADLINE "300 days" OPTION worlds={worlds} early=0'
        self.deliver([gm.letter(HOUSE, "", create, NOON, {})])
        self.take()
        for n, (player, character) in enumerate(zip(self._players, cycle(Character), strict=False)):
            join = f"JOIN SW-1 P{'ABCDEFGHIJKLMNO'[n]} AS {character.value}"
            self.deliver([player.letter(HOUSE, "", join, NOON, {})])
        self.take()
        self._step()

    def _play(self) -> None:
        """Send orders, and then FINAL, from every player, so that the turn is resolved."""
        reports = self._reports()
        self.deliver(self.letters())
        self.deliver(
            [
                signed(each.reply(reports[each.address], "FINAL\n", NOON, {}))
                for each in self._players
            ]
        )
        self.take()
        self._step()

    def _step(self) -> None:
        now = self._now()
        self.daemon.step(now)
        assert self.daemon.send(now)

    def _reports(self) -> dict[str, Received]:
        """Return the newest report of each player."""
        letters = (Received(file.read_bytes()) for file in sorted(self._sent.iterdir()))
        return {letter.recipient: letter for letter in letters if "report" in letter.subject}


class Least:
    """The minimal work for a letter: fetched, stored, parsed, and answered durably.

    It is parsed as the standard library recommends: headers and text are decoded, but not read.
    """

    def __init__(self, folder: Path) -> None:
        self._new, self._cur = folder / "new", folder / "cur"
        for place in (self._new, self._cur):
            place.mkdir(parents=True)
        self._database = sqlite3.connect(folder / "raw.db", isolation_level=None)
        # Like the referee's own database: a commit survives a power failure.
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute("CREATE TABLE inbox (id INTEGER PRIMARY KEY, raw, is_read)")
        self._database.execute("CREATE TABLE outbox (id INTEGER PRIMARY KEY, raw)")

    def deliver(self, letters: list[bytes]) -> None:
        """Put letters into the mailbox."""
        for number, raw in enumerate(letters):
            (self._new / f"{number:08}.host").write_bytes(raw)

    def take(self) -> None:
        """Take all letters out of the mailbox, and store an answer as long as each."""
        for file in sorted(self._new.iterdir()):
            raw = file.read_bytes()
            number = self.keep(raw)
            file.rename(self._cur / file.name)
            self.answer(number, raw)

    def keep(self, raw: bytes) -> int | None:
        """Commit a letter, and return its id."""
        return self._commit(("INSERT INTO inbox (raw) VALUES (?)", (raw,)))

    def answer(self, number: int | None, raw: bytes) -> str:
        """Parse a letter, and commit and return an answer as long as its text."""
        answer = _parsed(raw)
        self._commit(
            ("UPDATE inbox SET is_read = 1 WHERE id = ?", (number,)),
            ("INSERT INTO outbox (raw) VALUES (?)", (answer,)),
        )
        return answer

    def _commit(self, *statements: tuple[str, tuple[object, ...]]) -> int | None:
        self._database.execute("BEGIN IMMEDIATE")
        rows = [self._database.execute(*statement).lastrowid for statement in statements]
        self._database.execute("COMMIT")
        return rows[0]

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def _parsed(raw: bytes) -> str:
    """Return the text of a letter, after decoding its headers and its text."""
    message = BytesParser(EmailMessage, policy=default).parsebytes(raw)
    for name in HEADERS:
        str(message[name])
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def _flush(folder: Path) -> float:
    """Return the seconds that the disk needs to flush a page."""
    times = []
    with (folder / "flushed").open("wb", buffering=0) as file:
        for _ in range(_FLUSHES):
            file.write(b"x" * 4096)
            begun = perf_counter()
            os.fdatasync(file.fileno())
            times.append(perf_counter() - begun)
    return median(times)


def main() -> None:
    """Run the benchmark, and print the flush time: the minimum flushes twice per letter."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder) / "house")
        letters = house.letters()

        def take(place: House | Least) -> None:
            place.deliver(letters)
            place.take()

        with closing(house.app), closing(Least(Path(folder) / "least")) as least:
            report(
                Benchmark(
                    f"{SEATS} letters with orders from a Maildir to acknowledgements in the outbox",
                    partial(take, house),
                    "taken out, parsed by the standard library, two durable commits each",
                    partial(take, least),
                    aim=7,
                    letters=SEATS,
                )
            )
            house.check()
            flush = 1000 * _flush(Path(folder))
            sys.stdout.write(f"  {flush:9.3f} ms  for the disk to have what is committed\n")


if __name__ == "__main__":
    main()
