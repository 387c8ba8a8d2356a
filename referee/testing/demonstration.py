"""A demonstration: a game by mail, with a GM and six robots who write to a real referee."""

import html
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from enum import Enum
from pathlib import Path
from typing import Final

from referee.domain.post import Delivery, Dispatch
from referee.mail.security import Security
from referee.mail.smtp import SmtpSender
from referee.testing.correspondents import Correspondent, Received, quoted
from referee.testing.robots import CHARACTERS, form, order_text
from referee.testing.robots.robot import Robot

GM: Final = "gm@example.org"
TURNS: Final = 5
PATIENCE_SECONDS: Final = 55.0
_POLL_SECONDS: Final = 0.1
_CREATE: Final = """\
CREATE STARWEB SEATS 6 TITLE "The Demonstration"
DEADLINE "4 seconds"
OPTION worlds=72 OPTION introduced=yes
"""


class Habit(Enum):
    """How a player writes his letters."""

    ON_TOP = "on top of an empty reply, with mistakes"
    QUOTING = "as a reply with the report quoted below"
    PHONE = "from a phone, in HTML alone"


@dataclass(slots=True)
class Player:
    """A robot with an address, a habit, and a friend he writes to."""

    writer: Correspondent
    name: str
    character: str
    habit: Habit
    friend: str
    robot: Robot

    def orders(self, report: Received, now: datetime) -> "Exchange":
        """Begin an exchange: the letter with his orders for the turn of *report*."""
        given = self.robot.orders(report.text)
        orders = order_text(given)
        press = f"PRESS TO {self.friend}\nGreetings to {self.friend} from {self.name}.\nEND\n"
        match self.habit:
            case Habit.ON_TOP:
                body = f"{orders}F1TF2 W01B5I\n{press}"
            case Habit.QUOTING:
                body = f"{orders}ORDERS {len(given)}\n{press}{quoted(report, now)}"
            case Habit.PHONE:
                body = f"{orders}{press}"
        raw = self.writer.reply(report, body, now, {})
        forms = len({form(order) for order in given})
        return Exchange(_from_phone(raw) if self.habit is Habit.PHONE else raw, forms)


def _players() -> Iterator[Player]:
    """Give one robot of each character; each is somebody's friend."""
    people = (
        ("alice@example.net", "CERES", "Pirate", Habit.ON_TOP),
        ("bob@example.com", "HATYSA", "Empire Builder", Habit.QUOTING),
        ("carol@example.org", "MARS", "Merchant", Habit.PHONE),
        ("dan@example.net", "VESTA", "Berserker", Habit.ON_TOP),
        ("erin@example.com", "JUNO", "Apostle", Habit.QUOTING),
        ("frank@example.org", "TEJAT", "Artifact Collector", Habit.ON_TOP),
    )
    friends = [name for _, name, *_ in people]
    for (address, name, character, habit), friend in zip(
        people, friends[1:] + friends[:1], strict=True
    ):
        robot = CHARACTERS[character]()
        yield Player(Correspondent(address), name, character, habit, friend, robot)


@dataclass(slots=True)
class Exchange:
    """An order letter, its acknowledgement and the next report, as they were on the wire."""

    orders: bytes
    forms: int
    """How many forms of orders the letter has."""
    acknowledgement: bytes = b""
    report: bytes = b""


class Demonstration:
    """A GM and six robots who play through the mail server at *port*.

    They read what the referee sends from the Maildir *sent*, and write to *address*. *tell* is
    called with each line of progress.
    """

    def __init__(self, port: int, sent: Path, address: str, tell: Callable[[str], None]) -> None:
        self._sender = SmtpSender("127.0.0.1", port, Security.NONE)
        self._sent = sent
        self._seen: set[Path] = set()
        self._tell = tell
        self._address = address
        self._written = 0
        self._reports = 0
        self.players = {player.writer.address: player for player in _players()}
        self._exchanges: dict[str, Exchange] = {}

    @property
    def shown(self) -> Exchange | None:
        """The richest exchange of the last turn that is whole and plain to read."""
        whole = [
            each
            for address, each in self._exchanges.items()
            if self.players[address].habit is Habit.ON_TOP and each.acknowledgement and each.report
        ]
        return max(whole, key=lambda each: each.forms, default=None)

    def play(self) -> bool:
        """Play the game to the report after its last turn; say whether it came in time."""
        until = time.monotonic() + PATIENCE_SECONDS
        gm = Correspondent(GM)
        self._write(gm.letter(self._address, "a game", _CREATE, _now(), {}), self._address, GM)
        while self._reports < len(self.players) and time.monotonic() < until:
            for recipient, raw in self._arrived():
                self._read(recipient, raw)
            time.sleep(_POLL_SECONDS)
        return self._reports == len(self.players)

    def _arrived(self) -> Iterator[tuple[str, bytes]]:
        """Give the letters that came since the last look, with their recipients."""
        for file in sorted((self._sent / "new").glob("*")):
            if file not in self._seen:
                self._seen.add(file)
                raw = file.read_bytes()
                yield Received.of(raw).recipient, raw

    def _read(self, recipient: str, raw: bytes) -> None:
        letter = Received.of(raw)
        self._tell(f"{recipient:18} <  {letter.subject}")
        player, exchange = self.players.get(recipient), self._exchanges.get(recipient)
        if player is None:
            self._as_gm(letter)
        elif letter.subject.endswith("report"):
            self._as_player(player, letter, raw)
        elif exchange is not None and "receipt" in letter.subject:
            exchange.acknowledgement = exchange.acknowledgement or raw

    def _as_gm(self, letter: Received) -> None:
        """Once the game is open, the players join it, as they would be told to."""
        if "is open" not in letter.subject:
            return
        game = letter.subject.partition("[")[2].partition("]")[0]
        for player in self.players.values():
            body = f"JOIN {game} {player.name} OR {player.name}II AS {player.character}\n"
            raw = player.writer.letter(self._address, "count me in", body, _now(), {})
            self._write(raw, self._address, player.writer.address)

    def _as_player(self, player: Player, report: Received, raw: bytes) -> None:
        """Answer a report with orders; the report after the last turn is only counted."""
        address = player.writer.address
        turn = int(report.subject.partition(" T")[2].split()[0])
        if turn > TURNS:
            self._reports += 1
            self._exchanges[address].report = raw
            return
        self._exchanges[address] = player.orders(report, _now())
        self._write(self._exchanges[address].orders, report.reply_to, address)

    def _write(self, raw: bytes, to: str, sender: str) -> None:
        self._written += 1
        dispatch = Dispatch(self._written, f"<{self._written}>", sender, to, raw)
        self._tell(f"{sender:18}  > {Received.of(raw).subject}")
        for attempt in self._sender.send([dispatch]):
            if attempt.delivery is not Delivery.SENT:
                self._tell(f"{sender:18}  ! not taken: {attempt.reason}")


def _from_phone(plain: bytes) -> bytes:
    """Give a plain letter as a phone would have sent it: HTML alone, with a signature."""
    received = Received.of(plain)
    message = EmailMessage(policy=SMTP)
    for name, value in received.headers.items():
        message[name] = value
    lines = "<br>".join(html.escape(line) for line in received.text.splitlines())
    message.set_content(
        f"<html><body><div>{lines}</div><div>Sent from my iPhone</div></body></html>",
        subtype="html",
    )
    return message.as_bytes()


def _now() -> datetime:
    return datetime.now(UTC)
