"""The cost of a letter and of a round with 10 to 10,000 games, and the memory."""

import gc
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, select

from referee.app import App, build
from referee.daemon import Daemon
from referee.plugins import installed_rulesets
from referee.settings import load
from referee.store.database.base import Base
from referee.store.games import games
from referee.store.people import observers, people
from referee.testing.correspondents import Correspondent, Received, signed
from tests.benchmarks.intake import NOON, SETTINGS
from tests.benchmarks.timing import size

SIZES: Final = (10, 100, 1000, 10_000)
SEATS: Final = 4
TURNS: Final = size(3, 1)
ROUNDS: Final = size(60, 1)
MEGABYTE: Final = 1024
_HOUSE: Final = "games@referee.example"
_MORE: Final = 10**7
"""More than the number of any account that was drawn."""
_BATCH: Final = 250
"""The number of games written at once."""
_UNIQUE: Final = {
    "people": ("address",),
    "inbox": ("source_id",),
    "outbox": ("message_id",),
    "games": ("name",),
}
_SINGLE: Final = {"heartbeats", "mailbox_cursors", "bookings"}
_BULKY: Final = {"inbox": "raw", "outbox": "raw"}


@dataclass(frozen=True, slots=True)
class Cost:
    """The results: milliseconds per letter and per round, and the peak memory in MB."""

    letter: float
    round: float
    memory: float


class House:
    """A referee in a folder with one played game, which can have many copies."""

    def __init__(self, folder: Path, since: datetime = NOON) -> None:
        for name in ("tmp", "new", "cur"):
            (folder / "incoming" / name).mkdir(parents=True, exist_ok=True)
        if not (folder / "referee.toml").exists():
            (folder / "referee.toml").write_text(SETTINGS)
        self._folder, self._since = folder, since
        self.app: App = build(load(folder / "referee.toml"), installed_rulesets())
        self.daemon = Daemon(self.app)
        self._ids = itertools.count(1)
        self._players = [Correspondent(f"player{n}@example.org") for n in range(1, SEATS + 1)]

    def play(self) -> None:
        """Start the game and play its first turns; nobody sends orders after that."""
        gm = Correspondent("gm@example.org")
        self._post(gm, f'CREATE STARWEB SEATS {SEATS} DEADLINE "300 days" OPTION worlds=68 early=0')
        for player, letter in zip(self._players, "ABCD", strict=True):
            self._post(player, f"JOIN SW-1 P{letter} AS Pirate")
        for _ in range(TURNS):
            for player in self._players:
                self._reply(player, "FINAL\n")
            self.step()
        self._reply(self._players[0], "VOTE DRAW\n")
        self._let_watch()
        self.step()

    def _let_watch(self) -> None:
        """Add an observer of the game who has read all reports."""
        with self.app.store.write() as session:
            game = games.by_name(session, "SW-1")
            gm = people.by_address(session, "gm@example.org")
            assert game is not None
            assert gm is not None
            game.observers_behind = 1
            observers.add(session, game, gm, game.turn - 1, self._since)

    def written(self) -> bytes:
        """Return a letter of a player with orders."""
        player = self._players[next(self._ids) % SEATS]
        return signed(player.reply(self._report(player.address), "CHECK\nW1B1P\n", NOON, {}))

    def arrive(self, raw: bytes) -> None:
        """Receive, read and answer a letter."""
        number = next(self._ids)
        fresh = signed(raw).replace(b"Message-ID: <", b"Message-ID: <%d." % number, 1)
        (self._folder / "incoming" / "new" / f"{number:08}.{id(self)}").write_bytes(fresh)
        now = self._since + timedelta(seconds=number)
        self.daemon.sources.take_in("orders", now)
        self.daemon.inbox.read_waiting(now)
        if b"JOIN" in raw or b"CREATE" in raw or b"FINAL" in raw:
            self.step()

    def step(self) -> None:
        """Take every step of the loop once; nothing is due."""
        now = self._since + timedelta(seconds=next(self._ids))
        self.daemon.step(now)
        assert self.daemon.send(now)

    def _post(self, writer: Correspondent, body: str) -> None:
        self.arrive(writer.letter(_HOUSE, "", body, NOON, {}))

    def _reply(self, player: Correspondent, body: str) -> None:
        self.arrive(signed(player.reply(self._report(player.address), body, NOON, {})))

    def _report(self, address: str) -> Received:
        letters = sorted((self._folder / "sent" / "new").iterdir())
        found = (Received(file.read_bytes()) for file in reversed(letters))
        return next(
            each for each in found if each.recipient == address and "report" in each.subject
        )


