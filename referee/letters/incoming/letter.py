"""A letter as the referee sees it once its bytes are decoded."""

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
    """Something that came with the letter; *read* says whether it counts as part of the text."""

    name: str
    kind: str
    size: int
    read: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something of the letter that could not be read, and in one sentence why and what to do."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter says, whoever sent it and however it was packed.

    *senders* are all mailboxes of From; a believable letter has one. *recipients* are plain
    addresses, of the envelope too where a server noted them. *references* are the Message-IDs this
    letter answers, nearest first, without brackets. *headers* are the first fields of each name.
    *text* is the whole text with LF line ends, quotes and signature included.
    """

    message_id: str
    subject: str
    senders: tuple[MailAddress, ...]
    reply_to: tuple[MailAddress, ...]
    recipients: tuple[str, ...]
    references: tuple[str, ...]
    headers: Mapping[str, Field]
    text: str
    attachments: tuple[Attachment, ...]
    refused: tuple[Unreadable, ...]

    def header(self, name: str) -> str:
        """Return the first field called *name*, in any case; empty when there is none."""
        found = self.headers.get(name.lower())
        return decode_words(found.value) if found is not None else ""
