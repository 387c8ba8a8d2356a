"""A letter with signatures: what its header says, and what a signature of it covers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from referee.letters.incoming import headers
from referee.letters.incoming.headers import Field
from referee.letters.incoming.letter import mailboxes

Tags = Mapping[str, str]
"""The tags of a signature or of a record by name, such as ``d`` and ``h``."""

_HEAD: Final = 64_000
"""Of a longer header the end is not read, so it could say anything."""
_FIELD: Final = 6_000
_SIGNED_ALWAYS: Final = ("from", "subject", "date", "message-id")
_SIGNED_IF_PRESENT: Final = ("to", "cc")
_CONTENT: Final = ("content-type", "content-transfer-encoding", "content-disposition")
_BLANKS: Final = re.compile(rb"[ \t\r\n]{80}")
_TAG: Final = re.compile(r"\s*([A-Za-z]\w{0,20})\s*=([^;]*)")


@dataclass(frozen=True, slots=True)
class SignedLetter:
    """A letter to check: parsed by us, with one From that has one address.

    *sender* is the address in the From. *recipients* are the addresses in To and Cc. *dated* is the
    time in its Date, or None.
    """

    raw: bytes
    fields: tuple[Field, ...]
    body: bytes
    sender: str
    recipients: tuple[str, ...]
    dated: datetime | None

    @classmethod
    def read(cls, raw: bytes) -> "SignedLetter | None":
        """Return the parsed letter, or None if it is not worth checking."""
        fields, body = headers.split_head(with_lf(raw))
        names = [each.name for each in fields]
        head = len(raw) - len(body)
        # A header of megabytes, or endless blanks, is an attack on the checker's time.
        if head > _HEAD or _BLANKS.search(raw, 0, head) or names.count("from") != 1:
            return None
        senders = mailboxes(headers.first(fields, "from"))
        if len(senders) != 1 or any(len(each.value) > _FIELD for each in fields if _marks(each)):
            return None
        to = tuple(m.address for v in headers.every(fields, "to", "cc") for m in mailboxes(v))
        dated = _moment(headers.first(fields, "date"))
        return cls(raw, fields, body, senders[0].address, to, dated)

    @property
    def domain(self) -> str:
        """The domain of the From."""
        return self.sender.rpartition("@")[2]

    @property
    def has_message_id(self) -> bool:
        """Whether a copy can be recognised by the letter's Message-ID."""
        return bool(headers.message_ids(headers.first(self.fields, "message-id")))

    def every(self, name: str) -> list[str]:
        """Return the values of all fields with that name, topmost first."""
        return list(headers.every(self.fields, name))

    def is_to(self, address: str) -> bool:
        """Return whether it was written to *address*, with or without a plus part."""
        local, _, domain = address.lower().partition("@")
        parts = [each.rpartition("@") for each in self.recipients]
        return any(d == domain and name.partition("+")[0] == local for name, _, d in parts)

    def is_covered(self, tags: Tags) -> bool:
        """Return whether a signature covers who wrote the letter when to whom, and the whole text.

        Each such field must occur once: a signature covers only the lowest ones of a name. One that
        says that another user of the domain wrote the letter does not cover its From.
        """
        user, sender = (each.rpartition("@")[0] for each in (tags.get("i", ""), self.sender))
        if user.lower() not in ("", sender, sender.partition("+")[0]):
            return False
        if "l" in tags or tags.get("a", "").lower() != "rsa-sha256":
            return False
        signed = names_in(tags)
        present = [name for name in _SIGNED_IF_PRESENT if self.every(name)]
        needed = (*_SIGNED_ALWAYS, *present)
        return all(name in signed and len(self.every(name)) <= 1 for name in needed)

    def content_left_open(self, tags: Tags) -> frozenset[str]:
        """Return the fields that say how the text is encoded and that a signature leaves open.

        The type and the encoding are among them if they are missing, as somebody may have removed
        them.
        """
        signed = names_in(tags)
        counts = {name: len(self.every(name)) for name in _CONTENT}
        optional = {"content-disposition"} if not counts["content-disposition"] else frozenset()
        return frozenset(n for n in _CONTENT if n not in signed or counts[n] > 1) - optional


def tags_of(value: str) -> Tags:
    """Return the tags of ``v=DKIM1; p=...``; a tag that occurs twice gets an empty value."""
    found: dict[str, str] = {}
    for part in value.split(";"):
        if (tag := _TAG.fullmatch(part)) is not None:
            found[tag[1]] = "" if tag[1] in found else tag[2].strip()
    return found


def names_in(tags: Tags) -> frozenset[str]:
    """Return the names of the fields that a signature covers, in lower case."""
    return frozenset(name.strip().lower() for name in tags.get("h", "").split(":"))


def with_lf(raw: bytes) -> bytes:
    """Return the bytes with LF line ends."""
    return raw.replace(b"\r\n", b"\n")


def _marks(each: Field) -> bool:
    return each.name.startswith(("dkim-", "arc-", "authentication-"))


def _moment(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        return None
