"""Header fields of letters and their parts, read with caps and without ever raising."""

import binascii
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_to_bytes

from referee.letters.charsets import text_of
from referee.letters.letter import Mailbox

_FIELD_OCTETS: Final = 8_000
_BLOCK_OCTETS: Final = 64_000
_VALUE: Final = 2_000
_MAILBOXES: Final = 200
_ADDRESS: Final = 320
_MESSAGE_ID: Final = 300
_REFERENCES: Final = 60

_FIELD: Final = re.compile(rb"([!-9;-~]{1,80})[ \t]*:")
_WORD: Final = re.compile(r"=\?([^?\s]{1,60})\?([BbQq])\?([^?]*)\?=")
_WORDS: Final = re.compile(_WORD.pattern + r"(?:\s+(?==\?[^?\s]{1,60}\?[BbQq]\?[^?]*\?=))?")
_PARAMETER: Final = re.compile(
    r""";\s*([\w!#$%&'*+.^`|~-]{1,60})\s*=\s*("(?:[^"\\]|\\.)*"?|[^;\s]*)""", re.DOTALL
)
_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]")


@dataclass(frozen=True, slots=True)
class Field:
    """A header field, unfolded, its encoded words not yet decoded."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Parameters:
    """A structured field: its value in lower case, and its parameters by lower-case name."""

    value: str
    by_name: Mapping[str, str]

    def get(self, name: str) -> str:
        """Give a parameter, empty when it is missing."""
        return self.by_name.get(name, "")


def split_head(raw: bytes) -> tuple[tuple[Field, ...], bytes]:
    """Part the header block from what follows; long fields and long blocks are cut.

    Lines end in LF. Without a header the whole of *raw* is the body.
    """
    chunks: list[bytearray] = []
    start, kept = 0, 0
    while start < len(raw):
        end = raw.find(b"\n", start)
        end = len(raw) if end < 0 else end
        line = raw[start : min(end, start + _FIELD_OCTETS)]
        if line == b"":
            start = end + 1
            break
        if _FIELD.match(line):
            chunks.append(bytearray())
        elif not (line[:1] in b" \t" and chunks) and not _is_stray(raw, line, end, bool(chunks)):
            break
        if chunks and kept < _BLOCK_OCTETS and len(chunks[-1]) < _FIELD_OCTETS:
            chunks[-1] += line
            kept += len(line)
        start = end + 1
    return tuple(_fields(chunks)), raw[start:]


def _is_stray(raw: bytes, line: bytes, end: int, within: bool) -> bool:
    """Say whether *line* is no field but still stands in the header: mbox's, or a broken one."""
    if not within:
        return line.startswith((b"From ", b">From "))
    return _FIELD.match(raw, end + 1, end + 200) is not None


def _fields(chunks: list[bytearray]) -> Iterator[Field]:
    for chunk in chunks:
        name, _, value = bytes(chunk).partition(b":")
        if value or name:
            text = text_of(value, "").replace("\n", " ").replace("\t", " ")
            yield Field(name.decode("ascii", "replace").strip(), text.strip())


def first(fields: tuple[Field, ...], name: str) -> str:
    """Give the value of the first field called *name*, empty when there is none."""
    return next((f.value for f in fields if f.name.lower() == name), "")


def every(fields: tuple[Field, ...], *names: str) -> Iterator[str]:
    """Give the values of all fields with one of *names*, in the sequence of *names*."""
    for name in names:
        yield from (f.value for f in fields if f.name.lower() == name)


def decode_words(value: str) -> str:
    """Decode the encoded words of *value* into one line of at most 2,000 characters."""
    value = value[: 4 * _VALUE]
    parts: list[str] = []
    place, pending, charset = 0, b"", ""
    for word in _WORDS.finditer(value):
        name = word[1].partition("*")[0].lower()
        # A character may be split between two words of one charset.
        if pending and (word.start() > place or name != charset):
            parts.append(text_of(pending, charset))
            pending = b""
        parts.append(value[place : word.start()])
        pending, charset = pending + _word_octets(word), name
        place = word.end()
    if pending:
        parts.append(text_of(pending, charset))
    parts.append(value[place:])
    return " ".join("".join(parts).split())[:_VALUE]


