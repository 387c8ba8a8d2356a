"""A mailbox that is read over IMAP for as long as the daemon runs."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

from imapclient.exceptions import IMAPClientError

from referee.domain.post import Arrival
from referee.errors import RefereeError
from referee.mail.imap_folder import Fetched, Folder, ImapAccount, LoginRefused, opened

log = logging.getLogger(__name__)

# At DEBUG IMAPClient logs whole letters.
logging.getLogger("imapclient").setLevel(logging.INFO)

BATCH_LETTERS: Final = 50
BATCH_OCTETS: Final = 10 * 2**20
_FIRST_PATIENCE: Final = 0.5
_TROUBLES: Final = (IMAPClientError, OSError, ValueError, RefereeError)
"""What a server, the network or the store can do to us; a ValueError is an answer that is none."""


@dataclass(frozen=True, slots=True)
class Position:
    """How far a folder has been read: every letter up to *last_uid* is committed."""

    uidvalidity: int
    last_uid: int


class Cursor(Protocol):
    """Where the position of each mailbox is kept; *source* is ``imap:NAME``."""

    def get(self, source: str) -> Position | None:
        """Give the position; None before the first time."""
        ...

    def set(self, source: str, position: Position) -> None:
        """Commit the position."""
        ...


class Mailbox:
    """A mailbox whose letters arrive as ``imap:NAME`` with UIDVALIDITY/UID as source id.

    A letter is accepted first and moved to the done folder afterwards. What was accepted but not
    moved, because something broke in between, is moved the next time. When UIDVALIDITY changes,
    all letters in the folder arrive anew, and the inbox knows them by what they are. ``trouble``
    holds in words what keeps the mailbox from being read, and is empty while all is well.
    """

    def __init__(self, account: ImapAccount) -> None:
        self.source = f"imap:{account.name}"
        self.trouble = ""
        self._account = account
        self._suspects: list[int] = []
        self._failures = 0

    def run(
        self,
        accept: Callable[[Arrival], object],
        cursor: Cursor,
        stop: threading.Event,
        clock: Callable[[], datetime],
    ) -> None:
        """Take letters until *stop*, whatever the server does, with growing pauses in trouble.

        *accept* commits a letter and takes one it knows without harm; its StoreError or OSError
        leaves the letter in the folder.
        """
        while not stop.is_set():
            try:
                with opened(self._account) as folder:
                    self._keep_taking(folder, _Taking(accept, cursor, clock), stop)
            except LoginRefused as error:
                log.error("%s: the server refuses the login: %s", self.source, error)
                self._pause(f"login refused: {error}", self._account.login_pause_seconds, stop)
            except _TROUBLES as error:
                words = " ".join(str(error).split()) or type(error).__name__
                log.error("%s cannot be read: %s", self.source, words)
                self._pause(words, self._account.first_pause_seconds, stop)

    def _keep_taking(self, folder: Folder, taking: "_Taking", stop: threading.Event) -> None:
        patience = _FIRST_PATIENCE
        while not stop.is_set():
            # A letter that comes in the very moment in which the wait begins is not announced, and
            # letters come in swarms: the first waits are short.
            patience = _FIRST_PATIENCE if self._look(folder, taking) else 2 * patience
            self.trouble, self._failures = "", 0
            folder.wait(stop, patience)

    def _pause(self, trouble: str, first: float, stop: threading.Event) -> None:
        self.trouble = trouble
        stop.wait(min(first * 2**self._failures, self._account.longest_pause_seconds))
        self._failures = min(self._failures + 1, 16)

    def _look(self, folder: Folder, taking: "_Taking") -> bool:
        """Take what is new, then move all that is taken; say whether there was anything new."""
        position = self._position(folder.select(), taking.cursor)
        here = folder.uids()
        fresh = [uid for uid in here if uid > position.last_uid]
        taken: set[int] = set()
        for batch in self._batches(fresh, folder.sizes(fresh)):
            for letter in self._fetch(folder, batch):
                taking.accept(self._arrival(letter, position.uidvalidity, taking.clock()))
                taken.add(letter.uid)
            last = _last_of_unbroken(position.last_uid, fresh, taken)
            taking.cursor.set(self.source, Position(position.uidvalidity, last))
        folder.move_away([uid for uid in here if uid <= position.last_uid or uid in taken])
        return bool(taken)

    def _position(self, uidvalidity: int, cursor: Cursor) -> Position:
        position = cursor.get(self.source)
        if position is not None and position.uidvalidity == uidvalidity:
            return position
        if position is not None:
            log.warning("%s: UIDVALIDITY changed, the folder is read anew", self.source)
        self._suspects = []
        return Position(uidvalidity, 0)

    def _batches(
        self, uids: Sequence[int], sizes: Mapping[int, int]
    ) -> Iterator[tuple[Sequence[int], int]]:
        """Give the letters in portions, each with its largest size, suspects last and alone."""
        batch: list[int] = []
        for uid in (uid for uid in uids if uid not in self._suspects):
            octets = sum(sizes.get(other, 0) for other in batch) + sizes.get(uid, 0)
            if batch and (len(batch) == BATCH_LETTERS or octets > BATCH_OCTETS):
                yield batch, max(sizes.get(other, 0) for other in batch)
                batch = []
            batch.append(uid)
        if batch:
            yield batch, max(sizes.get(other, 0) for other in batch)
        for uid in [uid for uid in self._suspects if uid in uids]:
            yield [uid], sizes.get(uid, 0)

    def _fetch(self, folder: Folder, batch: tuple[Sequence[int], int]) -> Sequence[Fetched]:
        uids, largest = batch
        others = [uid for uid in self._suspects if uid not in uids]
        try:
            letters = folder.fetch(uids, largest)
        except _TROUBLES:
            # Maybe one of them chokes the server: next time all others go first, each of these
            # alone, so that it holds up nobody.
            self._suspects = [*others, *uids]
            raise
        self._suspects = others
        if len(letters) < len(uids):
            log.warning("%s: %d letters cannot be had", self.source, len(uids) - len(letters))
        return letters

    def _arrival(self, letter: Fetched, uidvalidity: int, now: datetime) -> Arrival:
        # A server's clock that runs ahead must not make a letter late.
        received_at = now if letter.received_at is None else min(letter.received_at, now)
        source_id = f"{uidvalidity}/{letter.uid}"
        return Arrival(self.source, source_id, letter.raw, received_at.astimezone(UTC))


@dataclass(frozen=True, slots=True)
class _Taking:
    """What is done with letters, and where and when it is written down."""

    accept: Callable[[Arrival], object]
    cursor: Cursor
    clock: Callable[[], datetime]


def _last_of_unbroken(last: int, fresh: Sequence[int], taken: set[int]) -> int:
    """Give the UID up to which every letter is taken: one that could not be had is asked again."""
    for uid in fresh:
        if uid not in taken:
            return last
        last = uid
    return last
