"""Random failures of a soak test: for a while, or at a single point."""

import random
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from sqlalchemy import text

from referee.domain.mail_transfer import Attempt, OutgoingMail, Sender
from referee.letters.outgoing.compose import Composer, Envelope, OutgoingFile
from referee.letters.outgoing.notices import Notice
from referee.store import Session, Store
from referee.testing.correspondents import Received
from tests.mail.scripted import Answer, Fault, ScriptedSmtp
from tests.mail.scripted_imap import ScriptedImap

_LOCK_PATIENCE: Final = 0.01
_PLENTY: Final = 2**30
_DEATHS: Final = 1 / 700
"""The probability that the program dies at a point."""
_SILENCES: Final = 1 / 150
_REFUSALS: Final = 1 / 500
_CUTS: Final = 1 / 150
_NOES: Final = 1 / 1000


class Killed(KeyboardInterrupt):
    """The program dies here; nothing in it catches this, like any other interrupt."""


class Condition(Enum):
    """Failures that last for a while."""

    LOCKED = "the database is locked"
    FULL = "the disk is full"
    RULES = "the rules raise"
    TEMPLATE = "a template raises"
    PUT_OFF = "the mail server puts off"
    DROPPED = "the mail server hangs up"
    MAILDIR = "the Maildir is away"
    MAILBOX = "the mailbox is away"
    AWAY = "the referee is away"
    CLOCK = "the clock is behind"


class Trouble:
    """All current failures, drawn from a seed; none while it is *calm*."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(f"trouble {seed}")
        self._until: dict[Condition, datetime] = {}
        self.is_calm = True
        self.seen: Counter[str] = Counter()
        self.unsure: Counter[str] = Counter()
        """How often it was unknown whether a letter was accepted, by Message-ID."""

    def draw(self, now: datetime) -> None:
        """End failures that are over, and maybe start one."""
        self._until = {condition: until for condition, until in self._until.items() if until > now}
        if not self.is_calm and self._dice.random() < 1 / 24:
            condition = self._dice.choice(list(Condition))
            self.begin(condition, now + timedelta(minutes=self._dice.choice((50, 170, 290, 600))))

    def begin(self, condition: Condition, until: datetime) -> None:
        """Start a failure that lasts *until* then."""
        self.seen[condition.value] += 1
        self._until[condition] = until

    def end_all(self) -> None:
        """End all failures permanently."""
        self.is_calm = True
        self._until.clear()

    def is_active(self, condition: Condition) -> bool:
        """Return whether this failure is active now."""
        return condition in self._until

    def happens(self, what: str, chance: float) -> bool:
        """Return whether a momentary failure happens now, and count it."""
        happens = not self.is_calm and self._dice.random() < chance
        self.seen[what] += happens
        return happens

    def reach(self, point: str) -> None:
        """Reach a point, where the program may die."""
        if self.happens(f"killed {point}", _DEATHS):
            raise Killed(point)


class FragileStore(Store):
    """A store on a real file that is really locked or really full for a while."""

    def __init__(self, url: str, trouble: Trouble) -> None:
        super().__init__(url, patience=_LOCK_PATIENCE)
        self._trouble = trouble

    def write(self) -> AbstractContextManager[Session]:
        """Open a transaction, which may fail at its beginning, in its middle or at its end."""
        return self._fragile(super().write())

    def statement(self) -> AbstractContextManager[Session]:
        """Open a transaction like ``write``."""
        return self._fragile(super().statement())

    def claim(self) -> AbstractContextManager[Session]:
        """Open a transaction like ``write``."""
        return self._fragile(super().claim())

    @contextmanager
    def _fragile(self, transaction: AbstractContextManager[Session]) -> Iterator[Session]:
        self._trouble.reach("before a transaction")
        is_locked = self._trouble.is_active(Condition.LOCKED)
        with _locked(str(self.url.database)) if is_locked else nullcontext(), transaction as rows:
            pages = 1 if self._trouble.is_active(Condition.FULL) else _PLENTY
            rows.execute(text(f"PRAGMA max_page_count={pages}"))
            yield rows
            self._trouble.reach("before a commit")
        self._trouble.reach("after a commit")


@contextmanager
def _locked(file: str) -> Iterator[None]:
    """Lock the database like another program."""
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield


class FragileSender:
    """A mail transport during which the program may die after a letter was sent."""

    def __init__(self, sender: Sender, trouble: Trouble) -> None:
        self._sender, self._trouble = sender, trouble

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Send letters; the program may die after any of them."""
        for attempt in self._sender.send(dispatches):
            self._trouble.reach("after a letter was sent")
            yield attempt


@dataclass(frozen=True, slots=True)
class FragileComposer(Composer):
    """A composer whose templates raise for a while."""

    trouble: Trouble = field(kw_only=True)

    def compose(
        self, notice: Notice, envelope: Envelope, files: tuple[OutgoingFile, ...] = ()
    ) -> bytes:
        """Return a letter, or raise like a template."""
        if self.trouble.is_active(Condition.TEMPLATE) and type(notice).__name__ == "Report":
            raise LookupError("no such word")
        return Composer.compose(self, notice, envelope, files)


class FragileRules:
    """A ruleset that raises in resolve for a while."""

    def __init__(self, rules: Any, trouble: Trouble) -> None:
        self._rules, self._trouble = rules, trouble
        self.info = rules.info

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def resolve(self, *given: Any) -> Any:
        """Resolve a turn, or raise."""
        if self._trouble.is_active(Condition.RULES):
            raise ZeroDivisionError
        return self._rules.resolve(*given)


class FragileMailbox(ScriptedImap):
    """A mailbox that disconnects before a command or before its answer, or rejects it."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__({})
        self._trouble = trouble
        self._arrived: list[datetime] = []

    def deliver(self, raw: bytes, at: datetime) -> None:
        """Deliver a letter."""
        self._arrived.append(at)
        self.inbox[len(self._arrived)] = raw

    def date(self, uid: int) -> datetime:
        """Return the arrival of a letter."""
        return self._arrived[uid - 1]

    def instead(self, verb: str) -> Answer | None:
        """Return the replacement for the default answer, or None."""
        away = self._trouble.is_active(Condition.MAILBOX)
        if away or self._trouble.happens("the line to the mailbox is cut before a command", _CUTS):
            return Fault.DROP
        refuses = self._trouble.happens("the mailbox says no", _NOES)
        return "NO not now" if refuses else super().instead(verb)

    def answer(self, verb: str, command: str) -> bytes:
        """Execute the command; its answer may be lost."""
        lines = super().answer(verb, command)
        if self._trouble.happens("the line to the mailbox is cut before an answer", _CUTS):
            raise ConnectionAbortedError
        return lines


class FragilePost(ScriptedSmtp):
    """A mail server that defers or rejects letters, or disconnects before or after one."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__()
        self._trouble = trouble

    def answer(self, verb: str) -> Answer:
        """Return the answer to a command."""
        if verb == "RCPT" and self._trouble.is_active(Condition.PUT_OFF):
            return "450 later"
        if verb == "RCPT" and self._trouble.happens("a letter is refused", _REFUSALS):
            return "550 never"
        if verb == "MAIL" and self._trouble.is_active(Condition.DROPPED):
            return Fault.DROP
        if verb == "DOT" and self._trouble.happens("silence after a letter", _SILENCES):
            self._trouble.unsure[Received(self.letters[-1]).message_id] += 1
            return Fault.DROP
        return super().answer(verb)

    def taken(self) -> list[bytes]:
        """Return the letters accepted since the last call."""
        taken, self.letters = self.letters, []
        self.commands.clear()
        return taken
