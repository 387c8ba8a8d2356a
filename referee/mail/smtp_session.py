"""One SMTP session that is already open: letter by letter, with a verdict on each."""

import re
import smtplib
from contextlib import suppress
from typing import Final

from referee.domain.post import Attempt, Delivery, Dispatch

_GOODBYE_SECONDS: Final = 5.0
_UNFIT: Final = re.compile(r"[\x00-\x20<>\x7f]")
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_WORDS: Final = 300

_CLOSING: Final = 421
_TOO_BIG: Final = 552


class _Refusal(Exception):
    """The server, or SMTP itself, does not take a letter."""

    def __init__(self, delivery: Delivery, reason: str) -> None:
        super().__init__(reason)
        self.delivery = delivery
        self.reason = reason


class SmtpSession:
    """The letters of one connection; once it is ``broken`` it takes no more."""

    def __init__(self, client: smtplib.SMTP) -> None:
        self._client = client
        self.broken = False

    def offer(self, dispatch: Dispatch) -> Attempt:
        """Try one letter. The server's troubles are not raised; a lost connection is a DEFERRED.

        When the line falls silent after the last octet nobody knows whether the letter was taken:
        it is put off, and goes again with the same Message-ID.
        """
        try:
            self._hand_over(dispatch)
        except _Refusal as refusal:
            self._forget()
            return Attempt(dispatch, refusal.delivery, refusal.reason)
        except (smtplib.SMTPException, OSError) as error:
            self._break()
            return Attempt(dispatch, Delivery.DEFERRED, words(error))
        return Attempt(dispatch, Delivery.SENT)

    def close(self) -> None:
        """Say goodbye, and hang up when that takes more than a few seconds."""
        if self._client.sock is not None:
            self._client.sock.settimeout(_GOODBYE_SECONDS)
            with suppress(smtplib.SMTPException, OSError):
                self._client.quit()
        self._client.close()

    def _hand_over(self, dispatch: Dispatch) -> None:
        raw = _LINE_END.sub(b"\r\n", dispatch.raw)
        sender, recipient = self._written(dispatch.sender), self._written(dispatch.recipient)
        if not recipient:
            raise _Refusal(Delivery.REJECTED, "the letter has no recipient")
        code, answer = self._client.mail(sender, self._options(sender + recipient, raw))
        # Our own address or login is refused here: no fault of the recipient's.
        _demand(code, answer, Delivery.REJECTED if code == _TOO_BIG else Delivery.DEFERRED)
        _demand(*self._client.rcpt(recipient), Delivery.REJECTED)
        try:
            code, answer = self._client.data(raw)
        except smtplib.SMTPDataError as refused:
            code, answer = refused.smtp_code, _bytes(refused.smtp_error)
        _demand(code, answer, Delivery.REJECTED)

    def _written(self, address: str) -> str:
        """Give an address as this server can be told it; an IDN domain in ASCII where needed."""
        if _UNFIT.search(address):
            raise _Refusal(Delivery.REJECTED, "the address cannot be written in SMTP")
        if address.isascii() or self._client.has_extn("smtputf8"):
            return address
        local, _, domain = address.rpartition("@")
        try:
            written = f"{local}@{domain.encode('idna').decode()}"
        except UnicodeError:
            written = address
        if written.isascii():
            return written
        raise _Refusal(Delivery.REJECTED, "the mail server takes no international addresses")

    def _options(self, addresses: str, raw: bytes) -> list[str]:
        options = []
        if self._client.has_extn("size"):
            options.append(f"SIZE={len(raw)}")
        if not addresses.isascii():
            options.append("SMTPUTF8")
        if not raw.isascii() and self._client.has_extn("8bitmime"):
            options.append("BODY=8BITMIME")
        return options

    def _forget(self) -> None:
        """Bring the session back to its beginning, for the next letter."""
        try:
            self._client.rset()
        except (smtplib.SMTPException, OSError):
            self._break()

    def _break(self) -> None:
        self.broken = True
        self._client.close()


def words(error: BaseException) -> str:
    """Give the other side's words for an error, in one line of bounded length."""
    if isinstance(error, smtplib.SMTPResponseException):
        return _line(error.smtp_code, _bytes(error.smtp_error))
    if isinstance(error, UnicodeError):
        # Its own words would show a letter of the password.
        return "user name or password have letters that an SMTP login cannot carry"
    return " ".join(str(error).split())[:_WORDS] or type(error).__name__


def _demand(code: int, answer: bytes, if_final: Delivery) -> None:
    """Pass a 2xx. Raises _Refusal for 4xx and, as *if_final*, 5xx; 421 ends the session."""
    if code in (_CLOSING, -1):
        raise smtplib.SMTPResponseException(code, answer)
    if 200 <= code < 300:
        return
    raise _Refusal(if_final if code >= 500 else Delivery.DEFERRED, _line(code, answer))


def _line(code: int, answer: bytes) -> str:
    return " ".join(f"{code} {answer.decode(errors='replace')}".split())[:_WORDS]


def _bytes(text: bytes | str) -> bytes:
    return text.encode() if isinstance(text, str) else text
