"""A demonstration: a game by mail, in which a GM and robots write to a real referee."""

import html
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from enum import Enum
from itertools import cycle
from pathlib import Path
from typing import Final

from referee.domain.mail_transfer import Delivery, OutgoingMail
from referee.mail.security import Security
from referee.mail.smtp import SmtpSender
from referee.testing.casts.cast import Cast, Role
from referee.testing.correspondents import Correspondent, Received, quoted
from referee.testing.mailbox import REPORT, Mailbox

GM: Final = "gm@example.org"
_POLL_SECONDS: Final = 0.05
_PEOPLE: Final = ("alice", "bob", "carol", "dan", "erin", "frank", "grace", "henry")
_RECEIPT: Final = re.compile(r"\(#\d+\)$")
_PUT_ASIDE: Final = "FINAL was not carried out"
_HOSTS: Final = ("example.net", "example.com", "example.org")


class Habit(Enum):
    """A player's way of writing letters."""

    ON_TOP = "on top of an empty reply, with mistakes"
    QUOTING = "as a reply with the report quoted below"
    PHONE = "from a phone, only in HTML"


@dataclass(slots=True)
class Player:
    """A role with an address, a habit, and a friend to write to."""

    writer: Correspondent
    role: Role
    habit: Habit
    typos: str
    friend: str

    def answer(self, report: Received, turn: str, sheet: str, now: datetime) -> bytes:
        """Return the letter with the orders of *sheet*, which answers the *report* of a turn."""
        # The referee does not deliver the same words again, so they name the turn.
        press = f"PRESS TO {self.friend}\nGreetings to {self.friend} in turn {turn}.\nEND\n"
        match self.habit:
            case Habit.ON_TOP:
                body = f"{sheet}\n{self.typos}{press}FINAL\n"
            case Habit.QUOTING:
                body = f"{sheet}\n{press}FINAL\n{quoted(report, now)}"
            case Habit.PHONE:
                body = f"{sheet}\n{press}FINAL\n"
        raw = self.writer.reply(report, body, now, {})
        return _from_phone(raw) if self.habit is Habit.PHONE else raw


def _players(cast: Cast) -> Iterator[Player]:
    """Yield the players of a game; each is another player's friend."""
    friends = cast.roles[1:] + cast.roles[:1]
    for role, friend, person, host, habit in zip(
        cast.roles, friends, _PEOPLE, cycle(_HOSTS), cycle(Habit), strict=False
    ):
        writer = Correspondent(f"{person}@{host}")
        yield Player(writer, role, habit, cast.typos, friend.name)


@dataclass(slots=True)
class Exchange:
    """An order letter, its acknowledgement and the next report, as sent."""

    orders: bytes
    acknowledgement: bytes = b""
    report: bytes = b""

    @property
    def forms(self) -> int:
        """The number of words of different form in the order letter."""
        words = Received(self.orders).text.split()
        return len({re.sub(r"\d+", "n", word) for word in words})


