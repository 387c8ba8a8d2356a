"""A load test of order letters at a deadline: each counts by its arrival and is answered.

``python -m tests.support.storming`` sends 2,000 in the last minute and 100 after it, first with a
simulated clock, then by LMTP to a running referee.
"""

import random
import re
import smtplib
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from referee.app import App, build
from referee.clock import now
from referee.daemon import Daemon
from referee.domain.mail_transfer import IncomingMail
from referee.settings import load
from referee.store import Session
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox, outbox
from referee.store.models import InboxLetter, Sheet
from referee.testing.conversation import take_rounds
from referee.testing.correspondents import Correspondent, Received, signed
from tests.support.ports import free_port
from tests.support.processes import Installation, wait_for

HOUSE: Final = "games@referee.example"
DEADLINE: Final = datetime(2026, 9, 8, 18, tzinfo=UTC)
MINUTE: Final = timedelta(minutes=1)
SEATS: Final = "ABCDEFGHIJKLMNO"
SETTINGS: Final = """
[site]
address = "games@referee.example"
operator = "operator@referee.example"
creators = ["gm@example.org"]
[receiver]
protocol = "lmtp"
port = {port}
[trust]
authserv_ids = ["mx.referee.example"]
[sending]
kind = "maildir"
path = "sent"
[limits]
letters_an_hour = 100000
"""


@dataclass(frozen=True, slots=True)
class Player:
    """A person who writes order letters for a seat."""

    game: str
    seat: str
    person: Correspondent
    report: Received
    home: int


@dataclass(frozen=True, slots=True)
class Mailed:
    """An order letter, its orders, and its arrival."""

    player: Player
    raw: bytes
    orders: tuple[str, ...]
    at: datetime


class House:
    """A site with games whose first turn is due, and their players."""

    def __init__(
        self, folder: Path, number: int, seats: int, begun: datetime, more: str = ""
    ) -> None:
        self.port = free_port()
        self.installation = Installation(folder, SETTINGS.format(port=self.port) + more)
        self._folder = folder
        self._dice = random.Random(f"storm {number} {seats}")
        app = self.open()
        daemon = Daemon(app)
        gm = Correspondent("gm@example.org")
        people = [
            (f"SW-{game}", f"P{letter}", Correspondent(f"p{game}{letter.lower()}@shire.example"))
            for game in range(1, number + 1)
            for letter in SEATS[:seats]
        ]
        create = f'CREATE STARWEB SEATS {seats} DEADLINE "3 days"\n'
        letters = [gm.letter(HOUSE, f"game {n}", create, begun, {}) for n in range(number)]
        letters += [
            person.letter(HOUSE, "", f"JOIN {game} {seat}\n", begun, {})
            for game, seat, person in people
        ]
        for count, raw in enumerate(letters):
            app.accept(IncomingMail("begin", str(count), signed(raw), begun))
        take_rounds(daemon, begun)
        assert daemon.send(begun)
        daemon.sources.awaiting.end()
        app.close()
        reports = {got.recipient: got for got in self.sent() if "first report" in got.subject}
        self.players = [
            Player(
                game, seat, person, reports[person.address], _home(reports[person.address], seat)
            )
            for game, seat, person in people
        ]
        self._before = len(list(self._sent.iterdir()))

    def open(self) -> App:
        """Open the site."""
        return build(load(self.installation.file))

    def sent(self) -> list[Received]:
        """Return all letters that were sent."""
        return [Received(file.read_bytes()) for file in sorted(self._sent.iterdir())]

    @property
    def _sent(self) -> Path:
        return self._folder / "sent" / "new"

    def letters(self, before: int, after: int, deadline: datetime) -> list[Mailed]:
        """Return order letters of all players, ordered by arrival."""
        span = MINUTE.total_seconds()
        moments = sorted(
            deadline - timedelta(seconds=self._dice.random() * span) for _ in range(before)
        )
        moments += sorted(
            deadline + timedelta(seconds=0.001 + self._dice.random() * 29) for _ in range(after)
        )
        written: Counter[str] = Counter()
        mailed = []
        for number, moment in enumerate(moments):
            player = self.players[number % len(self.players)]
            written[player.person.address] += 1
            orders = (f"W{player.home}B{written[player.person.address]}P",)
            raw = signed(player.person.reply(player.report, "\n".join(orders) + "\n", moment, {}))
            mailed.append(Mailed(player, raw, orders, moment))
        return mailed

    def faults(self, app: App, mailed: Sequence[Mailed], deadline: datetime) -> Iterator[str]:
        """Yield all errors in words."""
        with app.store.read() as session:
            rows = {row.message_id: row for row in session.query(InboxLetter) if row.message_id}
            letters = [(each, rows.get(_message_id(each.raw))) for each in mailed]
            kept = [(each, row) for each, row in letters if row is not None]
            if len(kept) < len(mailed):
                yield f"{len(mailed) - len(kept)} letters are not there"
            yield from _misjudged(session, [row for _, row in kept], deadline)
            for player in self.players:
                mine = [(each, row) for each, row in kept if each.player is player]
                yield from _out_of_order(session, player, mine, deadline)


