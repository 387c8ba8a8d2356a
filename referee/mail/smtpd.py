"""The built-in SMTP and LMTP receiver, which says 250 only after the letter is committed."""

import asyncio
import logging
import socket
import stat
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.domain.mail_transfer import IncomingMail

log = logging.getLogger(__name__)

# At INFO aiosmtpd logs every command, and recipients carry tokens; at DEBUG it logs whole letters.
logging.getLogger("mail.log").setLevel(logging.WARNING)

SIZE_LIMIT: Final = 25 * 2**20
"""Octets of the largest letter that is taken when nothing else is set."""
LINE_LIMIT: Final = 2 * 2**20
"""Real mail programs write lines far beyond the 1,001 octets of RFC 5321."""
RECIPIENT_LIMIT: Final = 100
TRY_LATER: Final = "451 4.3.0 The letter could not be stored; please try again later"
_PATIENCE_SECONDS: Final = 10.0


class MailProtocol(Enum):
    """What the receiver speaks."""

    SMTP = "smtp"
    LMTP = "lmtp"


class Receiver:
    """A server for letters, in a thread of its own, on a loopback port or a Unix socket.

    *accept* commits a letter and is called in a worker thread, once per recipient; whatever it
    raises becomes a 451, so the other side keeps the letter. *recipients* says which addresses
    are ours; all others get a 550. With *path* the server listens on that Unix socket instead
    of *host* and *port*; port 0 takes a free one, and ``port`` tells which after ``start``.
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
    ) -> None:
        self.port = port
        self._address = (host, path)
        self._hooks = _Hooks(accept, clock, recipients, protocol)
        self._kind = _Lmtp if protocol is MailProtocol.LMTP else _Smtp
        # Without a name aiosmtpd asks the DNS for one, for every connection, inside the loop.
        self._options: dict[str, Any] = {"hostname": hostname, "data_size_limit": size_limit}
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Event | None = None
        self._patience = _PATIENCE_SECONDS

    @property
    def arriving_since(self) -> datetime | None:
        """When the first letter arrived that is not committed yet; None when none is at hand."""
        return self._hooks.arriving_since()

    def start(self) -> None:
        """Listen; letters may come as soon as this returns. Raises OSError when it cannot."""
        listener = self._bind()
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listener, ready)), name="receiver", daemon=True
        )
        self._thread.start()
        if not ready.wait(_PATIENCE_SECONDS):
            raise TimeoutError("the receiver does not come up")

    def stop(self, patience_seconds: float = _PATIENCE_SECONDS) -> bool:
        """Listen no more, answer the letters at hand, and end the thread. Twice does no harm.

        Say whether they were answered in time; of one that was not, the other side keeps a copy.
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
        listener = socket.create_server((host, self.port), family=family, backlog=100)
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
        server = await create(self._session, sock=listener)
        ready.set()
        await self._ended.wait()
        server.close()
        await self._hooks.wait_until_idle(self._patience)

    def _session(self) -> SMTP:
        return self._kind(
            self._hooks, enable_SMTPUTF8=True, ident="referee", loop=self._loop, **self._options
        )


def _bind_path(path: Path) -> socket.socket:
    # A socket that a killed daemon left behind would make every new start fail.
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
    except OSError:
        listener.close()
        raise
    # The mail server in front of us runs as another user; the folder says who may come in.
    path.chmod(0o666)
    listener.listen(100)
    return listener


class _Hooks:
    """What the receiver does at the commands of a session, under aiosmtpd's names."""

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
        """When the letters arrived that are being committed."""
        self._arriving = threading.Lock()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd finds it by this name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take one of our addresses; refuse the others for good."""
        if len(envelope.rcpt_tos) >= RECIPIENT_LIMIT:
            return "452 4.5.3 Too many recipients"
        if not await asyncio.to_thread(self._recipients, address):
            return "550 5.1.1 No such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - aiosmtpd finds it by this name
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Commit the letter for each recipient, then answer: SMTP once, LMTP for each."""
        # Who asks what is at hand must not ask between these two.
        with self._arriving:
            arrived_at = self._clock()
            self.at_hand.append(arrived_at)
        try:
            arrivals = self._arrivals(envelope, arrived_at)
            answers = [await self._store(arrival) for arrival in arrivals]
        finally:
            with self._arriving:
                self.at_hand.remove(arrived_at)
        if self._protocol is MailProtocol.LMTP:
            return "\r\n".join(answers)
        return TRY_LATER if TRY_LATER in answers else answers[0]

    def arriving_since(self) -> datetime | None:
        """Return when the first letter arrived that is at hand; None when none is."""
        with self._arriving:
            return min(self.at_hand, default=None)

    async def wait_until_idle(self, patience_seconds: float) -> None:
        """Return when the letters at hand are answered, but no later than that."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + patience_seconds
        while self.at_hand and loop.time() < give_up:
            await asyncio.sleep(0.01)

    def _arrivals(self, envelope: Envelope, arrived_at: datetime) -> list[IncomingMail]:
        number = uuid.uuid4()
        raw = envelope.original_content or b""
        # The null return path is how a bounce is known, and not the same as no envelope.
        sender = str(envelope.mail_from or "<>")
        return [
            IncomingMail(
                source=self._protocol.value,
                source_id=f"{number}/{place}",
                raw=raw,
                arrived_at=arrived_at,
                sender=sender,
                recipient=recipient,
            )
            for place, recipient in enumerate(envelope.rcpt_tos, start=1)
        ]

    async def _store(self, arrival: IncomingMail) -> str:
        # gather() hands over whatever accept raised as a value: one recipient's trouble must not
        # take the answer from the others.
        (trouble,) = await asyncio.gather(
            asyncio.to_thread(self._accept, arrival), return_exceptions=True
        )
        if isinstance(trouble, BaseException):
            log.error("letter %s could not be stored", arrival.source_id, exc_info=trouble)
            return TRY_LATER
        return f"250 2.0.0 OK {arrival.source_id}"


class _Answering(SMTP):
    """A session that is lenient with long lines and never refuses a letter for a fault of ours."""

    line_length_limit = LINE_LIMIT
    _in_data = False

    async def push(self, status: str | bytes) -> None:
        """Send an answer, and remember whether the other side waits for the one to its letter."""
        text = status.decode() if isinstance(status, bytes) else status
        answered = self._in_data
        self._in_data = text.startswith("354")
        await super().push(self._whole_answer(text) if answered else text)

    async def handle_exception(self, error: Exception) -> str:
        """Answer any fault of ours with a 451: a 500, aiosmtpd's way, would lose the letter."""
        log.error("a session failed", exc_info=error)
        if self._in_data:
            self.envelope = self._create_envelope()
        return TRY_LATER

    def _whole_answer(self, text: str) -> str:
        return text


class _Smtp(_Answering):
    """An SMTP session."""


class _Lmtp(_Answering, LMTP):
    """An LMTP session: after the letter it owes one answer for each recipient (RFC 2033 s4.2)."""

    _owed = 0

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd finds it by this name
        """Take a letter, knowing how many answers it needs."""
        self._owed = len(self.envelope.rcpt_tos) if self.envelope else 0
        await super().smtp_DATA(arg)

    def _whole_answer(self, text: str) -> str:
        # aiosmtpd itself answers once when a letter is too big or a line too long.
        return text if "\r\n" in text else "\r\n".join([text] * self._owed)
