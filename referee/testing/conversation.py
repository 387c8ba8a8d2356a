"""The conversation runner: mail in, clock moves, mail out, against a whole referee in memory.

A conversation is a text of statements that begin with ``===``:

    === it is 2026-09-01 12:00 UTC
    === frodo@shire.example writes
    Subject: hello

    JOIN SW-1 FRODO
    === frodo@shire.example gets
    Subject: Welcome
    === 3 days pass

``writes`` and ``replies`` take headers, a blank line and a body; without headers the body begins at
once. A reply, or one with JOIN, PLAY, CREATE or a GM's heading, is signed by its mail provider,
which proves who sent it; ``writes unsigned`` and ``replies unsigned`` leave the signature out.
``replies`` answers the last letter to that person, ``replies to WORDS`` the last one whose subject
has the words, ``replies quoting`` repeats that letter below. ``(SEAL)`` is the seal of the order
sheet in the letter that is answered. ``gets`` takes the next letter to that person that was not
checked (with a ``Subject:`` line, the next whose subject has those words). Its other lines must be
in the letter or the text files attached to it in this sequence, however it is wrapped, and the text
after ``!`` nowhere in it. With an ``Attachments:`` line, exactly those files are attached, or
``none``. ``gets mail`` takes all letters to that person. In ``5 hours pass`` the referee is at
work, and in ``the referee is away for 5 hours`` it is not; ``the clock jumps ahead by 5 hours`` or
``goes back by`` them. ``the last letter comes again`` delivers it twice, and ``nobody gets
anything`` checks that no letter is left. A letter that no statement checked is a fault at the next
statement that moves anything, but for the letter that a GM gets after each turn. A line that begins
with ``# `` after an empty line is a comment.
"""

import hashlib
import math
import re
import threading
import weakref
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from referee.app import App, build_accept_all
from referee.daemon import Daemon
from referee.desk.base.desk import Site
from referee.desk.reception import intake
from referee.desk.reception.intake import IntakeRegistration
from referee.domain.mail_transfer import Attempt, Delivery, IncomingMail, OutgoingMail
from referee.letters.incoming.authentication import Authenticator
from referee.letters.outgoing.compose import Composer
from referee.mail.imap import Position
from referee.parsing.schedules import read_length
from referee.rules.ruleset import Ruleset
from referee.settings import Settings
from referee.settings.model import MaildirSending, SiteSettings
from referee.store import Store
from referee.store.mail import heartbeats
from referee.tally import Counted
from referee.testing.correspondents import MAIL_SERVER, Correspondent, Received, quoted, signed
from referee.testing.probe import RulesHung, probed

ADDRESS: Final = "games@referee.example"
_KEY: Final = b"k" * 32
OPERATOR: Final = "operator@referee.example"
_BEGINS: Final = "each statement begins with ===, such as: === frodo@shire.example writes"
_SEAL: Final = "(SEAL)"
_TURN_LETTER: Final = re.compile(r"\bturn [0-9]+ resolved|\b[0-9]+ turns resolved: ")
_AGAIN: Final = timedelta(minutes=1)
"""The time between steps of the referee while a task that is already due waits."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a conversation: its line, its words, and the lines below it."""

    line: int
    words: str
    body: tuple[str, ...]


@dataclass(slots=True)
class _Unseen:
    recipient: str
    letter: Received


def _is_routine(unseen: _Unseen) -> bool:
    """Return whether a letter is the one to a GM after a turn, which need not be checked."""
    return _TURN_LETTER.search(unseen.letter.subject) is not None


class ConversationError(Exception):
    """A statement that failed or cannot be read; the text says where."""


@dataclass(slots=True)
class _Outgoing:
    """A mail transport that keeps the referee's letters and always succeeds."""

    letters: list[OutgoingMail] = field(default_factory=list)

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        for dispatch in dispatches:
            self.letters.append(dispatch)
            yield Attempt(dispatch, Delivery.SENT)


class _NoMailbox:
    """The positions in mailboxes, of which a conversation has none."""

    def get(self, _source: str) -> Position | None:
        return None

    def set(self, source: str, position: Position) -> None:
        raise AssertionError(f"{source} is not a mailbox of a conversation, at {position}")


def _in_memory() -> Store:
    return Store("sqlite://")


def take_rounds(daemon: Daemon, now: datetime) -> None:
    """Take a round, and further ones as long as letters are unread, or robots may be next."""
    bell, tally = daemon.app.bell, daemon.app.tally
    bell.set()
    while bell.is_set():
        bell.clear()
        resolved = tally.of(Counted.ADJUDICATED)
        daemon.step(now)
        if tally.of(Counted.ADJUDICATED) != resolved:
            bell.set()


