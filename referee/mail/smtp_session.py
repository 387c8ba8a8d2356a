"""An open SMTP session, which sends letters one by one and returns each result."""

import re
import smtplib
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail

_GOODBYE_SECONDS: Final = 5.0
_UNFIT: Final = re.compile(r"[\x00-\x20<>\x7f]")
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_LINE_DOT: Final = re.compile(rb"^\.", re.MULTILINE)
_WORDS: Final = 300

_START_INPUT: Final = 354
_CLOSING: Final = 421
_TOO_BIG: Final = 552


class _Refusal(Exception):
    """The server, or SMTP itself, does not accept a letter."""

    def __init__(self, delivery: Delivery, reason: str) -> None:
        super().__init__(reason)
        self.delivery = delivery
        self.reason = reason


@dataclass(frozen=True, slots=True)
class _Answer:
    """The server's answer to a command."""

    code: int
    words: bytes

    @property
    def is_good(self) -> bool:
        """Return whether the command succeeded."""
        return 200 <= self.code < 300


class SmtpSession:
    """The letters of one connection; once it is ``broken``, it takes no more."""

    def __init__(self, client: smtplib.SMTP) -> None:
        self._client = client
        self.broken = False

    def offer(self, dispatch: OutgoingMail) -> Attempt:
        """Try one letter. Errors are not raised; a lost connection is DEFERRED.

        If the connection is lost after the last byte, the result is unknown: the letter is deferred
        and sent again with the same Message-ID.
        """
        try:
            self._transfer(dispatch)
        except _Refusal as refusal:
            self._forget()
            return Attempt(dispatch, refusal.delivery, refusal.reason)
        except (smtplib.SMTPException, OSError) as error:
            self._break()
            return Attempt(dispatch, Delivery.DEFERRED, words(error))
        return Attempt(dispatch, Delivery.SENT)

    def try_envelope(self, sender: str, recipient: str) -> str:
        """Offer an envelope, and withdraw it; return the command refused and the answer, or ""."""
        for command in (f"MAIL FROM:<{sender}>", f"RCPT TO:<{recipient}>"):
            try:
                _demand(self._command(command))
            except _Refusal as refusal:
                return f"{command.partition(':')[0]}: {refusal.reason}"
            except (smtplib.SMTPException, OSError) as error:
                return f"{command.partition(':')[0]}: {words(error)}"
        self._forget()
        return ""

    def close(self) -> None:
        """Send QUIT, and disconnect if the answer takes more than a few seconds."""
        if self._client.sock is not None:
            self._client.sock.settimeout(_GOODBYE_SECONDS)
            with suppress(smtplib.SMTPException, OSError):
                self._client.quit()
        self._client.close()

    def _transfer(self, dispatch: OutgoingMail) -> None:
        raw = _LINE_END.sub(b"\r\n", dispatch.raw)
        sender, recipient = self._written(dispatch.sender), self._written(dispatch.recipient)
        if not recipient:
            raise _Refusal(Delivery.REJECTED, "the email has no recipient")
        options = self._options(sender + recipient, raw)
        mail = " ".join((f"MAIL FROM:<{sender}>", *options))
        self._announce(mail, f"RCPT TO:<{recipient}>")
        _demand(self._write(raw if raw.endswith(b"\r\n") else raw + b"\r\n"))

    def _announce(self, mail: str, rcpt: str) -> None:
        """Send the envelope and DATA. Raises _Refusal if the server rejects any of it."""
        if self._client.has_extn("pipelining"):
            self._announce_at_once(mail, rcpt)
            return
        _demand_sender(self._command(mail))
        _demand(self._command(rcpt))
        _demand(self._command("DATA"), _START_INPUT)

    def _announce_at_once(self, mail: str, rcpt: str) -> None:
        """Send all commands before reading the first answer (RFC 2920)."""
        self._client.send(f"{mail}\r\n{rcpt}\r\nDATA\r\n".encode())
        of_mail, of_rcpt, go_ahead = self._read_answer(), self._read_answer(), self._read_answer()
        if go_ahead.code == _START_INPUT and not (of_mail.is_good and of_rcpt.is_good):
            # The server waits for a letter without recipients, so send an empty one.
            self._write(b"")
        _demand_sender(of_mail)
        _demand(of_rcpt)
        _demand(go_ahead, _START_INPUT)

    def _command(self, command: str) -> _Answer:
        self._client.send(f"{command}\r\n".encode())
        return self._read_answer()

    def _write(self, letter: bytes) -> _Answer:
        """Write the letter and the final dot; return the server's answer."""
        self._client.send(_LINE_DOT.sub(b"..", letter) + b".\r\n")
        return self._read_answer()

    def _read_answer(self) -> _Answer:
        """Return the next answer. Raises SMTPResponseException if the server closes the session."""
        code, words = self._client.getreply()
        if code in (_CLOSING, -1):
            raise smtplib.SMTPResponseException(code, words)
        return _Answer(code, words)

    def _written(self, address: str) -> str:
        """Return an address in the form this server accepts, if needed with a domain in ASCII."""
        if _UNFIT.search(address):
            raise _Refusal(Delivery.REJECTED, "the address is not valid in SMTP")
        if address.isascii() or self._client.has_extn("smtputf8"):
            return address
        local, _, domain = address.rpartition("@")
        try:
            written = f"{local}@{domain.encode('idna').decode()}"
        except UnicodeError:
            written = address
        if written.isascii():
            return written
        raise _Refusal(
            Delivery.REJECTED, "the mail server does not support international addresses"
        )

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
        """Reset the session for the next letter."""
        try:
            self._client.rset()
        except (smtplib.SMTPException, OSError):
            self._break()

    def _break(self) -> None:
        self.broken = True
        self._client.close()


def words(error: BaseException) -> str:
    """Return the other side's error message in one line of limited length."""
    if isinstance(error, smtplib.SMTPResponseException):
        return _line(error.smtp_code, _bytes(error.smtp_error))
    if isinstance(error, UnicodeError):
        # Its own message would show a character of the password.
        return "user name or password has characters that SMTP does not support"
    return " ".join(str(error).split())[:_WORDS] or type(error).__name__


def _demand_sender(answer: _Answer) -> None:
    """Accept a good answer to MAIL. Raises _Refusal for others."""
    # Our own address or login is rejected here, which is not the recipient's fault.
    final = Delivery.REJECTED if answer.code == _TOO_BIG else Delivery.DEFERRED
    _demand(answer, if_final=final)


def _demand(
    answer: _Answer, wanted: int | None = None, *, if_final: Delivery = Delivery.REJECTED
) -> None:
    """Accept a 2xx, or only *wanted*. Raises _Refusal for others, for a 5xx with *if_final*."""
    if answer.code == wanted or (wanted is None and answer.is_good):
        return
    delivery = if_final if answer.code >= 500 else Delivery.DEFERRED
    raise _Refusal(delivery, _line(answer.code, answer.words))


def _line(code: int, answer: bytes) -> str:
    return " ".join(f"{code} {answer.decode(errors='replace')}".split())[:_WORDS]


def _bytes(text: bytes | str) -> bytes:
    return text.encode() if isinstance(text, str) else text
