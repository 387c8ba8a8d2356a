"""A decoded letter."""

from collections.abc import Mapping
from dataclasses import dataclass

from referee.letters.incoming.headers import Field, decode_words


@dataclass(frozen=True, slots=True)
class MailAddress:
    """A name and an address; the address is lower case with its domain in ASCII."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment of the letter; *read* means that its content is part of the text.

    One that is *embedded* is shown inside the text, as a logo in a signature is.
    """

    name: str
    kind: str
    size: int
    read: bool = False
    embedded: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of the letter that could not be read, with one sentence on why and what to do."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Letter:
    """The content of a letter, whatever its sender and packaging.

    *senders* are all mailboxes of From; a letter that can be verified has one. *recipients* are
    plain addresses, first that of the envelope if it is known. *references* are the
    Message-IDs that the letter answers, nearest first, without brackets. *headers* are the first
    fields of each name. *text* is the whole text with LF line ends, quotes and signature included.
    """

    message_id: str
    subject: str
    senders: tuple[MailAddress, ...]
    recipients: tuple[str, ...]
    references: tuple[str, ...]
    headers: Mapping[str, Field]
    text: str
    attachments: tuple[Attachment, ...]
    refused: tuple[Unreadable, ...]

    def header(self, name: str) -> str:
        """Return the first field called *name*, in any case, or ""."""
        found = self.headers.get(name.lower())
        return decode_words(found.value) if found is not None else ""
