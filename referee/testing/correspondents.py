"""People who write to a referee in a test: they compose, reply, quote and keep what they get."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from email.utils import format_datetime

_PARSER = BytesParser(policy=SMTP)
_KEPT = ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References")


@dataclass(frozen=True, slots=True)
class Received:
    """A letter somebody got, as his mail program shows it."""

    subject: str
    message_id: str
    reply_to: str
    recipient: str
    text: str
    headers: Mapping[str, str]
    files: tuple[str, ...] = ()
    """The names of what is attached."""

    @classmethod
    def of(cls, raw: bytes) -> "Received":
        """Read a letter of ours: plain text, and perhaps files."""
        message = _PARSER.parsebytes(raw)
        body = message.get_body(("plain",))
        return cls(
            subject=str(message["Subject"]),
            message_id=str(message["Message-ID"]),
            reply_to=_bare(str(message["Reply-To"])),
            recipient=_bare(str(message["To"])),
            text=body.get_content().replace("\r\n", "\n") if body is not None else "",
            headers={name: str(message[name]) for name in _KEPT if message[name] is not None},
            files=tuple(part.get_filename("") for part in message.iter_attachments()),
        )


@dataclass(slots=True)
class Correspondent:
    """Somebody with an address, a count of the letters he wrote, and those he got."""

    address: str
    got: list[Received] = field(default_factory=list)
    wrote: int = 0

    def letter(
        self, to: str, subject: str, body: str, at: datetime, headers: Mapping[str, str]
    ) -> bytes:
        """Give a plain letter of his; *headers* replace or add to the usual ones."""
        self.wrote += 1
        message = EmailMessage(policy=SMTP)
        usual = {
            "From": self.address,
            "To": to,
            "Subject": subject,
            "Date": format_datetime(at),
            "Message-ID": f"<{self.wrote}.{self.address}>",
        }
        for name, value in {**usual, **headers}.items():
            message[name] = value
        message.set_content(body)
        return message.as_bytes()

    def reply(self, to: Received, body: str, at: datetime, headers: Mapping[str, str]) -> bytes:
        """Give a reply as mail programs write it, in the thread of the letter it answers."""
        subject = to.subject if to.subject.lower().startswith("re:") else f"Re: {to.subject}"
        thread = {"In-Reply-To": to.message_id, "References": to.message_id}
        return self.letter(to.reply_to, subject, body, at, {**thread, **headers})

    def report(self, to: str, fields: str, at: datetime) -> bytes:
        """Give a delivery report as mail servers write it (RFC 3464), *fields* in its middle."""
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


def _bare(address: str) -> str:
    return re.sub(r"^.*<|>$", "", address)


def quoted(letter: Received, at: datetime) -> str:
    """Give the whole letter as it is quoted below a reply."""
    lines = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
    return f"\n\nOn {at:%a, %d %b %Y at %H:%M}, Referee wrote:\n{lines}\n"
