"""People who play by mail through real servers, and their referee."""

import re
import smtplib
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from click.testing import CliRunner, Result

from referee.cli import main
from referee.opening import open_store
from referee.settings import load
from referee.store import Session, Store
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox, outbox
from referee.store.models import Game
from referee.testing.correspondents import Correspondent, Received, signed
from tests.live.dovecot import PASSWORD, Dovecot
from tests.live.postfix import Postfix
from tests.live.servers import until
from tests.support.processes import Installation

SETTINGS = """
[site]
address = "{house}"
operator = "{operator}"
creators = ["{gm}"]
[[imap]]
name = "games"
host = "127.0.0.1"
port = {imap}
security = "none"
user = "{user}"
password_file = "imap.password"
[trust]
authserv_ids = ["mx.referee.example"]
[sending]
kind = "smtp"
host = "127.0.0.1"
port = {smtp}
security = "none"
"""
SEATS = ("FRODO", "SAM")
_LOOK_SECONDS = 0.2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MailServers:
    """A Postfix that accepts all letters, and the Dovecot with all mailboxes."""

    postfix: Postfix
    dovecot: Dovecot


class Person:
    """A person with a mailbox, who writes through Postfix and reads from Dovecot."""

    def __init__(self, servers: MailServers, address: str) -> None:
        self.address = address
        self.wrote: list[str] = []
        self._servers = servers
        self._writer = Correspondent(address)

    def write(self, to: str, body: str) -> None:
        """Write a letter."""
        self._send(to, signed(self._writer.letter(to, "", body, datetime.now(UTC), {})))

    def reply(self, to: Received, body: str) -> None:
        """Reply to a letter."""
        self._send(to.reply_to, signed(self._writer.reply(to, body, datetime.now(UTC), {})))

    def reply_in_turn(self, to: Received, body: str) -> None:
        """Reply so that the letter arrives after all earlier ones of this person.

        Postfix delivers letters concurrently, in no certain order.
        """
        raw = signed(self._writer.reply(to, body, datetime.now(UTC), {}))
        self._servers.dovecot.deliver(raw, to.reply_to)
        self.wrote.append(Received(raw).message_id)

    def letters(self) -> list[Received]:
        """Return all letters in the mailbox, oldest first."""
        user = self.address.partition("@")[0]
        return [Received(raw) for raw in self._servers.dovecot.letters(user)]

    def got(self, words: str) -> list[Received]:
        """Return the letters whose subject has these words."""
        return [letter for letter in self.letters() if words in letter.subject]

    def until_got(self, words: str) -> Received:
        """Wait for a letter whose subject has these words."""
        found: list[Received] = []

        def has_come() -> bool:
            found.extend(self.got(words))
            return found != []

        in_time(f'{self.address} has a letter "{words}"', has_come)
        return found[0]

    def answers(self) -> Mapping[str, int]:
        """Return the number of answers to each letter of this person."""
        counted = Counter(letter.headers.get("In-Reply-To", "") for letter in self.letters())
        return {number: counted[number] for number in self.wrote}

    def until_answered(self) -> None:
        """Wait until each letter of this person has an answer."""
        in_time(f"{self.address} has all answers", lambda: all(self.answers().values()))

    def _send(self, to: str, raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", self._servers.postfix.port, timeout=20) as client:
            client.sendmail(self.address, [to], raw)
        self.wrote.append(Received(raw).message_id)


class House:
    """A referee with its own mailbox and folder, its GM, and two players.

    Names are new for each referee, so that several can share the mail servers.
    """

    def __init__(
        self, servers: MailServers, folder: Path, smtp: int = 0, more: str = "", imap: int = 0
    ) -> None:
        name = uuid.uuid4().hex[:8]
        self.address = f"games-{name}@referee.example"
        self.gm = Person(servers, f"gm-{name}@example.org")
        self.players = {
            seat: Person(servers, f"{seat.lower()}-{name}@shire.example") for seat in SEATS
        }
        self.people = (self.gm, *self.players.values())
        self._dovecot = servers.dovecot
        self._user = f"games-{name}"
        (folder / "imap.password").write_text(PASSWORD)
        settings = SETTINGS.format(
            house=self.address,
            operator=f"operator-{name}@example.org",
            gm=self.gm.address,
            imap=imap or servers.dovecot.imap_port,
            user=self._user,
            smtp=smtp or servers.postfix.port,
        )
        self.installation = Installation(folder, settings + more)

    def begin(self, deadline: str) -> None:
        """Start a game of the GM and the players; return in turn 1, with all mail sent."""
        create = f'CREATE STARWEB SEATS {len(SEATS)} DEADLINE "{deadline}"\nOPTION worlds=36 '
        create += "early=0\n"
        self.gm.write(self.address, create)
        self.gm.until_got("your game is open")
        for seat, player in self.players.items():
            player.write(self.address, f"JOIN SW-1 {seat}\n")
        for player in self.players.values():
            player.until_got("[SW-1 T1")
        self.until_quiet()

    def report(self, seat: str, turn: int) -> Received:
        """Wait for the report at the start of a turn."""
        return self.players[seat].until_got(subject(turn, seat))

    def order(self, turn: int, letters: int = 1) -> Mapping[str, list[str]]:
        """Reply to each player's report with some sheets; return the last one by seat."""
        orders = {}
        for seat, player in self.players.items():
            report = self.report(seat, turn)
            home = home_in(report, seat)
            for ships in range(1, letters + 1):
                orders[seat] = [f"W{home}B{ships}P", f"W{home}B1I"]
                player.reply_in_turn(report, "\n".join(orders[seat]))
        return orders

    def finish(self, turn: int) -> None:
        """Send FINAL from each player for a turn, and wait for its reports."""
        for seat, player in self.players.items():
            player.reply(self.report(seat, turn), "FINAL\n")
        for seat in SEATS:
            self.report(seat, turn + 1)

    def until_quiet(self) -> None:
        """Wait until everything written is read and answered."""
        self.until_read()
        for person in self.people:
            person.until_answered()

    def until_read(self) -> None:
        """Wait until everything written is read, and all answers so far are sent."""
        number = sum(len(person.wrote) for person in self.people)
        in_time("all letters are taken", lambda: self.taken() == number)
        in_time("all letters are read", lambda: self.waiting() == 0)
        in_time("all answers are sent", lambda: self.unsent() == 0)

    def taken(self) -> int:
        """Return the number of letters that the referee has stored."""
        return self.look(lambda session: sum(inbox.counts(session).values()))

    def waiting(self) -> int:
        """Return the number of stored letters that are unread."""
        return self.look(lambda session: inbox.counts(session)[InboxState.WAITING])

    def unsent(self) -> int:
        """Return the number of unsent letters of the referee."""
        return self.look(lambda session: outbox.counts(session)[OutboxState.WAITING])

    def sheets(self, turn: int) -> Mapping[str, list[str]]:
        """Return the orders that were resolved for each seat in a finished turn."""

        def look(session: Session) -> dict[str, list[str]]:
            played = self.game(session)
            row = games.turn_of(session, played, turn)
            assert row.sheets is not None
            return {seat.name: list(row.sheets[str(seat.number)]) for seat in played.seats}

        return self.look(look)

    def game(self, session: Session) -> Game:
        """Return the game from the database."""
        found = games.by_name(session, "SW-1")
        assert found is not None
        return found

    def look(self, see: Callable[[Session], T]) -> T:
        """Return the result of *see* in a read transaction."""
        with self.store() as store, store.read() as session:
            return see(session)

    def take_time(self) -> None:
        """Extend the next turn to three days, so that it does not end during the checks."""
        with self.store() as store, store.write() as session:
            self.game(session).schedule = "72 hours"

    @contextmanager
    def store(self) -> Iterator[Store]:
        """Open the referee's database in this process."""
        store = open_store(load(self.installation.file))
        try:
            yield store
        finally:
            store.close()

    def done(self) -> tuple[int, int]:
        """Return how many letters are in the referee's inbox folder and in its done folder."""
        letters = self._dovecot.letters
        return len(letters(self._user)), len(letters(self._user, "Done"))

    def command(self, *words: str | Path, stdin: str = "") -> Result:
        """Run a command of the operator to its end."""
        arguments = ["--settings", self.installation.file, *words]
        return CliRunner().invoke(main, [str(word) for word in arguments], input=stdin)

    def check_mailboxes(self, turns: int) -> None:
        """Check that everybody has each letter and each answer once, and all reports.

        The reports are those of the first turns, at least *turns* of them: on a busy machine the
        next one may have ended before the check.
        """
        for person in self.people:
            numbers = Counter(letter.message_id for letter in person.letters())
            assert [number for number, count in numbers.items() if count > 1] == []
            assert person.answers() == dict.fromkeys(person.wrote, 1)
        for seat, player in self.players.items():
            reports = [letter.subject.partition(",")[0] for letter in player.got("report")]
            assert len(reports) >= turns
            assert reports == [subject(turn, seat) for turn in range(1, len(reports) + 1)]


def in_time(what: str, happened: Callable[[], bool]) -> None:
    """Wait until something has happened, without loading the machine."""

    def look() -> bool:
        time.sleep(_LOOK_SECONDS)
        return happened()

    until(what, look)


def home_in(report: Received, seat: str) -> int:
    """Return the number of the first world of a seat in its report."""
    found = re.search(rf"^W(\d+) \([\d,]*\) \[{seat}\]", report.text, re.MULTILINE)
    assert found is not None, report.text
    return int(found[1])


def subject(turn: int, seat: str) -> str:
    """Return the subject of the report at the start of a turn, without the deadline."""
    return f"[SW-1 T{turn} {seat}] {'report' if turn > 1 else 'first report'}"