def _home(report: Received, seat: str) -> int:
    found = re.search(rf"^W(\d+) \([\d,]*\) \[{seat}\]", report.text, re.MULTILINE)
    assert found is not None, report.text
    return int(found[1])


def _message_id(raw: bytes) -> str:
    found = re.search(rb"^Message-ID: <(.*)>", raw, re.MULTILINE | re.IGNORECASE)
    assert found is not None
    return found[1].decode()


def _misjudged(session: Session, rows: Sequence[InboxLetter], deadline: datetime) -> Iterator[str]:
    """Check that the one answer to each letter fits its arrival."""
    for row in rows:
        wanted = "Acknowledgement" if row.arrived_at <= deadline else "TooLate"
        kinds = [answer.kind for answer in outbox.answers_to(session, row)]
        if kinds != [wanted]:
            yield f"letter {row.id} of {row.arrived_at:%H:%M:%S.%f} was answered by {kinds}"


def _out_of_order(
    session: Session,
    player: Player,
    mine: Sequence[tuple[Mailed, InboxLetter]],
    deadline: datetime,
) -> Iterator[str]:
    """Check that the filed sheets match the letters in time, and the last ones were resolved."""
    game = games.by_name(session, player.game)
    assert game is not None
    seat = next(row for row in game.seats if row.name == player.seat)
    in_time = [
        list(each.orders)
        for each, row in sorted(mine, key=lambda pair: pair[1].id)
        if row.arrived_at <= deadline
    ]
    query = session.query(Sheet).filter(Sheet.seat_id == seat.id, Sheet.turn == 1)
    filed = [sheet.orders for sheet in query.order_by(Sheet.revision)]
    if filed != in_time:
        yield f"{player.seat} of {player.game}: filed {filed}, in time {in_time}"
    if game.turn != 2:
        yield f"{player.game} is in turn {game.turn}"
        return
    resolved = (games.turn_of(session, game, 1).sheets or {}).get(str(seat.number))
    if in_time and resolved != in_time[-1]:
        yield f"{player.seat} of {player.game}: resolved {resolved}, in time {in_time[-1]}"


def simulated(folder: Path, number: int, seats: int, before: int, after: int) -> list[str]:
    """Run a load test with a simulated clock, and return the errors.

    All letters are there before the first of them is read, as after a slow minute.
    """
    # This is too recent for an outage.
    house = House(folder, number, seats, DEADLINE - 5 * MINUTE)
    mailed = house.letters(before, after, DEADLINE)
    app = house.open()
    set_deadline(app, DEADLINE)
    for count, each in enumerate(mailed):
        app.accept(IncomingMail("storm", str(count), each.raw, each.at))
    daemon = Daemon(app)
    take_rounds(daemon, DEADLINE + MINUTE / 2)
    take_rounds(daemon, DEADLINE + MINUTE)
    assert daemon.send(DEADLINE + MINUTE)
    found = list(house.faults(app, mailed, DEADLINE))
    app.close()
    return found


def in_earnest(
    folder: Path, number: int, seats: int, before: int, after: int, seconds: float = 60
) -> list[str]:
    """Run a load test by LMTP at a deadline of a running referee, and return the errors."""
    house = House(folder, number, seats, now())
    deadline = now() + timedelta(seconds=seconds + 5)
    app = house.open()
    set_deadline(app, deadline)
    mailed = house.letters(before, after, deadline)
    scale = seconds / MINUTE.total_seconds()
    mailed = [replace(each, at=deadline + (each.at - deadline) * scale) for each in mailed]
    with house.installation.running():
        with smtplib.LMTP("127.0.0.1", house.port, timeout=60) as server:
            for each in mailed:
                time.sleep(max(0.0, (each.at - now()).total_seconds()))
                server.sendmail(each.player.person.address, [each.player.report.reply_to], each.raw)
        wait_for(lambda: _is_quiet(app), seconds=600)
    found = list(house.faults(app, mailed, deadline))
    app.close()
    return found


def set_deadline(app: App, deadline: datetime) -> None:
    """Set the deadline of all turns."""
    with app.store.write() as session:
        for game in games.listing(session):
            game.deadline_at = game.closes_at = deadline


def _is_quiet(app: App) -> bool:
    with app.store.read() as session:
        unread = inbox.counts(session)[InboxState.WAITING]
        unsent = outbox.counts(session)[OutboxState.WAITING]
        return not unread and not unsent and all(g.turn == 2 for g in games.listing(session))


def main() -> None:
    """Run both load tests in full size, and print the errors."""
    for way in (simulated, in_earnest):
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            found = way(Path(folder), 10, 15, 2000, 100)
            took = time.monotonic() - begun
            sys.stdout.write(f"{way.__name__}: 2100 letters, {took:.0f} s, {len(found)} faults\n")
            sys.stdout.writelines(f"  {fault}\n" for fault in found[:20])
            if found:
                raise SystemExit(1)


if __name__ == "__main__":
    main()
