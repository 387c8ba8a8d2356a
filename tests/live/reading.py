"""A mailbox that is read in the background, with its results."""

import ssl
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from types import TracebackType

from referee.domain.mail_transfer import IncomingMail
from referee.mail.imap import ImapMailbox, Position
from referee.mail.imap_folder import ImapAccount
from referee.mail.security import Security
from tests.live.dovecot import PASSWORD
from tests.live.servers import PATIENCE, until


def account(
    port: int,
    *,
    security: Security = Security.NONE,
    password: str = PASSWORD,
    poll_seconds: float = 60.0,
    timeout_seconds: float = 10.0,
    context: ssl.SSLContext | None = None,
) -> ImapAccount:
    """Return the account ``referee`` on this machine, with short timeouts."""
    return ImapAccount(
        name="games",
        host="localhost",
        port=port,
        user="referee",
        password=lambda: password,
        security=security,
        poll_seconds=poll_seconds,
        timeout_seconds=timeout_seconds,
        first_pause_seconds=0.05,
        login_pause_seconds=0.05,
        longest_pause_seconds=0.2,
        context=context,
    )


class Book:
    """An inbox and a cursor in memory; a known letter changes nothing."""

    def __init__(self) -> None:
        self.arrivals: list[IncomingMail] = []
        self.position: Position | None = None

    def accept_all(self, arrivals: Sequence[IncomingMail]) -> None:
        """Accept the letters that are not known yet."""
        for arrival in arrivals:
            self.accept(arrival)

    def accept(self, arrival: IncomingMail) -> None:
        """Accept a letter that is not known yet."""
        if all(known.source_id != arrival.source_id for known in self.arrivals):
            self.arrivals.append(arrival)

    def get(self, source: str) -> Position | None:
        """Return the position."""
        return self.position

    def set(self, source: str, position: Position) -> None:
        """Store the position."""
        self.position = position

    def subjects(self) -> list[str]:
        """Return the subjects of the letters taken, in order."""
        heads = [arrival.raw.split(b"Subject: ", 1)[1] for arrival in self.arrivals]
        return [head.splitlines()[0].decode() for head in heads]


class Reading:
    """A mailbox read by its own thread until the end of the ``with``."""

    def __init__(self, account: ImapAccount, book: Book) -> None:
        self.mailbox = ImapMailbox(account)
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self.mailbox.run, args=(book.accept_all, book, self._stop, _now)
        )
        self._book = book

    def __enter__(self) -> "Reading":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the mailbox does not stop"

    def until_taken(self, number: int) -> None:
        """Wait until *number* letters are taken."""
        until(f"{number} letters are taken", lambda: len(self._book.arrivals) >= number)


def _now() -> datetime:
    return datetime.now(UTC)
