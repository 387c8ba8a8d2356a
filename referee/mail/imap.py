"""A mailbox that is read over IMAP while the daemon runs."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Final, Protocol

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from referee.domain.mail_transfer import IncomingMail
from referee.errors import RefereeError
from referee.mail.imap_folder import Fetched, Folder, ImapAccount, LoginRefused, opened
from referee.mail.refusals import Refusals

log = logging.getLogger(__name__)

# At DEBUG, IMAPClient logs whole letters.
logging.getLogger("imapclient").setLevel(logging.INFO)

BATCH_LETTERS: Final = 50
BATCH_OCTETS: Final = 10 * 2**20
_UNKNOWN_SIZE: Final = 2**40
"""The assumed size of a letter if the server gives none: it is fetched separately and cut."""
_MOST_TRIES: Final = 3
"""How often a letter that the server does not give is tried before it is named and postponed."""
_NOT_NOW: Final = re.compile(
    r"\[(?:UNAVAILABLE|LIMIT|INUSE|OVERQUOTA)\b|\bthrottled\b", re.IGNORECASE
)
"""The words by which a server refuses any command for a while (RFC 5530, and Exchange's).

So refused, a letter is not withheld: postponed, it could miss the turn it came in time for.
"""
_FIRST_PATIENCE: Final = 0.5
_LASTING: Final = 5
"""A connection that lasted a fifth of the longest pause ends the growth of the pauses."""
SETTLING: Final = timedelta(seconds=2)
"""The age a letter must have: its time has whole seconds, and servers show it late."""
_ERRORS: Final = (IMAPClientError, OSError, ValueError, RefereeError)
"""All errors by a server, the network or the store; an invalid answer is a ValueError."""


@dataclass(frozen=True, slots=True)
class Position:
    """How far a folder has been read: every letter up to *last_uid* is committed.

    *withheld* are the UIDs of the letters that the server does not give, ascending.
    """

    uidvalidity: int
    last_uid: int
    withheld: tuple[int, ...] = ()


class Cursor(Protocol):
    """Storage for the position of each mailbox; *source* is ``imap:NAME``."""

    def get(self, source: str) -> Position | None:
        """Return the position, or None before the first time."""
        ...

    def set(self, source: str, position: Position) -> None:
        """Commit the position."""
        ...


class ImapMailbox:
    """A mailbox whose letters have the source ``imap:NAME`` and the id UIDVALIDITY/UID.

    A letter is accepted first and then moved to the done folder. If it was accepted but not moved
    because of a failure, it is moved the next time. When UIDVALIDITY changes, all letters in the
    folder arrive again, and the inbox detects the copies. A letter over a quota, or one that the
    server does not give, stays and is tried again after a while; it holds up no other.
    ``failure`` says why the mailbox cannot be read, and is empty if it can. ``has_looked`` says
    whether all letters in the folder at the start were taken or failed, and ``is_read`` whether
    letters are being taken now. ``watermark`` is the watermark: all letters up to then are taken;
    None before the first check.
    """

    def __init__(self, account: ImapAccount) -> None:
        self.source = f"imap:{account.name}"
        self.failure = ""
        self.has_looked = False
        self.is_read = False
        self.watermark: datetime | None = None
        self._wanted = threading.Event()
        self._account = account
        self._tries: dict[int, int] = {}
        """The letters that may break the connection, so they are fetched separately, after all
        others; and how often the server did not give them then."""
        self._idle_refusal = ""
        self._refusals = Refusals()
        self._moving = ""
        self._failures = 0

    @property
    def every(self) -> timedelta:
        """Return the interval between checks without a notification."""
        return timedelta(seconds=self._account.poll_seconds)

    def follow(self, watermark: datetime | None) -> None:
        """Use the watermark of another reader of this mailbox; None if there is none."""
        self.failure, self.has_looked = "", True
        self.is_read, self.watermark = watermark is not None, watermark

    def look_soon(self) -> None:
        """Request a check within a second, from any thread."""
        self._wanted.set()

    def run(
        self,
        accept_all: Callable[[Sequence[IncomingMail]], object],
        cursor: Cursor,
        stop: threading.Event,
        clock: Callable[[], datetime],
    ) -> None:
        """Take letters until *stop*, whatever the server does, with growing pauses after failures.

        *accept_all* commits letters and must be idempotent; if it raises StoreError or OSError,
        they stay in the folder.
        """
        ended = False
        try:
            self._run(_Taking(accept_all, cursor, clock), stop)
            ended = True
        finally:
            if not ended:
                # The caller logs the error and calls again.
                self.is_read = False
                self.failure = "an unexpected error; see the log"

    def _run(self, taking: "_Taking", stop: threading.Event) -> None:
        while not stop.is_set():
            begun = time.monotonic()
            try:
                with opened(self._account) as folder:
                    self._take_letters(folder, taking, stop)
            except LoginRefused as error:
                log.error("%s: login refused: %s", self.source, error)
                self._pause(f"login refused: {error}", self._account.login_pause_seconds, stop)
            except _ERRORS as error:
                words = " ".join(str(error).split()) or type(error).__name__
                log.error("%s: cannot be read: %s", self.source, words)
                if time.monotonic() - begun > self._account.longest_pause_seconds / _LASTING:
                    self._failures = 0
                self._pause(words, self._account.first_pause_seconds, stop)

    def _take_letters(self, folder: Folder, taking: "_Taking", stop: threading.Event) -> None:
        patience, deaf, is_announced = _FIRST_PATIENCE, 0.0, False
        while not stop.is_set():
            # A letter that arrives just as a wait begins is not announced, and letters often come
            # in groups, so the first waits are short.
            self._wanted.clear()
            begun = taking.clock()
            has_news = self._look(folder, taking, stop)
            patience = _FIRST_PATIENCE if has_news else 2 * patience
            # A server that announces letters that are not there is believed less and less.
            deaf = max(_FIRST_PATIENCE, 2 * deaf) if is_announced and not has_news else 0.0
            self.failure, self.has_looked = self._moving, True
            self.is_read = True
            if not stop.is_set():
                self.watermark = begun - SETTLING
            is_announced = folder.wait(
                stop, self._wanted, patience, min(deaf, self._account.poll_seconds)
            )
            self._note_refusal(folder.idle_refusal)

    def _note_refusal(self, refusal: str) -> None:
        if refusal and refusal != self._idle_refusal:
            log.warning("%s: the server refuses IDLE, so it is polled: %s", self.source, refusal)
            self._idle_refusal = refusal

    def _pause(self, problem: str, first: float, stop: threading.Event) -> None:
        self.failure, self.has_looked, self.is_read = problem, True, False
        stop.wait(min(first * 2**self._failures, self._account.longest_pause_seconds))
        self._failures = min(self._failures + 1, 16)

    def _look(self, folder: Folder, taking: "_Taking", stop: threading.Event) -> bool:
        """Take new letters, then move all taken ones; return whether there were new ones.

        After *stop*, no more are taken.
        """
        position = self._position(folder.select(), taking.cursor)
        here = folder.uids()
        self._tries = {uid: tries for uid, tries in self._tries.items() if uid in here}
        fresh = [uid for uid in here if uid > position.last_uid]
        now, valid = taking.clock(), position.uidvalidity
        wanted = [uid for uid in fresh if not self._refusals.is_waiting(f"{valid}/{uid}", now)]
        news = _News(position, fresh, folder.sizes(wanted))
        self._moving = ""
        for uids in _batches([uid for uid in wanted if uid not in self._tries], news.size):
            if stop.is_set():
                break
            self._take(folder, uids, news, taking)
        self._move(folder, [uid for uid in here if news.is_done(uid)])
        for uid in [uid for uid in self._tries if uid in wanted]:
            self._take(folder, [uid], news, taking)
            self._move(folder, [uid] if news.is_done(uid) else [])
        if not news.taken:
            self._advance(taking, news)
        return bool(news.taken)

    def _take(self, folder: Folder, uids: Sequence[int], news: "_News", taking: "_Taking") -> None:
        # The server may state too small a size for a letter that broke the connection.
        is_doubtful = any(uid in self._tries for uid in uids)
        largest = _UNKNOWN_SIZE if is_doubtful else max(map(news.size, uids))
        uidvalidity, now = news.position.uidvalidity, taking.clock()
        try:
            letters = folder.fetch(uids, largest)
        except _ERRORS as error:
            self._note_missing(uids, taking, news, tries=int(not _NOT_NOW.search(str(error))))
            raise
        given = {letter.uid for letter in letters}
        self._note_missing([uid for uid in uids if uid not in given], taking, news)
        arrivals = {
            letter.uid: self._arrival(letter, uidvalidity, now, news.size(letter.uid))
            for letter in letters
        }
        accepted = self._refusals.accept(taking.accept_all, list(arrivals.values()), now)
        news.taken.update(uid for uid, one in arrivals.items() if one.source_id in accepted)
        for uid in arrivals:
            self._tries.pop(uid, None)
        self._advance(taking, news)

    def _advance(self, taking: "_Taking", news: "_News") -> None:
        """Commit how far the folder was read, and what the server does not give."""
        withheld = tuple(sorted(uid for uid, n in self._tries.items() if n >= _MOST_TRIES))
        position = news.new_position(withheld)
        if position != news.position:
            taking.cursor.set(self.source, position)

    def _note_missing(
        self, uids: Sequence[int], taking: "_Taking", news: "_News", tries: int = 1
    ) -> None:
        """Mark letters to fetch separately; postpone those tried so too often."""
        for uid in uids:
            self._tries[uid] = self._tries.pop(uid, -1) + tries
            if self._tries[uid] >= _MOST_TRIES:
                self._refusals.postpone(f"{news.position.uidvalidity}/{uid}", taking.clock())
                log.error("%s: the server does not give the email with UID %d", self.source, uid)
                self._advance(taking, news)

    def _move(self, folder: Folder, uids: Sequence[int]) -> None:
        try:
            folder.move_away(uids)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            left = [uid for uid in folder.uids() if uid in uids]
            if len(left) < len(uids):
                # Another referee on this mailbox has just moved some of them.
                self._move(folder, left)
                return
            # The letters are taken; failing to move them is no reason to stop.
            self._moving = f"cannot move letters to {self._account.done_folder}: {error}"
            log.error("%s: %s", self.source, self._moving)

    def _position(self, uidvalidity: int, cursor: Cursor) -> Position:
        position = cursor.get(self.source)
        if position is not None and position.uidvalidity == uidvalidity:
            return position
        if position is not None:
            log.warning("%s: UIDVALIDITY changed, reading the folder again", self.source)
        self._tries = {}
        beginning = Position(uidvalidity, 0)
        cursor.set(self.source, beginning)
        return beginning

    def _arrival(self, letter: Fetched, uidvalidity: int, now: datetime, size: int) -> IncomingMail:
        # A server clock that is ahead must not make a letter late.
        received_at = now if letter.received_at is None else min(letter.received_at, now)
        source_id = f"{uidvalidity}/{letter.uid}"
        is_cut = len(letter.raw) < size < _UNKNOWN_SIZE
        return IncomingMail(
            self.source,
            source_id,
            letter.raw,
            received_at.astimezone(UTC),
            size=size if is_cut else 0,
        )


@dataclass(frozen=True, slots=True)
class _Taking:
    """The callbacks for letters and positions, and the clock."""

    accept_all: Callable[[Sequence[IncomingMail]], object]
    cursor: Cursor
    clock: Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class _News:
    """The new letters of one check of the folder, and those taken."""

    position: Position
    fresh: Sequence[int]
    sizes: Mapping[int, int]
    taken: set[int] = field(default_factory=set)

    def is_done(self, uid: int) -> bool:
        """Return whether the letter is committed, in this check or an earlier one."""
        return uid <= self.position.last_uid or uid in self.taken

    def size(self, uid: int) -> int:
        """Return the size of the letter in bytes, or a very large number if it is unknown."""
        return self.sizes.get(uid, _UNKNOWN_SIZE)

    def new_position(self, withheld: tuple[int, ...]) -> Position:
        """Return the last UID up to which all letters are taken; missing ones are retried."""
        taken = takewhile(self.is_done, self.fresh)
        last_uid = max(taken, default=self.position.last_uid)
        return Position(self.position.uidvalidity, last_uid, withheld)


def _batches(uids: Sequence[int], size: Callable[[int], int]) -> Iterator[Sequence[int]]:
    """Yield the letters in batches of limited number and size; a large letter has its own."""
    batch: list[int] = []
    octets = 0
    for uid in uids:
        octets += size(uid)
        if batch and (len(batch) == BATCH_LETTERS or octets > BATCH_OCTETS):
            yield batch
            batch, octets = [], size(uid)
        batch.append(uid)
    if batch:
        yield batch