class Demonstration:
    """A GM and robots who play a game through the mail server at *port*.

    They read the referee's letters from the Maildir *sent*, and write to the address of its site.
    *tell* is called with each line of progress.
    """

    def __init__(
        self, cast: Cast, mailbox: Mailbox, port: int, sent: Path, tell: Callable[[str], None]
    ) -> None:
        self._cast, self._mailbox = cast, mailbox
        self._sender = SmtpSender("127.0.0.1", port, Security.NONE)
        self._sent = sent
        self._seen: set[Path] = set()
        self._tell = tell
        self._address = mailbox.site.address
        self._written = 0
        self._waiting: set[str] = set()
        """The addresses of the players who have not read their last report yet."""
        self._gm = Correspondent(GM)
        self._players = {player.writer.address: player for player in _players(cast)}
        self._exchanges: dict[str, Exchange] = {}
        self._whole: list[Exchange] = []
        self.refusal = ""
        """The line of the cast's creation that was not done, and the reason, or ""."""

    @property
    def shown(self) -> Exchange | None:
        """The exchange with the most varied orders of the players who write on top."""
        return max(self._whole, key=lambda each: each.forms, default=None)

    def play(self, patience_seconds: float, is_hopeless: Callable[[], bool] = bool) -> bool:
        """Play until every player is done or the game is over, and return True.

        Return False after a timeout, or once there is a refusal or *is_hopeless* is true.
        """
        until = time.monotonic() + patience_seconds
        self._waiting = set(self._players)
        opening = self._gm.letter(self._address, "a game", self._cast.creation, _now(), {})
        self._write(opening, self._address, GM)
        while self._waiting and time.monotonic() < until:
            if self.refusal or is_hopeless():
                break
            for recipient, raw in self._arrived():
                self._read(recipient, raw)
            time.sleep(_POLL_SECONDS)
        return not self._waiting

    def _arrived(self) -> Iterator[tuple[str, bytes]]:
        """Yield the letters that came since the last call, with their recipients."""
        for file in sorted((self._sent / "new").glob("*")):
            if file not in self._seen:
                self._seen.add(file)
                raw = file.read_bytes()
                yield Received(raw).recipient, raw

    def _read(self, recipient: str, raw: bytes) -> None:
        letter = Received(raw)
        self._tell(f"{recipient:18} <  {letter.subject}")
        player, exchange = self._players.get(recipient), self._exchanges.get(recipient)
        if " confirm: " in f" {letter.subject}":
            # Nobody signs the emails of the demonstration, so their senders are asked.
            writer = player.writer if player is not None else self._gm
            confirmed = writer.reply(letter, "CONFIRM\n", _now(), {})
            self._write(confirmed, letter.reply_to, recipient)
        elif player is None:
            self._as_gm(letter)
        elif (report := REPORT.search(letter.subject)) is not None:
            self._close(player, raw)
            self._as_player(player, letter, report)
        elif exchange is not None and _RECEIPT.search(letter.subject) is not None:
            exchange.acknowledgement = exchange.acknowledgement or raw
            if _PUT_ASIDE in " ".join(letter.text.split()):
                final = player.writer.reply(letter, "FINAL\n", _now(), {})
                self._write(final, letter.reply_to, recipient)

    def _as_gm(self, letter: Received) -> None:
        """Once the game is open, let the players join it."""
        if "is open" not in letter.subject:
            self.refusal = self.refusal or letter.refusal
            return
        game = letter.subject.partition("[")[2].partition("]")[0]
        for player in self._players.values():
            body = f"JOIN {game} {player.role.name} {player.role.wishes}".rstrip() + "\n"
            raw = player.writer.letter(self._address, "count me in", body, _now(), {})
            self._write(raw, self._address, player.writer.address)

    def _as_player(self, player: Player, letter: Received, report: re.Match[str]) -> None:
        """Begin the exchange that a report asks for, unless it is the last."""
        address, turn = player.writer.address, report["turn"]
        if report["final"] or int(turn) > self._cast.turns:
            self._waiting.discard(address)
        elif sheet := self._mailbox.answer(letter.subject, player.role.strength):
            orders = player.answer(letter, turn, sheet, _now())
            self._exchanges[address] = Exchange(orders)
            self._write(orders, letter.reply_to, address)

    def _close(self, player: Player, report: bytes) -> None:
        exchange = self._exchanges.pop(player.writer.address, None)
        if exchange is not None and exchange.acknowledgement and player.habit is Habit.ON_TOP:
            exchange.report = report
            self._whole.append(exchange)

    def _write(self, raw: bytes, to: str, sender: str) -> None:
        self._written += 1
        dispatch = OutgoingMail(self._written, f"<{self._written}>", sender, to, raw)
        self._tell(f"{sender:18}  > {Received(raw).subject}")
        for attempt in self._sender.send([dispatch]):
            if attempt.delivery is not Delivery.SENT:
                self._tell(f"{sender:18}  ! not accepted: {attempt.reason}")


def _from_phone(plain: bytes) -> bytes:
    """Return a plain letter as a phone would have sent it: only HTML, with a signature."""
    received = Received(plain)
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
