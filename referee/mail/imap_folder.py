"""A folder of an IMAP mailbox on an open connection: check, fetch, move, wait."""

import imaplib
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from imapclient import DELETED, IMAPClient, SocketTimeout
from imapclient.exceptions import (
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
    ProtocolError,
)
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.tls import IMAP4_TLS

from referee.domain.mail_transfer import MOST_OCTETS
from referee.mail.security import Login, Security, xoauth2

_IDLE_SECONDS: Final = 240.0
"""Routers drop an idle connection after five minutes, servers after thirty."""
_IDLE_AGAIN_SECONDS: Final = 600.0
"""How long a server that has refused IDLE is polled before it is asked again."""
_LOOK_SECONDS: Final = 0.5
"""The delay until a wait notices that it must stop."""
_IDS_A_COMMAND: Final = 200


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """A mailbox on a server, its login and its folders.

    *port* defaults to 993 with TLS, else 143. *password* is called for each connection; with
    ``Login.TOKEN`` it returns an access token.
    """

    name: str
    host: str
    user: str
    password: Callable[[], str]
    port: int | None = None
    security: Security = Security.TLS
    login: Login = Login.PASSWORD
    folder: str = "INBOX"
    done_folder: str = "Done"
    poll_seconds: float = 60.0
    size_limit: int = 25 * 2**20
    """A longer letter is cut here, so that its sender still gets an answer."""
    timeout_seconds: float = 60.0
    first_pause_seconds: float = 1.0
    """After a lost connection; it doubles each time up to the longest."""
    login_pause_seconds: float = 60.0
    """After a refused login, because servers lock out clients that retry too often."""
    longest_pause_seconds: float = 300.0
    context: ssl.SSLContext | None = None

    @property
    def octets_at_once(self) -> int:
        """Return how much of a letter is fetched: just enough to see that it is too big to read."""
        return min(self.size_limit, MOST_OCTETS + 1)


class IdleRefused(Exception):
    """The server announces IDLE and refuses it; the message is the server's."""


class LoginRefused(Exception):
    """The server rejects user and password or token; the message is the server's."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A letter in the folder."""

    uid: int
    raw: bytes
    received_at: datetime | None


@contextmanager
def opened(account: ImapAccount) -> Iterator["Folder"]:
    """Connect and log in; at the end log out, or after a failure disconnect at once.

    Raises LoginRefused, or IMAPClientError or OSError if the connection fails.
    """
    client = _Client(account)
    client.normalise_times = False
    is_ok = False
    try:
        if account.security is Security.STARTTLS:
            client.starttls(account.context)
        _log_in(client, account)
        yield Folder(client, account)
        is_ok = True
    finally:
        # After a timeout, a logout would wait for an answer again.
        with suppress(IMAPClientError, OSError):
            if is_ok:
                client.logout()
        # A logout without an answer leaves the connection open.
        with suppress(IMAPClientError, OSError):
            client.shutdown()


class _Client(IMAPClient):  # type: ignore[misc]
    """A client that ends the connection instead of reading a long literal into memory.

    imaplib reads as much as the server announces, whatever was requested, also in the greeting. And
    a client whose IDLE copes with each response that a server may send at any time (RFC 3501,
    section 7).
    """

    def __init__(self, account: ImapAccount) -> None:
        self._most = account.octets_at_once
        super().__init__(
            account.host,
            account.port or (993 if account.security is Security.TLS else 143),
            ssl=account.security is Security.TLS,
            ssl_context=account.context,
            timeout=SocketTimeout(account.timeout_seconds, account.timeout_seconds),
        )

    def idle(self) -> bool:
        """Begin IDLE; return whether new letters were announced until it began.

        Raises IdleRefused; the connection can then be used for other commands.
        """
        server = self._imap
        server.untagged_responses.pop("EXISTS", None)
        tag = server._command("IDLE")
        while server._get_response() is not None:
            if server.tagged_commands[tag] is not None:
                kind, [words] = server.tagged_commands.pop(tag)
                raise IdleRefused(f"{kind} {words.decode(errors='replace')}")
        self._idle_tag = tag
        return "EXISTS" in server.untagged_responses

    def idle_check(self, timeout: float) -> list[tuple[object, ...]] | None:
        """Return the responses that came within *timeout* seconds; None if IDLE has ended."""
        try:
            answers: list[tuple[object, ...]] = super().idle_check(timeout)
        except ProtocolError:
            # The only tagged response that there can be: the server has ended IDLE by itself.
            self._imap.tagged_commands.pop(self._idle_tag)
            return None
        return answers

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802 - the name of imapclient
        most, basis = self._most, IMAP4_TLS if self.ssl else IMAP4WithTimeout

        class Limited(basis):  # type: ignore[misc, valid-type]
            def read(self, size: int) -> bytes:
                if size > most:
                    raise IMAPClientAbortError(f"the server sends {size} bytes at once")
                literal: bytes = super().read(size)
                return literal

        context = [self.ssl_context] if self.ssl else []
        return Limited(self.host, self.port, *context, self._timeout.connect)


def _log_in(client: IMAPClient, account: ImapAccount) -> None:
    password = account.password()
    try:
        if account.login is Login.TOKEN:
            _send_token(client, account.user, password)
        else:
            client.login(account.user, password)
    except LoginError as error:
        words = str(error).removeprefix("b'").removesuffix("'")
        # IMAPClient also reports a connection lost during the login as a refused login.
        dropped = isinstance(error.__context__, IMAPClientAbortError)
        if dropped or "[UNAVAILABLE]" in words:
            raise IMAPClientAbortError(words) from error
        raise LoginRefused(words) from error


