"""Letters from a Maildir to acknowledgements in the outbox, beside the least that could take."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.parser import BytesParser
from email.policy import compat32
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.timing import Benchmark, report
from referee.app import build
from referee.daemon import Daemon
from referee.letters.notices import Acknowledgement
from referee.plugins import installed_rulesets
from referee.settings import load
from referee.store import inbox, outbox
from referee.store.models import InboxState
from referee.testing.correspondents import Correspondent, Received, quoted
from referee.testing.robots import CHARACTERS, order_text

SEATS: Final = 15
HOUSE: Final = "games@referee.example"
NOON: Final = datetime(2026, 9, 1, 12, tzinfo=UTC)
SETTINGS: Final = f"""
[house]
address = "{HOUSE}"
operator = "operator@referee.example"
creators = ["gm@example.org"]
[[maildir]]
name = "orders"
path = "incoming"
[sending]
kind = "maildir"
path = "sent"
"""


class House:
    """A referee with a game that has begun, and players who send the same orders over and over."""

    def __init__(self, folder: Path) -> None:
        for name in ("tmp", "new", "cur"):
            (folder / "incoming" / name).mkdir(parents=True)
        (folder / "referee.toml").write_text(SETTINGS)
        app = build(load(folder / "referee.toml"), installed_rulesets())
        self.app = replace(app, house=replace(app.house, entropy=lambda number: b"e" * number))
        self.daemon = Daemon(self.app)
        self._new = folder / "incoming" / "new"
        self._sent = folder / "sent" / "new"
        self._ids = count()
        self._minutes = count()
        self._players = [Correspondent(f"player{n}@example.org") for n in range(1, SEATS + 1)]
        self._begin()
        self._reports = dict(self._received())

    def letters(self) -> list[bytes]:
        """Give a new order letter of every player: a reply on top of his quoted report."""
        robot = CHARACTERS["Pirate"]()
        written = []
        for player in self._players:
            letter = self._reports[player.address]
            body = order_text(robot.orders(letter.text)) + quoted(letter, NOON)
            written.append(player.reply(letter, body, NOON, {}))
        return written

    def deliver(self, letters: list[bytes]) -> None:
        """Put letters into the referee's mailbox, each with another Message-ID than ever before."""
        for raw in letters:
            number = next(self._ids)
            fresh = raw.replace(b"Message-ID: <", b"Message-ID: <%d." % number, 1)
            (self._new / f"{number:08}.host").write_bytes(fresh)

    def take(self) -> None:
        """Take all letters out of the mailbox, read them, and put the answers into the outbox."""
        now = NOON + timedelta(minutes=next(self._minutes))
        self.daemon.take_in(self.app.maildirs["orders"], now)
        self.daemon.read(now)

    def check(self) -> None:
        """Fail unless every letter was read and acknowledged."""
        with self.app.store.read() as session:
            states = inbox.counts(session)
            written = outbox.listing(session, None, 2 * sum(states.values()) + 100)
        acknowledged = sum(letter.kind == Acknowledgement.__name__ for letter in written)
        # The GM and the players wrote before there was anything to order.
        if not states[InboxState.READ] == sum(states.values()) == acknowledged + SEATS + 1:
            raise SystemExit(f"of {states} only {acknowledged} were acknowledged")

    def _begin(self) -> None:
        gm, worlds = Correspondent("gm@example.org"), 17 * SEATS
        create = f'CREATE STARWEB SEATS {SEATS} DEADLINE "300 days" OPTION worlds={worlds}'
        self.deliver([gm.letter(HOUSE, "", create, NOON, {})])
        self.take()
        joins = [
            player.letter(HOUSE, "", f"JOIN SW-1 P{'ABCDEFGHIJKLMNO'[n]} AS Pirate", NOON, {})
            for n, player in enumerate(self._players)
        ]
        self.deliver(joins)
        self.take()
        self.daemon.step(NOON)
        self.daemon.send(NOON)

    def _received(self) -> Iterator[tuple[str, Received]]:
        for file in sorted(self._sent.iterdir()):
            letter = Received.of(file.read_bytes())
            if "first report" in letter.subject:
                yield letter.recipient, letter


class Least:
    """The least that must be done with a letter: read, parsed, and committed before and after."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self._database = sqlite3.connect(folder / "raw.db", isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute("CREATE TABLE letters (raw BLOB, answer TEXT)")

    def take(self, letters: list[bytes]) -> None:
        """Do it with each letter."""
        for number, raw in enumerate(letters):
            file = self._folder / f"{number}.host"
            file.write_bytes(raw)
            octets = file.read_bytes()
            row = self._commit("INSERT INTO letters VALUES (?, '')", octets)
            message = BytesParser(policy=compat32).parsebytes(octets)
            text = message.get_payload(decode=True)
            self._commit("UPDATE letters SET answer = ? WHERE rowid = ?", text, row)

    def _commit(self, statement: str, *values: object) -> int | None:
        self._database.execute("BEGIN IMMEDIATE")
        cursor = self._database.execute(statement, values)
        self._database.execute("COMMIT")
        return cursor.lastrowid

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def main() -> None:
    """Time it."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder) / "house")
        letters = house.letters()

        def take() -> None:
            house.deliver(letters)
            house.take()

        with closing(house.app), closing(Least(Path(folder) / "least")) as least:
            report(
                Benchmark(
                    f"{SEATS} letters with orders from a Maildir to acknowledgements in the outbox",
                    take,
                    "the files read, parsed by the standard library, two durable commits each",
                    lambda: least.take(letters),
                    aim=2,
                )
            )
            house.check()


if __name__ == "__main__":
    main()