class Mould:
    """The rows of a site with one game, from which more games are created."""

    def __init__(self, app: App) -> None:
        self._store = app.store
        self._made = 1
        with app.store.read() as session:
            connection = session.connection()
            tables = [table for table in Base.metadata.sorted_tables if table.name not in _SINGLE]
            self._strides = {table.name: _highest(connection, table) for table in tables}
            self._rows = {
                table: connection.execute(select(table)).mappings().all() for table in tables
            }

    def fill(self, games: int) -> None:
        """Insert rows until there are *games* games."""
        while self._made < games:
            until = min(self._made + _BATCH, games)
            with self._store.write() as session:
                for table, rows in self._rows.items():
                    made = [
                        _copy(table, row, self._strides, number)
                        for number in range(self._made, until)
                        for row in rows
                    ]
                    if made:
                        session.connection().execute(insert(table), made)
            self._made = until


def _highest(connection: Connection, table: Table) -> int:
    if "id" not in table.c:
        return 0
    return connection.execute(select(func.max(table.c.id))).scalar() or 0


def _copy(
    table: Table, row: Mapping[Any, Any], strides: Mapping[str, int], number: int
) -> dict[str, Any]:
    copied = dict(row)
    for column in table.c:
        value = copied[column.name]
        for key in column.foreign_keys:
            if value is not None:
                copied[column.name] = value + number * strides[key.column.table.name]
    if "id" in copied:
        copied["id"] = row["id"] + number * strides[table.name]
    for name in _UNIQUE.get(table.name, ()):
        copied[name] = f"SW-{number + 1}" if table.name == "games" else f"{number}.{row[name]}"
    if table.name == "people":
        copied["account"] = _MORE + copied["id"]
    if table.name in _BULKY:
        # As many rows as in practice, but less data.
        copied["raw"] = row["raw"][:200]
    return copied


def measure(folder: Path) -> Cost:
    """Return the cost of letters and rounds for the site in a folder."""
    # Letters of the last hour count against the sending limit, but so many letters in one hour are
    # not what is measured here.
    house = House(folder, NOON + timedelta(hours=2))
    for _ in range(size(3, 1)):
        # Checks that were never done are done now, and lazy imports are loaded.
        house.arrive(house.written())
        for _ in range(ROUNDS):
            house.step()
    written = [house.written() for _ in range(ROUNDS)]
    letters = min(_milliseconds(partial(house.arrive, raw)) for raw in written)
    rounds = min(_milliseconds(house.step) for _ in range(ROUNDS))
    house.app.close()
    return Cost(letters, rounds, _most_memory())


def _most_memory() -> float:
    """Return the peak memory of this process in MB, without its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (most,) = (line.split()[1] for line in status if line.startswith("VmHWM:"))
    return int(most) / MEGABYTE


def _milliseconds(deed: Callable[[], None]) -> float:
    """Return the CPU time of *work* in milliseconds."""
    gc.collect()
    begun = process_time()
    deed()
    return 1000 * (process_time() - begun)


def costs(sizes: Sequence[int]) -> Iterator[Cost]:
    """Return the cost for a site of each size, each measured in its own process."""
    with tempfile.TemporaryDirectory() as name:
        house = House(Path(name))
        house.play()
        mould = Mould(house.app)
        for size in sizes:
            mould.fill(size)
            # This moves the write-ahead log into the file, as in practice.
            house.app.close()
            # Data written during the measurement must not affect the next size.
            with tempfile.TemporaryDirectory() as copy:
                yield _measured(Path(shutil.copytree(name, copy, dirs_exist_ok=True)))
        house.app.close()


def _measured(folder: Path) -> Cost:
    told = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.growth", "measure", folder],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Cost(**json.loads(told.stdout))


def main(sizes: Sequence[int]) -> None:
    """Print the cost of each size, compared with the smallest one."""
    first: Cost | None = None
    for many, cost in zip(sizes, costs(sizes), strict=False):
        first = first or cost
        sys.stdout.write(
            f"{many:6} games  letter {cost.letter:7.2f} ms ({cost.letter / first.letter:4.2f})"
            f"  round {cost.round:7.2f} ms ({cost.round / first.round:4.2f})"
            f"  memory {cost.memory:4.0f} MB\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        found = measure(Path(sys.argv[2]))
        words = {"letter": found.letter, "round": found.round, "memory": found.memory}
        sys.stdout.write(json.dumps(words))
    else:
        main([int(sys.argv[1])] if len(sys.argv) > 1 else SIZES)