def _send_token(client: IMAPClient, user: str, token: str) -> None:
    # A server that rejects the token gives the reason in a challenge, and expects an empty answer.
    words = [xoauth2(user, token)]
    client.sasl_login("XOAUTH2", lambda _challenge: words.pop() if words else b"")


class Folder:
    """The folder of an account on one connection; all errors are exceptions of IMAPClient."""

    def __init__(self, client: _Client, account: ImapAccount) -> None:
        self._client = client
        self._account = account
        self._poll_seconds = account.poll_seconds
        self._idle_again = 0.0
        self.idle_refusal = ""
        """The answer of a server that has refused IDLE."""

    def select(self) -> int:
        """Select the folder, and return its UIDVALIDITY."""
        answer = self._client.select_folder(self._account.folder)
        return int(answer.get(b"UIDVALIDITY", 0))

    def has_done_folder(self) -> bool:
        """Return whether the done folder exists."""
        return bool(self._client.folder_exists(self._account.done_folder))

    def announces_mail(self) -> bool:
        """Return whether the server announces new letters."""
        return bool(self._client.has_capability("IDLE"))

    def uids(self) -> list[int]:
        """Return the UIDs of all letters in the folder, ascending."""
        return sorted(self._client.search("ALL"))

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        """Return the sizes of the letters in bytes, where the server gives them."""
        sizes: dict[int, int] = {}
        for part in _parts(uids):
            answers = self._client.fetch(part, ["RFC822.SIZE"])
            found = {uid: answer.get(b"RFC822.SIZE") for uid, answer in answers.items()}
            sizes |= {uid: size for uid, size in found.items() if isinstance(size, int)}
        return sizes

    def fetch(self, uids: Sequence[int], largest: int) -> list[Fetched]:
        """Return the letters without marking them read; the largest has *largest* bytes.

        Letters that were deleted, or that the server gives without content, are missing.
        """
        limit = self._account.octets_at_once
        body = "BODY.PEEK[]" if largest <= limit else f"BODY.PEEK[]<0.{limit}>"
        answers = self._client.fetch(uids, ["INTERNALDATE", body])
        return [
            Fetched(uid, raw, answer.get(b"INTERNALDATE"))
            for uid, answer in sorted(answers.items())
            if (raw := _text(answer)) is not None
        ]

    def move_away(self, uids: Sequence[int]) -> None:
        """Move letters to the done folder, creating it if necessary."""
        for part in _parts(uids):
            self._make_done_folder()
            if self._client.has_capability("MOVE"):
                self._client.move(part, self._account.done_folder)
            else:
                self._copy_and_delete(part)

    def wait(
        self, stop: threading.Event, wanted: threading.Event, patience: float, deaf: float = 0.0
    ) -> bool:
        """Return when there may be new letters, or when it is time to check; whether announced.

        A server that announces new letters is listened to for *patience* seconds, at most until the
        next poll, and what it announces in the first *deaf* seconds ends the wait after them. One
        that refuses IDLE is polled. When *wanted* is set, this returns almost at once.
        """
        if self.announces_mail() and time.monotonic() >= self._idle_again:
            try:
                return self._listen(stop, wanted, patience, deaf)
            except IdleRefused as error:
                self.idle_refusal = str(error)
                self._idle_again = time.monotonic() + _IDLE_AGAIN_SECONDS
        self._pause(stop, wanted)
        return False

    def _listen(
        self, stop: threading.Event, wanted: threading.Event, patience: float, deaf: float
    ) -> bool:
        is_announced = self._client.idle()
        now = time.monotonic()
        hears, end = now + deaf, now + max(deaf, min(patience, self._poll_seconds, _IDLE_SECONDS))
        while not (stop.is_set() or wanted.is_set()):
            until = hears if is_announced else end
            if (left := until - time.monotonic()) <= 0:
                break
            begun = time.monotonic()
            answers = self._client.idle_check(min(left, _LOOK_SECONDS))
            if answers is None:
                return is_announced
            if not answers and time.monotonic() - begun < min(left, _LOOK_SECONDS) / 2:
                # An empty answer before its time means a lost connection: leaving IDLE will show
                # that, but asking again would return at once forever.
                break
            if any(b"BYE" in answer for answer in answers):
                break
            is_announced |= any(b"EXISTS" in answer for answer in answers)
        self._client.idle_done()
        return is_announced

    def _pause(self, stop: threading.Event, wanted: threading.Event) -> None:
        end = time.monotonic() + self._poll_seconds
        while not wanted.is_set() and (left := end - time.monotonic()) > 0:
            if stop.wait(min(left, _LOOK_SECONDS)):
                return

    def _make_done_folder(self) -> None:
        if self.has_done_folder():
            return
        try:
            self._client.create_folder(self._account.done_folder)
        except IMAPClientError:
            # Another session of ours can have made it in the meantime.
            if not self.has_done_folder():
                raise

    def _copy_and_delete(self, uids: Sequence[int]) -> None:
        # Without UID EXPUNGE, deleted letters stay in the folder, so copy each only once.
        undeleted = set(self._client.search("UNDELETED"))
        uids = [uid for uid in uids if uid in undeleted]
        if not uids:
            return
        self._client.copy(uids, self._account.done_folder)
        self._client.add_flags(uids, [DELETED], silent=True)
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge(uids)


def _parts(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    for begin in range(0, len(uids), _IDS_A_COMMAND):
        yield uids[begin : begin + _IDS_A_COMMAND]


def _text(answer: Mapping[bytes, object]) -> bytes | None:
    raw = answer.get(b"BODY[]", answer.get(b"BODY[]<0>"))
    return raw if isinstance(raw, bytes) else None