class Conversation:
    """A referee in memory, with a clock that only statements move."""

    new_store: Callable[[], Store] = staticmethod(_in_memory)
    """Returns the empty database for a conversation, which must leave nothing when it is closed."""

    def __init__(
        self,
        rulesets: Mapping[str, Ruleset[Any, Any]],
        authenticator: Authenticator | None = None,
        show: Callable[[str, Received], None] | None = None,
    ) -> None:
        """Begin without games; gm@example.org and the operator can create them.

        Without an *authenticator* only the results of the site's mail server are trusted. *show* is
        called with each letter, and with words that say from whom or to whom it goes.
        """
        self._probes = probed(rulesets)
        self._show = show
        servers = frozenset({MAIL_SERVER})
        self._authenticator = authenticator or Authenticator(ADDRESS, authserv_ids=servers)
        self.now = datetime(2026, 9, 1, 12, tzinfo=UTC)
        self.people: dict[str, Correspondent] = {}
        self._unseen: list[_Unseen] = []
        self._outgoing = _Outgoing()
        self.mailed: list[OutgoingMail] = []
        self._arrivals = 0
        self._last = b""
        self._drawn = 0
        self.store = self.new_store()
        # A conversation that is never closed still closes its connection when it is deleted.
        weakref.finalize(self, self.store.close)
        self.store.migrate()
        self.daemon = Daemon(self._app(self._probes), owner="conversation")
        # However slow the machine is, the same letters come in the same round.
        self.daemon.books.seconds = self.daemon.inbox.seconds = math.inf

    def close(self) -> None:
        """Close the database, which forgets everything."""
        self.store.close()

    @property
    def faults(self) -> list[str]:
        """The exceptions of the rulesets so far, one line each."""
        return [fault for probe in self._probes.values() for fault in probe.faults]

    def run(self, text: str) -> None:
        """Perform every statement. Raises ConversationError at the first that fails."""
        every = list(statements(text))
        if not every:
            raise ConversationError(f"expected a statement: {_BEGINS}")
        for statement in every:
            with self._error_context(f"line {statement.line}: "):
                self._perform(statement)
        with self._error_context():
            self._nothing_unseen()

    @contextmanager
    def _error_context(self, place: str = "") -> Iterator[None]:
        """Add the place and the exceptions of the rulesets to an error."""
        try:
            yield
        # A time or a length of time that cannot be read is a ValueError.
        except (ConversationError, ValueError, RulesHung) as error:
            raise ConversationError("\n".join((f"{place}{error}", *self.faults))) from error

    def arrive(self, raw: bytes, recipient: str = ADDRESS, sender: str = "") -> None:
        """Deliver a letter now, signed if it is a reply, or asks for a seat or a game.

        *sender* is the envelope's.
        """
        self._arrive(signed(raw), recipient, sender)

    def _arrive(self, raw: bytes, recipient: str, sender: str = "") -> None:
        self._arrivals += 1
        self._last = raw
        if self._show is not None:
            letter = Received(raw)
            self._show(f"{letter.headers.get('From', sender)} writes", letter)
        arrival = IncomingMail("test", str(self._arrivals), raw, self.now, sender, recipient)
        self._accept(arrival)
        self._step()

    def pass_to(self, moment: datetime) -> None:
        """Move the clock to *moment*, with a stop whenever a task is due."""
        while self.now < moment:
            due = self.daemon.next_due(self.now) or moment
            self.now = min(moment, due if due > self.now else self.now + _AGAIN)
            # The referee was at work all the time.
            with self.store.write() as session:
                heartbeats.keep(session, self.now)
            self._step()

    def person(self, address: str) -> Correspondent:
        """Return the correspondent with that address, new if there is none."""
        return self.people.setdefault(address, Correspondent(address))

    def _perform(self, statement: Statement) -> None:
        for pattern, handler in self._handlers().items():
            match = re.fullmatch(pattern, statement.words)
            if match is not None:
                handler(statement, *match.groups())
                return
        remedy = "referee conversation --help lists the statements"
        raise ConversationError(f'"{statement.words}" is not a statement; {remedy}')

    def _handlers(self) -> dict[str, Callable[..., None]]:
        return {
            r"it is (.+) UTC": self._it_is,
            r"(\S+ \S+) pass(?:es)?": self._passes,
            r"the referee is away for (\S+ \S+)": self._away,
            r"the clock jumps ahead by (\S+ \S+)": self._away,
            r"the clock goes back by (\S+ \S+)": self._set_back,
            r"(\S+@\S+) writes( unsigned)?": self._writes,
            r"(\S+@\S+) replies((?: unsigned| quoting)*)(?: to (.+))?": self._replies,
            r"(\S+@\S+) gets": self._gets,
            r"(\S+@\S+) gets mail": self._gets_mail,
            r"(\S+@\S+) gets nothing": self._gets_nothing,
            r"the last letter comes again": self._again,
            r"the last letter to (\S+@\S+) comes back": self._comes_back,
            r"nobody gets anything": lambda _statement: self._nothing_unseen(),
        }

    def _it_is(self, _statement: Statement, moment: str) -> None:
        self._nothing_unseen()
        then = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        if not self._arrivals:
            # Nothing can happen before the first letter.
            self.now = then
        self.pass_to(then)

    def _passes(self, _statement: Statement, span: str) -> None:
        self._nothing_unseen()
        self.pass_to(self.now + read_length(span))

    def _away(self, _statement: Statement, span: str) -> None:
        self._nothing_unseen()
        self.now += read_length(span)
        self._step()

    def _set_back(self, _statement: Statement, span: str) -> None:
        self._nothing_unseen()
        self.now -= read_length(span)
        self._step()

    def _writes(self, statement: Statement, address: str, unsigned: str) -> None:
        self._nothing_unseen()
        headers, body = _headed(statement.body)
        subject = headers.pop("Subject", "")
        to = headers.get("To", ADDRESS)
        raw = self.person(address).letter(to, subject, body, self.now, headers)
        (self._arrive if unsigned else self.arrive)(raw, to)

    def _replies(self, statement: Statement, address: str, how: str, to: str) -> None:
        self._nothing_unseen()
        person = self.person(address)
        answered = next((got for got in reversed(person.got) if (to or "") in got.subject), None)
        if answered is None:
            raise ConversationError(f"{address} got no letter to reply to")
        headers, body = _headed(statement.body)
        below = quoted(answered, self.now) if "quoting" in how else ""
        body = body.replace(_SEAL, answered.seal) if _SEAL in body else body
        raw = person.reply(answered, body + below, self.now, headers)
        arrive = self._arrive if "unsigned" in how else self.arrive
        arrive(raw, headers.get("To", answered.reply_to))

    def _again(self, _statement: Statement) -> None:
        self._nothing_unseen()
        self.arrive(self._last)

    def _comes_back(self, statement: Statement, address: str) -> None:
        """Deliver a standard report from the mail server of *address*, with the body in it."""
        self._nothing_unseen()
        mailed = [dispatch for dispatch in self.mailed if dispatch.recipient == address]
        if not mailed:
            raise ConversationError(f"{address} got no letter that could bounce")
        postmaster = self.person(f"mailer-daemon@{address.rpartition('@')[2]}")
        report = postmaster.report(mailed[-1].sender, "\n".join(statement.body), self.now)
        self.arrive(report, mailed[-1].sender, "<>")

    def _gets(self, statement: Statement, address: str) -> None:
        headers, body = _headed(statement.body, "Subject|Attachments")
        subject = headers.get("Subject", "")
        for unseen in sorted(self._unseen, key=_is_routine):
            if unseen.recipient == address and subject in unseen.letter.subject:
                self._unseen.remove(unseen)
                _compare_files(unseen.letter, headers)
                _compare(unseen.letter, body.splitlines())
                return
        others = "; ".join(f"{u.recipient}: {u.letter.subject}" for u in self._unseen) or "nothing"
        wanted = f'no letter "{subject}"' if subject else "no letter"
        raise ConversationError(f"{address} got {wanted}; sent was: {others}")

    def _gets_mail(self, _statement: Statement, address: str) -> None:
        before = len(self._unseen)
        self._unseen = [unseen for unseen in self._unseen if unseen.recipient != address]
        if len(self._unseen) == before:
            raise ConversationError(f"{address} got nothing")

    def _gets_nothing(self, _statement: Statement, address: str) -> None:
        unseen = [each for each in self._unseen if not _is_routine(each)]
        subjects = [each.letter.subject for each in unseen if each.recipient == address]
        if subjects:
            raise ConversationError(f"{address} got: {'; '.join(subjects)}")

    def _nothing_unseen(self) -> None:
        self._unseen = [unseen for unseen in self._unseen if not _is_routine(unseen)]
        if self._unseen:
            others = "\n".join(f"--- to {u.recipient}\n{u.letter.shown}" for u in self._unseen)
            raise ConversationError(f"unexpected emails:\n{others}")

    def _step(self) -> None:
        take_rounds(self.daemon, self.now)
        self.daemon.send(self.now)
        for dispatch in self._outgoing.letters:
            received = Received(dispatch.raw)
            self.person(dispatch.recipient).got.append(received)
            self._unseen.append(_Unseen(dispatch.recipient, received))
            if self._show is not None:
                self._show(f"{dispatch.recipient} gets", received)
        self.mailed += self._outgoing.letters
        self._outgoing.letters.clear()

    def _entropy(self, count: int) -> bytes:
        self._drawn += 1
        return hashlib.shake_256(f"draw {self._drawn}".encode()).digest(count)

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        """Return the settings and services of the referee."""
        return Site(
            rulesets=rulesets,
            composer=Composer(ADDRESS),
            key=_KEY,
            address=ADDRESS,
            operator=OPERATOR,
            html=True,
            pages="https://games.referee.example/",
            creators=frozenset({"gm@example.org", OPERATOR}),
            entropy=self._entropy,
            authenticator=self._authenticator,
            cpu_clock=lambda: 0.0,
            peak_memory=lambda: 0,
        )

    def _app(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> App:
        site = self._site(rulesets)
        return App(
            settings=Settings(
                site=SiteSettings(address=ADDRESS, operator=OPERATOR),
                sending=MaildirSending(kind="maildir", path=Path("unused")),
            ),
            store=self.store,
            site=site,
            accept=self._accept,
            accept_all=build_accept_all(self.store, site),
            bell=threading.Event(),
            maildirs={},
            mailboxes={},
            cursor=_NoMailbox(),
            taking=IntakeRegistration(self.store, lambda: self.now),
            receiver=None,
            sender=self._outgoing,
        )

    def _accept(self, arrival: IncomingMail) -> int:
        arrival = intake.with_network(arrival, self._authenticator.authserv_ids)
        with self.store.write() as session:
            return intake.accept(session, arrival, _KEY)


def statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a conversation. Raises ConversationError for text before them."""
    words, start, body, is_apart = "", 0, list[str](), True
    for number, line in enumerate(text.splitlines(), 1):
        # A line such as "#4" or "# End of orders" within a letter is text of the letter.
        if is_apart and line.startswith("# "):
            continue
        is_apart = not line.strip()
        if not line.startswith("==="):
            body.append(line)
            continue
        if words:
            yield Statement(start, words, tuple(body))
        elif any(map(str.strip, body)):
            raise ConversationError(f"line {number}: {_BEGINS}")
        words, start, body = line.removeprefix("===").strip(), number, []
    if words:
        yield Statement(start, words, tuple(body))


def _headed(lines: Sequence[str], names: str = "[A-Z][A-Za-z-]+") -> tuple[dict[str, str], str]:
    """Split headers with these names from the body; without one in the first line, there are none.

    *names* is a pattern: in an email that is expected, any other line is compared.
    """
    headers: dict[str, str] = {}
    rest = list(lines)
    while rest and (match := re.fullmatch(f"({names}): (.*)", rest[0])) is not None:
        headers[match.group(1)] = match.group(2)
        rest.pop(0)
    while headers and rest and not rest[0].strip():
        rest.pop(0)
    return headers, "\n".join(rest).rstrip() + "\n"


def _compare_files(letter: Received, headers: Mapping[str, str]) -> None:
    attached = ", ".join(letter.files) or "none"
    if headers.get("Attachments", attached) != attached:
        wrong = f'attached is "{attached}", not "{headers["Attachments"]}"'
        raise ConversationError(f"{wrong}:\n{letter.shown}")


def _compare(letter: Received, expected: Sequence[str]) -> None:
    """Find the expected lines in the letter in sequence; blanks and line ends are the same.

    So is the mark of press, which begins every part of a line that was too long.
    """
    text, at = " ".join(letter.whole_text.split()), 0
    for wanted in (" ".join(line.split()) for line in expected):
        if wanted.startswith("! "):
            if _words(wanted[2:]).search(text) is not None:
                raise ConversationError(f'"{wanted[2:]}" is in the email:\n{letter.shown}')
            continue
        found = _words(wanted).search(text, at)
        if found is None:
            is_above = at > 0 and _words(wanted).search(text) is not None
            where = "is not below the lines before it" if is_above else "is not in the email"
            raise ConversationError(f'"{wanted}" {where}:\n{letter.shown}')
        at = found.end()


def _words(line: str) -> re.Pattern[str]:
    """Return a pattern of the words of a line, with marks of press between them or not."""
    return re.compile(r"(?: :)? ".join(map(re.escape, line.split())))
