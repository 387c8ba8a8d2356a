"""The built-in SMTP and LMTP receiver, which answers 250 only after the commit."""

import asyncio
import logging
import socket
import stat
import threading
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import datetime
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.domain.mail_transfer import BEGINNING_OCTETS, IncomingMail
from referee.domain.networks import public_network
from referee.domain.shares import SHARES, Charge, Key, Thing
from referee.errors import OverQuota
from referee.mail.letter_buffer import LetterBuffer

log = logging.getLogger(__name__)

# At INFO, aiosmtpd logs all commands with recipients and their tokens; at DEBUG, all mail.
logging.getLogger("mail.log").setLevel(logging.WARNING)

SIZE_LIMIT: Final = 25 * 2**20
"""The default size limit of a letter in bytes."""
READ_OCTETS: Final = 64 * 1024
"""How much is read of a line at once; asyncio buffers a few times as much per connection."""
RECIPIENT_LIMIT: Final = 100
CONNECTION_LIMIT: Final = SHARES[Thing.WIRE][0].at_once
LARGE_LETTERS: Final = 8
"""How many letters over BEGINNING_OCTETS are in memory at once; further ones wait."""
LETTER_SECONDS: Final = 60.0
"""The time for a letter: from the connection, or the end of the letter before, to its end."""
TRY_LATER: Final = "451 4.3.0 The email could not be stored; please try again later"
_OVER_QUOTA: Final = "452 4.3.1 Too many emails today; please try again later"
_TOO_MUCH: Final = "552 5.3.4 The email is too big"
_FULL: Final = b"421 4.7.0 Too many connections; please try again later\r\n"
_SLOW: Final = b"421 4.4.2 The email took too long; please try again later\r\n"
_PATIENCE_SECONDS: Final = 10.0


class MailProtocol(Enum):
    """The protocol of the receiver."""

    SMTP = "smtp"
    LMTP = "lmtp"