def _word_octets(word: re.Match[str]) -> bytes:
    text = word[3].encode("utf-8", "replace")
    if word[2] in "Qq":
        return binascii.a2b_qp(text, header=True)
    return base64_octets(text)


def base64_octets(text: bytes) -> bytes:
    """Decode base64 whatever stands between its letters and wherever it breaks off."""
    letters = _NOT_BASE64.sub(b"", text)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def parameters(value: str) -> Parameters:
    """Read ``value; name=text; name*=utf-8''text``; broken parameters are left out."""
    value = value[:_FIELD_OCTETS]
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(value):
        name, text = match[1].lower(), match[2]
        if text.startswith('"'):
            text = re.sub(r"\\(.)", r"\1", text.strip('"'))
        stem, star, rest = name.partition("*")
        if star and (rest in ("", "*") or rest.endswith("*") or "''" in text):
            text = _extended(text)
        if star:
            found[stem] = found.get(stem, "") + text
        else:
            found.setdefault(stem, text)
    return Parameters(value.partition(";")[0].strip().lower(), found)


def _extended(text: str) -> str:
    head, quote, rest = text.partition("'")
    _, second, body = rest.partition("'")
    charset, body = (head, body) if quote and second else ("", text)
    return text_of(unquote_to_bytes(body), charset)


def message_ids(value: str) -> tuple[str, ...]:
    """Give the Message-IDs in *value* without brackets; monstrous ones are left out."""
    found = re.findall(r"<([^<>\s]+)>", value) or [w for w in value.split() if "@" in w]
    return tuple(i.strip("<>") for i in found[-_REFERENCES:] if len(i) <= _MESSAGE_ID)


def mailboxes(value: str) -> tuple[Mailbox, ...]:
    """Read an address list; what is no address is left out.

    Encoded words are decoded only in names: an address hidden in one is not an address.
    """
    found: list[Mailbox] = []
    for display, angles in _entries(value):
        addresses = angles or ([display] if "@" in display else [])
        name = "" if not angles else decode_words(display.replace('"', ""))
        found += [
            Mailbox(name, address) for a in addresses if (address := canonical_address(a)) != ""
        ]
        if len(found) >= _MAILBOXES:
            break
    return tuple(found[:_MAILBOXES])


def _entries(value: str) -> Iterator[tuple[str, list[str]]]:
    """Cut an address list at its commas: the text outside and each text inside brackets."""
    outside: list[str] = []
    angles: list[str] = []
    for piece in re.findall(
        r'"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?|<[^<>]*>?|[^"(<,;:]|.', value
    ):
        if piece in (",", ";"):
            yield "".join(outside).strip(), angles
            outside, angles = [], []
        elif piece == ":":
            outside = []
        elif piece.startswith("<"):
            angles.append(piece[1:].removesuffix(">"))
        elif piece.startswith('"'):
            outside.append('"' + re.sub(r"\\(.)", r"\1", piece.strip('"')) + '"')
        elif not piece.startswith("("):
            outside.append(piece)
    yield "".join(outside).strip(), angles


def canonical_address(text: str) -> str:
    """Give the one spelling of an address, empty when *text* is none.

    Lower case, the domain in ASCII, so that one mailbox is one string.
    """
    address = unicodedata.normalize("NFC", text.strip()).lower()
    local, at, domain = address.rpartition("@")
    if not (local and at and domain) or len(address) > _ADDRESS:
        return ""
    if any(c.isspace() or unicodedata.category(c).startswith("C") for c in address):
        return ""
    if re.search(r"[<>()\[\],;:\\]", address):
        return ""
    if not domain.isascii():
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            return ""
    # A quoted local part could smuggle a second address past a reader.
    return "" if "@" in local or '"' in local else f"{local}@{domain}"
