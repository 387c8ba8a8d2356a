"""Address lists: the people named in a field, each address in one canonical spelling."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from referee.letters.incoming.headers import decode_words, unquoted
from referee.letters.incoming.letter import MailAddress

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
