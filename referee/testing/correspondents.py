"""People who write to a referee in a test: they compose, reply, quote and keep their mail."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from functools import cached_property

MAIL_SERVER = "mx.referee.example"
"""The mail server before a referee in a test, whose results the referee trusts."""
_PARSER = BytesParser(policy=SMTP)
_HEADS = BytesHeaderParser()
_SEALED = re.compile(r"^YOUR (?:ORDERS|SHEET) FOR TURN .* (\([a-z]{8}\))$", re.MULTILINE)
_NOT_DONE = re.compile(r"^NOT DONE \(\d+\)\n(.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
_SIGNS = re.compile(rb"^(?:JOIN|PLAY|CREATE|GM)\b|\+[a-z]-[a-z2-7]{40}@", re.MULTILINE)
_SENDER = re.compile(rb"^From: [^\r\n]*@([a-zA-Z0-9.-]+)>?\r?$", re.MULTILINE)
_SIGNED = (
    "Authentication-Results: {server}; dkim=pass header.d={domain} header.s=mail\n"
    " header.b=AAAAAAAA\n"
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d={domain}; s=mail;\n"
    " h=from:to:cc:subject:date:message-id:in-reply-to:references:mime-version:content-type:\n"
    " content-transfer-encoding; bh=AAAA; b=AAAAAAAAAAAA\n"
)
_WIDTH = 78
_KEPT = ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References")


class _AsGiven(EmailPolicy):
    """A policy for a letter that is written: only what must be encoded or folded is parsed."""

    def header_store_parse(self, name: str, value: str) -> tuple[str, str]:
        """Return a header as it is stored in the letter."""
        is_short = len(name) + len(value) < _WIDTH
        plain = value.isascii() and value.isprintable() and is_short
        return (name, value) if plain else super().header_store_parse(name, value)

    def header_fetch_parse(self, name: str, value: str) -> str:
        """Return a header as it is stored."""
        return value


_POLICY = _AsGiven(linesep="\r\n")


@dataclass(frozen=True)
class Received:
    """A letter as the recipient's mail program shows it: plain text, and perhaps files.

    It is parsed when it is first used, and each header when that one is.
    """

    raw: bytes

    @cached_property
    def _message(self) -> EmailMessage:
        return _PARSER.parsebytes(self.raw)

    @cached_property
    def _head(self) -> Message:
        return _HEADS.parsebytes(self.raw)

    @cached_property
    def subject(self) -> str:
        """The whole subject."""
        return str(make_header(decode_header(self._field("Subject"))))

    @property
    def message_id(self) -> str:
        """The Message-ID, with its angle brackets."""
        return self._field("Message-ID")

    @property
    def reply_to(self) -> str:
        """The address to which a reply goes."""
        return _bare(self._field("Reply-To"))

    @property
    def recipient(self) -> str:
        """The address to which the letter was sent."""
        return _bare(self._field("To"))

    def _field(self, name: str) -> str:
        """Return a header as it was written, in one line."""
        return " ".join(str(self._head.get(name, "")).split())

    @cached_property
    def text(self) -> str:
        """The plain text."""
        body = self._message.get_body(("plain",))
        return body.get_content().replace("\r\n", "\n") if body is not None else ""

    @property
    def whole_text(self) -> str:
        """The plain text, and that of the text files attached to it."""
        files = self._message.iter_attachments()
        pages = [part.get_content() for part in files if part.get_content_type() == "text/plain"]
        return "\n".join((self.text, *pages))

    @property
    def seal(self) -> str:
        """The seal of its order sheet, with its parentheses, or ""."""
        found = _SEALED.search(self.text)
        return found[1] if found is not None else ""

    @property
    def refusal(self) -> str:
        """The first line of the recipient that was not done, and the reason, or ""."""
        found = _NOT_DONE.search(self.text)
        return found[1] if found is not None else ""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers that mail programs show or use."""
        message = self._message
        return {name: str(message[name]) for name in _KEPT if message[name] is not None}

    @property
    def shown(self) -> str:
        """The letter as an author of a game wants to see it: subject, attachments and text."""
        attached = f"Attachments: {', '.join(self.files)}\n" if self.files else ""
        return f"Subject: {self.subject}\n{attached}\n{self.text}"

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the attachments, and of pictures in the HTML."""
        return tuple(name for name, _ in self.attached())

    def attached(self) -> Sequence[tuple[str, bytes]]:
        """Return the attachments, and then the pictures in the HTML, by name."""
        named = [part for part in self._message.walk() if part.get_filename()]
        named.sort(key=lambda part: part.get_content_disposition() != "attachment")
        return [(str(part.get_filename()), bytes(part.get_payload(decode=True))) for part in named]


@dataclass(slots=True)
class Correspondent:
    """A person with an address, the number of letters they wrote, and the letters they got."""

    address: str
    got: list[Received] = field(default_factory=list)
    wrote: int = 0

    def letter(
        self, to: str, subject: str, body: str, at: datetime, headers: Mapping[str, str]
    ) -> bytes:
        """Return a plain letter of theirs; *headers* replace or add to the usual ones.

        With a Content-Type among them, the body is taken as it is, with its parts.
        """
        self.wrote += 1
        message = EmailMessage(policy=_POLICY)
        usual = {
            "From": self.address,
            "To": to,
            "Subject": subject,
            "Date": format_datetime(at),
            "Message-ID": f"<{self.wrote}.{self.address}>",
        }
        for name, value in {**usual, **headers}.items():
            message[name] = value
        if "Content-Type" in headers:
            message.set_payload(body)
        else:
            message.set_content(body)
        return message.as_bytes()

    def reply(self, to: Received, body: str, at: datetime, headers: Mapping[str, str]) -> bytes:
        """Return a reply as mail programs write it, in the thread of the letter it answers."""
        subject = to.subject if to.subject.lower().startswith("re:") else f"Re: {to.subject}"
        thread = {"In-Reply-To": to.message_id, "References": to.message_id}
        return self.letter(to.reply_to, subject, body, at, {**thread, **headers})

    def report(self, to: str, fields: str, at: datetime) -> bytes:
        """Return a delivery report as mail servers write it (RFC 3464), around *fields*."""
        plain = self.letter(to, "Undelivered Mail Returned to Sender", "Sorry.", at, {})
        head, _, _ = plain.partition(b"Content-Type:")
        kind = 'multipart/report; report-type=delivery-status; boundary="=="'
        notes = fields.strip().replace("\n", "\r\n")
        body = (
            f"Content-Type: {kind}\r\n\r\n--==\r\n\r\nIt could not be delivered.\r\n--==\r\n"
            f"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; here\r\n\r\n"
            f"{notes}\r\n--==--\r\n"
        )
        return head + body.encode()


def signed(raw: bytes) -> bytes:
    """Return a reply, or a letter with JOIN, PLAY, CREATE or GM, as ``proven`` does."""
    return proven(raw) if _SIGNS.search(raw) is not None else raw


def proven(raw: bytes) -> bytes:
    """Return a letter as a referee behind MAIL_SERVER gets it from a provider that signs.

    The provider of its sender has signed it, and the server says that the signature is good.
    A letter that has results already, or several senders, is unchanged.
    """
    end = b"\r\n" if b"\r\n" in raw else b"\n"
    head = raw.partition(end + end)[0] + end
    senders = _SENDER.findall(head)
    if len(senders) != 1 or b"Authentication-Results" in head:
        return raw
    added = _SIGNED.format(server=MAIL_SERVER, domain=senders[0].decode())
    return added.encode().replace(b"\n", end) + raw


def _bare(address: str) -> str:
    return re.sub(r"^.*<|>$", "", address)


def quoted(letter: Received, at: datetime) -> str:
    """Return the whole letter as it is quoted below a reply."""
    lines = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
    return f"\n\nOn {at:%a, %d %b %Y at %H:%M}, Referee wrote:\n{lines}\n"
