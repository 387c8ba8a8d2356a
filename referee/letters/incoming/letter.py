"""A decoded letter."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from referee.letters.incoming.headers import Field, decode_words, unquoted


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


_MAILBOXES: Final = 200
_ADDRESS: Final = 320

_PIECE: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?|<[^<>]*>?|[^"(<,;:]+|.')
_FORBIDDEN: Final = re.compile(r"[ <>()\[\],;:\\]")


def mailboxes(value: str) -> tuple[MailAddress, ...]:
    """Return the addresses in a list; invalid ones are left out.

    Encoded words are decoded only in names: an address hidden in one is not an address.
    """
    found: list[MailAddress] = []
    for display, angles in _entries(value):
        addresses = angles or ([display] if "@" in display else [])
        name = "" if not angles else decode_words(display.replace('"', ""))
        found += [
            MailAddress(name, address) for a in addresses if (address := canonical_address(a)) != ""
        ]
        if len(found) >= _MAILBOXES:
            break
    return tuple(found[:_MAILBOXES])


def _entries(value: str) -> Iterator[tuple[str, list[str]]]:
    """Split an address list at its commas: the text outside, and each text inside brackets."""
    outside: list[str] = []
    angles: list[str] = []
    for piece in _PIECE.findall(value):
        if piece in (",", ";"):
            yield "".join(outside).strip(), angles
            outside, angles = [], []
        elif piece == ":":
            outside = []
        elif piece.startswith("<"):
            angles.append(piece[1:].removesuffix(">"))
        elif piece.startswith('"'):
            outside.append(f'"{unquoted(piece)}"')
        elif not piece.startswith("("):
            outside.append(piece)
    yield "".join(outside).strip(), angles


def canonical_address(text: str) -> str:
    """Return the canonical spelling of an address, or "" if *text* is not an address.

    Lower case, with the domain in ASCII, so that one mailbox is always the same string.
    """
    address = unicodedata.normalize("NFC", text.strip()).lower()
    local, at, domain = address.rpartition("@")
    if not (local and at and domain) or len(address) > _ADDRESS:
        return ""
    if not address.isprintable() or _FORBIDDEN.search(address):
        return ""
    if not domain.isascii():
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            return ""
    # A quoted local part could smuggle a second address past a reader.
    return "" if "@" in local or '"' in local else f"{local}@{domain}"
