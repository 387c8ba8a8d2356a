"""Sending through a mail server, in sessions of up to fifty letters."""

import logging
import smtplib
import socket
import ssl
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Final

from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail
from referee.errors import RefereeError
from referee.mail.security import Login, Security, xoauth2
from referee.mail.smtp_session import SmtpSession, words

log = logging.getLogger(__name__)

LETTERS_A_SESSION: Final = 50
"""Many servers reject more than one hundred letters per session."""
_BREAKS: Final = 2
_PORTS: Final = {Security.TLS: 465, Security.STARTTLS: 587, Security.NONE: 25}


class SmtpSender:
    """A mail transport through a mail server, with new connections for each ``send``.

    *port* defaults to 465, 587 or 25, depending on *security*. Without *user* there is no login;
    *password* is called for each session, and with ``Login.TOKEN`` it returns an access token.
    Every wait ends after *timeout_seconds*. *envelope_sender* replaces each letter's own, for
    servers that accept no other.
    """

    def __init__(
        self,
        host: str,
        port: int | None = None,
        security: Security = Security.STARTTLS,
        user: str = "",
        password: Callable[[], str] = str,
        *,
        login: Login = Login.PASSWORD,
        hello_name: str = "localhost",
        envelope_sender: str = "",
        timeout_seconds: float = 60.0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._host = host
        self.port = _PORTS[security] if port is None else port
        self._security = security
        self._user = user
        self._password = password
        self._login = login
        self._envelope_sender = envelope_sender
        self._hello_name = hello_name
        self._timeout_seconds = timeout_seconds
        self._context = context or ssl.create_default_context()

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Try each letter once; yield one attempt per letter, in order.

        A 5xx for the recipient or the letter is REJECTED. DEFERRED is anything temporary or on our
        side: 4xx, no connection, a refused login or sender. When a session breaks during a letter,
        that letter is deferred, and the rest gets one more session.
        """
        waiting = deque(
            replace(each, sender=self._envelope_sender or each.sender) for each in dispatches
        )
        problem, breaks = "", 0
        while waiting and breaks < _BREAKS:
            try:
                session = SmtpSession(self._connect())
            except (smtplib.SMTPException, OSError, UnicodeError, RefereeError) as error:
                problem = self._reported(error)
                break
            with closing(session):
                for attempt in _in_one_session(session, waiting):
                    yield attempt
                    problem = attempt.reason
            breaks += session.broken
        yield from (Attempt(dispatch, Delivery.DEFERRED, problem) for dispatch in waiting)

    def try_envelope(self, sender: str, recipient: str) -> str:
        """Connect, log in, and offer an envelope without a letter; return the refusal, or "".

        Raises SMTPException, OSError, UnicodeError, or what *password* raises, if the login fails.
        """
        with closing(SmtpSession(self._connect())) as session:
            return session.try_envelope(self._envelope_sender or sender, recipient)

    def _connect(self) -> smtplib.SMTP:
        client = self._greet()
        if client.sock is not None:
            # Commands are written completely, so none has to wait until the last was acknowledged.
            client.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if self._security is Security.STARTTLS:
                client.starttls(context=self._context)
            client.ehlo_or_helo_if_needed()
            if self._user:
                self._log_in(client)
        except (smtplib.SMTPException, OSError, UnicodeError, RefereeError):
            client.close()
            raise
        return client

    def _log_in(self, client: smtplib.SMTP) -> None:
        password = self._password()
        if self._login is Login.PASSWORD:
            client.login(self._user, password)
            return
        words = xoauth2(self._user, password)
        # A server that rejects the token gives the reason in a challenge, and expects an empty
        # answer.
        client.auth("XOAUTH2", lambda challenge=None: words if challenge is None else "")

    def _greet(self) -> smtplib.SMTP:
        name, timeout = self._hello_name, self._timeout_seconds
        if self._security is Security.TLS:
            return smtplib.SMTP_SSL(
                self._host, self.port, name, timeout=timeout, context=self._context
            )
        return smtplib.SMTP(self._host, self.port, name, timeout=timeout)

    def _reported(self, error: Exception) -> str:
        log.error("%s port %d: cannot send: %s", self._host, self.port, words(error))
        return words(error)


def _in_one_session(session: SmtpSession, waiting: deque[OutgoingMail]) -> Iterator[Attempt]:
    for _ in range(min(LETTERS_A_SESSION, len(waiting))):
        if session.broken:
            return
        yield session.offer(waiting.popleft())