class Receiver:
    """A mail server in its own thread, on a loopback port or a Unix socket.

    *accept* commits a letter and is called in a worker thread, once per recipient; if it raises,
    the answer is 451, so the other side keeps the letter. *recipients* returns at once whether an
    address is ours; all others get a 550. With *path* the server listens on that Unix socket
    instead of *host* and *port*; port 0 uses a free one, which ``port`` has after ``start``. At
    most CONNECTION_LIMIT others are served at once, each with *letter_seconds* for a letter; then
    they get a 421. Whatever they send, they hold a few dozen megabytes together.
    """

    def __init__(
        self,
        accept: Callable[[IncomingMail], object],
        *,
        clock: Callable[[], datetime],
        recipients: Callable[[str], bool],
        protocol: MailProtocol = MailProtocol.SMTP,
        host: str = "127.0.0.1",
        port: int = 0,
        path: Path | None = None,
        hostname: str = "localhost",
        size_limit: int = SIZE_LIMIT,
        letter_seconds: float = LETTER_SECONDS,
    ) -> None:
        self.port = port
        self._address = (host, path)
        self._hooks = _Hooks(accept, clock, recipients, protocol)
        self._kind = _Lmtp if protocol is MailProtocol.LMTP else _Smtp
        # Without a name, aiosmtpd looks one up in the DNS for every connection, inside the loop.
        self._options: dict[str, Any] = {"hostname": hostname, "data_size_limit": size_limit}
        self._connections = Connections(letter_seconds)
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Event | None = None
        self._patience = _PATIENCE_SECONDS

    @property
    def arriving_since(self) -> datetime | None:
        """Return when the first uncommitted letter arrived, or None."""
        return self._hooks.arriving_since()

    def start(self) -> None:
        """Start listening; letters may arrive before this returns. Raises OSError if it cannot."""
        listener = self._bind()
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listener, ready)), name="receiver", daemon=True
        )
        self._thread.start()
        if not ready.wait(_PATIENCE_SECONDS):
            raise TimeoutError("the receiver does not start")

    def stop(self, patience_seconds: float = _PATIENCE_SECONDS) -> bool:
        """Stop listening, answer the current letters, and end the thread. Idempotent.

        Returns whether they were answered in time; the other side keeps the others.
        """
        if self._thread is None or self._loop is None or self._ended is None:
            return True
        self._patience = patience_seconds
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(patience_seconds)
        has_ended = not self._thread.is_alive()
        self._thread = None
        path = self._address[1]
        if path is not None:
            path.unlink(missing_ok=True)
        return has_ended

    def _bind(self) -> socket.socket:
        host, path = self._address
        if path is not None:
            return _bind_path(path)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, self.port), family=family, backlog=CONNECTION_LIMIT)
        self.port = int(listener.getsockname()[1])
        return listener

    async def _serve(self, listener: socket.socket, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        create = (
            self._loop.create_unix_server
            if listener.family == socket.AF_UNIX
            else self._loop.create_server
        )
        # asyncio accepts as many connections at once before it serves any of them.
        door = partial(_Door, self._connections, self._session)
        server = await create(door, sock=listener, backlog=CONNECTION_LIMIT)
        ready.set()
        await self._ended.wait()
        server.close()
        await self._hooks.wait_until_idle(self._patience)

    def _session(self) -> "_LenientSession":
        session = self._kind(
            self._hooks, enable_SMTPUTF8=True, ident="referee", loop=self._loop, **self._options
        )
        session.connections = self._connections
        return session


def _bind_path(path: Path) -> socket.socket:
    # A socket of a killed daemon would make every new start fail.
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
    except OSError:
        listener.close()
        raise
    # The mail server before us runs as another user, who must be in the group of the socket.
    path.chmod(0o660)
    listener.listen(CONNECTION_LIMIT)
    return listener


class _Hooks:
    """The session hooks of the receiver, under aiosmtpd's names."""

    def __init__(
        self,
        accept: Callable[[IncomingMail], object],
        clock: Callable[[], datetime],
        recipients: Callable[[str], bool],
        protocol: MailProtocol,
    ) -> None:
        self._accept = accept
        self._clock = clock
        self._recipients = recipients
        self._protocol = protocol
        self.at_hand: list[datetime] = []
        """The arrival times of the letters that are being committed."""
        self._arriving = threading.Lock()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd finds it by this name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept our own addresses, and reject others permanently."""
        if len(envelope.rcpt_tos) >= RECIPIENT_LIMIT:
            return "452 4.5.3 Too many recipients"
        if not self._recipients(address):
            return "550 5.1.1 No such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def store(self, envelope: Envelope, size: int, network: str) -> str:
        """Commit the letter for each recipient, then answer: SMTP once, LMTP for each.

        *size* is that of the whole letter, *network* that of the client.
        """
        # ``arriving_since`` must not be read between these two.
        with self._arriving:
            arrived_at = self._clock()
            self.at_hand.append(arrived_at)
        try:
            arrivals = self._arrivals(envelope, size, arrived_at, network)
            answers = [await self._store(arrival) for arrival in arrivals]
        finally:
            with self._arriving:
                self.at_hand.remove(arrived_at)
        if self._protocol is MailProtocol.LMTP:
            return "\r\n".join(answers)
        return next((answer for answer in answers if answer[0] != "2"), answers[0])

    def arriving_since(self) -> datetime | None:
        """Return when the first current letter arrived, or None."""
        with self._arriving:
            return min(self.at_hand, default=None)

    async def wait_until_idle(self, patience_seconds: float) -> None:
        """Wait until the current letters are answered, up to the time limit."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + patience_seconds
        while self.at_hand and loop.time() < give_up:
            await asyncio.sleep(0.01)

    def _arrivals(
        self, envelope: Envelope, size: int, arrived_at: datetime, network: str
    ) -> list[IncomingMail]:
        number = uuid.uuid4()
        raw = envelope.original_content or b""
        cut = size if len(raw) < size else 0
        # The null sender identifies a bounce; it differs from a missing envelope.
        sender = str(envelope.mail_from or "<>")
        return [
            IncomingMail(
                source=self._protocol.value,
                source_id=f"{number}/{place}",
                raw=raw,
                arrived_at=arrived_at,
                sender=sender,
                recipient=recipient,
                size=cut,
                network=network,
            )
            for place, recipient in enumerate(envelope.rcpt_tos, start=1)
        ]

    async def _store(self, arrival: IncomingMail) -> str:
        # gather() returns what accept raised as a value, so that a failure for one recipient does
        # not affect the answers for the others.
        (failure,) = await asyncio.gather(
            asyncio.to_thread(self._accept, arrival), return_exceptions=True
        )
        if isinstance(failure, OverQuota):
            log.warning("letter %s: over the quota", arrival.source_id)
            return _OVER_QUOTA
        if isinstance(failure, BaseException):
            log.error("letter %s: cannot be stored", arrival.source_id, exc_info=failure)
            return TRY_LATER
        return f"250 2.0.0 OK {arrival.source_id}"


class Connections:
    """The connections that are served now, and their time for a letter."""

    def __init__(self, letter_seconds: float) -> None:
        self.letter_seconds = letter_seconds
        self.large = asyncio.Semaphore(LARGE_LETTERS)
        self._sessions: dict[SMTP, str] = {}
        """The network of each session, or "" if it does not count."""
        self._is_full = False

    def add(self, session: SMTP, network: str) -> None:
        """Take a place."""
        self._sessions[session] = network

    def network_of(self, session: SMTP) -> str:
        """Return the network of a session's client."""
        return self._sessions.get(session, "")

    def remove(self, session: SMTP) -> None:
        """Free the place, if the session has one."""
        self._sessions.pop(session, None)

    def has_place(self, network: str) -> bool:
        """Return whether one more can be served; log when there is no place for the first time."""
        networks = [*self._sessions.values()]
        held = {Key.SITE: len(networks), Key.NETWORK: networks.count(network)}
        payers = {Key.NETWORK: network} if network else {}
        was_full = self._is_full
        self._is_full = Charge(Thing.WIRE, payers, held=held).refused() is not None
        if self._is_full and not was_full:
            log.warning("receiver: %d connections, refusing more", len(networks))
        return not self._is_full


class _Door(asyncio.Protocol):
    """A connection that asks for a place, and becomes a session if there is one."""

    def __init__(self, connections: Connections, session: Callable[[], "_LenientSession"]) -> None:
        self._connections, self._session = connections, session

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the session, or answer and hang up."""
        ends = map(transport.get_extra_info, ("peername", "sockname"))
        network = network_of(*ends)
        if not self._connections.has_place(network):
            _hang_up(transport, _FULL)
            return
        session = self._session()
        self._connections.add(session, network)
        transport.set_protocol(session)
        session.connection_made(transport)


def network_of(peer: object, own: object = None) -> str:
    """Return the network of the client, "" if it is no public one: a mail server of our own.

    Both ends of a connection have an address, or a path if it is a Unix socket.
    """
    address, ours = (str(end[0]) if isinstance(end, tuple) else "" for end in (peer, own))
    return public_network(address, ours)


def _hang_up(transport: asyncio.BaseTransport, answer: bytes) -> None:
    """Answer if the other side listens; a connection that waited for that would be kept open."""
    assert isinstance(transport, asyncio.Transport)
    transport.write(answer)
    transport.abort()


class _Place:
    """A place among the large letters, which a letter takes while much of it is in memory."""

    def __init__(self, large: asyncio.Semaphore) -> None:
        self._large = large
        self._is_taken = False

    async def fit(self, octets: int) -> None:
        """Wait for a place, if so many bytes need one; free it if they do not."""
        needs = octets > BEGINNING_OCTETS
        if needs and not self._is_taken:
            await self._large.acquire()
            self._is_taken = True
        elif not needs:
            self.free()

    def free(self) -> None:
        """Free the place. Idempotent."""
        if self._is_taken:
            self._is_taken = False
            self._large.release()


class _LenientSession(SMTP):
    """A session that allows long lines and answers 451 to our own failures.

    It is ended if a letter takes too long. Of a letter that is too big to be read, only the
    beginning is held: aiosmtpd itself would hold all of it, several times.
    """

    line_length_limit = READ_OCTETS
    connections: Connections
    _in_data = False
    _letter_end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the session, and the time for its first letter."""
        super().connection_made(transport)
        self._begin_letter()

    def connection_lost(self, error: Exception | None) -> None:
        """End the session and free its place."""
        self.connections.remove(self)
        if self._letter_end is not None:
            self._letter_end.cancel()
        super().connection_lost(error)

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd finds it by this name
        """Accept a letter, then begin the time for the next one."""
        if self.envelope is None or not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 Need RCPT command")
        elif arg:
            await self.push("501 5.5.4 Syntax: DATA")
        else:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            answer = await self._take_letter(self.envelope)
            self.envelope = self._create_envelope()
            await self.push(answer)
        self._begin_letter()

    async def _take_letter(self, envelope: Envelope) -> str:
        """Return the answer to the letter that follows, after it is stored."""
        letter, place = LetterBuffer(), _Place(self.connections.large)
        try:
            async for piece in self._pieces():
                letter.add(piece)
                await place.fit(letter.held)
            if self.data_size_limit and letter.size > self.data_size_limit:
                return _TOO_MUCH
            envelope.content = envelope.original_content = letter.take()
            network = self.connections.network_of(self)
            answer: str = await self.event_handler.store(envelope, letter.size, network)
            return answer
        finally:
            place.free()

    async def _pieces(self) -> AsyncIterator[bytes]:
        """Yield a letter by its lines, long ones in parts, without the dots of RFC 5321 s4.5.2."""
        begins_line = True
        while True:
            try:
                piece = await self._reader.readuntil(b"\r\n")
            except asyncio.LimitOverrunError as long_line:
                piece = await self._reader.read(long_line.consumed)
            if begins_line and piece == b".\r\n":
                return
            yield piece[1:] if begins_line and piece.startswith(b".") else piece
            begins_line = piece.endswith(b"\r\n")

    def _begin_letter(self) -> None:
        if self._letter_end is not None:
            self._letter_end.cancel()
        self._letter_end = self.loop.call_later(self.connections.letter_seconds, self._end_slow)

    def _end_slow(self) -> None:
        # A letter that has come whole is being committed: its answer must not be lost.
        is_whole = self.envelope is not None and self.envelope.content is not None
        if self.transport is not None and not is_whole:
            log.info("receiver: a letter took too long")
            _hang_up(self.transport, _SLOW)

    async def push(self, status: str | bytes) -> None:
        """Send an answer, and remember whether the next one is for the letter."""
        text = status.decode() if isinstance(status, bytes) else status
        answered = self._in_data
        self._in_data = text.startswith("354")
        await super().push(self._whole_answer(text) if answered else text)

    async def handle_exception(self, error: Exception) -> str:
        """Answer our own failures with 451; aiosmtpd's 500 would lose the letter."""
        log.error("session failed", exc_info=error)
        if self._in_data:
            self.envelope = self._create_envelope()
        return TRY_LATER

    def _whole_answer(self, text: str) -> str:
        return text


class _Smtp(_LenientSession):
    """An SMTP session."""


class _Lmtp(_LenientSession, LMTP):
    """An LMTP session: it needs one answer per recipient after the letter (RFC 2033 s4.2)."""

    _owed = 0

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd finds it by this name
        """Accept a letter, after recording how many answers it needs."""
        self._owed = len(self.envelope.rcpt_tos) if self.envelope else 0
        await super().smtp_DATA(arg)

    def _whole_answer(self, text: str) -> str:
        # A letter that is too big, or that our own failure met, has one answer.
        return text if "\r\n" in text else "\r\n".join([text] * self._owed)
