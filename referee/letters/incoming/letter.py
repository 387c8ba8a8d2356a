"""A decoded letter: charsets, the fields of a header, and the addresses in them."""

import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from referee.letters.incoming.seen_lines import SeenLines

# A stranger chooses the charset. Python's codecs include compressors, escapes and punycode, so only
# charsets of email are allowed.
_FAMILIES: Final = re.compile(
    r"utf-8|utf-16(-[lb]e)?|utf-32(-[lb]e)?|iso8859-[0-9]+|cp(125[0-8]|437|85[0-9]|86[0-9]|874|932"
    r"|949|950)|koi8-[rut]|mac-[a-z]+|gb18030|big5(hkscs)?|shift_jis(_2004|x0213)?"
    r"|euc_(jp|kr|jis_2004|jisx0213)|johab|iso2022_(jp[a-z0-9_]*|kr)|hz|tis-620|ptcp154|kz1048"
)
# A charset on the left is read as the one on the right, which contains it.
_WIDER: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "cp950",
    "utf-8-sig": "utf-8",
}
_MISSPELT: Final = re.compile(r"^(?:x-)?(?:windows|win|cp|ibm|ms)[-_ ]?(?=[0-9])")
_JOINED: Final = str.maketrans("", "", "-_ ")
_BREAKS: Final = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_UNSEEN: Final = {c: None for c in (*range(0x20), *range(0x7F, 0xA0), 0xFEFF) if c not in (9, 10)}
_CLEAN: Final = str.maketrans({**_UNSEEN, **dict.fromkeys(map(ord, _BREAKS), "\n")})


def text_of(octets: bytes, declared: str) -> str:
    """Decode *octets*: as declared, else utf-8, else cp1252, else latin-1. Never raises.

    Line ends become LF; control characters and byte order marks are removed.
    """
    if octets.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        declared = "utf-16"
    return clean(_decoded(octets, _codec(declared)))


def clean(text: str) -> str:
    """Return *text* with LF line ends only and without control characters."""
    # Nearly every header field returns here.
    if text.isprintable():
        return text
    # A search for one character is much faster than a search for two.
    text = text.replace("\r\n", "\n") if "\r" in text else text
    return text.translate(_CLEAN)


def is_utf_7(declared: str) -> bool:
    """Return whether *declared* means UTF-7, in which anything can be hidden from a reader."""
    return declared.lower().translate(_JOINED) in ("utf7", "unicode11utf7", "utf7imap", "u7")


@lru_cache(maxsize=64)
def _codec(declared: str) -> str:
    """Return Python's name of the codec, or "" if it is not a charset of email."""
    name = declared.strip().strip("\"'").lower()
    name = _MISSPELT.sub("cp", name)
    if not name.isascii() or not name.isprintable() or len(name) > 40:
        return ""
    try:
        name = codecs.lookup(name).name
    except LookupError:
        return ""
    name = _WIDER.get(name, name)
    return name if _FAMILIES.fullmatch(name) else ""


def _decoded(octets: bytes, codec: str) -> str:
    # Text in a one-byte charset is rarely valid UTF-8 by accident, while UTF-8 declared as such a
    # charset is common.
    narrow = not codec or codec.startswith(("cp125", "iso8859", "utf-8"))
    for name in ("utf-8", codec) if narrow else (codec, "utf-8"):
        try:
            return octets.decode(name or "utf-8")
        except UnicodeError:
            continue
    try:
        return octets.decode("cp1252")
    except UnicodeError:
        return octets.decode("latin-1")


_FIELD_OCTETS: Final = 8_000
_STRAY_OCTETS: Final = 199
_BLOCK_OCTETS: Final = 64_000
_LINES: Final = 50_000
_VALUE: Final = 2_000
_MESSAGE_ID: Final = 300
_REFERENCES: Final = 60

_FIELD: Final = re.compile(rb"([!-9;-~]{1,80})[ \t]*:")
_WORD: Final = re.compile(r"=\?([^?\s]{1,60})\?([BbQq])\?([^?]*)\?=")
_WORDS: Final = re.compile(_WORD.pattern + r"(?:\s+(?==\?[^?\s]{1,60}\?[BbQq]\?[^?]*\?=))?")
_PARAMETER: Final = re.compile(
    r""";\s*([\w!#$%&'*+.^`|~-]{1,60})\s*=\s*("(?:[^"\\]|\\.)*"?|[^;\s]*)""", re.DOTALL
)
_ESCAPED: Final = re.compile(r"\\(.)")
_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]")


class Field(NamedTuple):
    """A header field: its name in lower case, and its raw value, unfolded."""

    name: str
    octets: bytes

    @property
    def value(self) -> str:
        """The value as one line of text; its encoded words are not decoded yet."""
        return text_of(self.octets, "").replace("\n", " ").replace("\t", " ").strip()


LOOP_HEADER: Final = "X-Referee-Loop"
"""The field that all letters of ours have."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """A structured field: its value in lower case, and its parameters by lower-case name."""

    value: str
    by_name: Mapping[str, str]

    def get(self, name: str) -> str:
        """Return a parameter, or "" if it is missing."""
        return self.by_name.get(name, "")


def split_head(raw: bytes) -> tuple[tuple[Field, ...], bytes]:
    """Split the header from the body; long fields and long headers are cut.

    Lines end in LF. Without a header, all of *raw* is the body. The body always begins after the
    empty line: the part that is cut off a long header belongs to neither.
    """
    found: list[list[bytes]] = []
    start, kept, length = 0, 0, 0
    head = raw[: raw.find(b"\n\n") + 1] or raw
    lines = head.split(b"\n", _LINES)
    for number, whole in enumerate(lines, 1):
        if number > _LINES or kept >= _BLOCK_OCTETS:
            start = len(head) + 1
            break
        line = whole[:_FIELD_OCTETS]
        if not line:
            start += 1
            break
        if _FIELD.match(line):
            found.append([])
            length = 0
        elif not _belongs(line, lines[number : number + 1], bool(found)):
            break
        if found and length < _FIELD_OCTETS:
            found[-1].append(line)
            length += len(line)
            kept += len(line)
        start += len(whole) + 1
    return tuple([_field(b"".join(parts)) for parts in found]), raw[start:]


def _belongs(line: bytes, following: Sequence[bytes], within: bool) -> bool:
    """Return whether *line*, which begins no field, is in the header: folded, mbox's, or stray."""
    if not within:
        return line.startswith((b"From ", b">From "))
    if line.startswith((b" ", b"\t")):
        return True
    return any(_FIELD.match(after, 0, _STRAY_OCTETS) for after in following)


def _field(octets: bytes) -> Field:
    name, _, value = octets.partition(b":")
    return Field(name.decode("ascii").strip().lower(), value)


def first(fields: tuple[Field, ...], name: str) -> str:
    """Return the value of the first field called *name*, or ""."""
    for field in fields:
        if field.name == name:
            return field.value
    return ""


def every(fields: tuple[Field, ...], *names: str) -> Iterator[str]:
    """Return the values of all fields with one of *names*, in the order of *names*."""
    for name in names:
        for field in fields:
            if field.name == name:
                yield field.value


def decode_words(value: str) -> str:
    """Decode the encoded words of *value* into one line of at most 2,000 characters."""
    value = value[: 4 * _VALUE]
    if "=?" not in value:
        return " ".join(value.split())[:_VALUE]
    parts: list[str] = []
    place, pending, charset = 0, b"", ""
    for word in _WORDS.finditer(value):
        name = word[1].partition("*")[0].lower()
        # A character can be split between two words of one charset.
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
    """Decode base64; other characters in it, and a missing end, are tolerated."""
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
            text = unquoted(text)
        stem, star, rest = name.partition("*")
        if star and (rest in ("", "*") or rest.endswith("*") or "''" in text):
            text = _extended(text)
        if star:
            found[stem] = found.get(stem, "") + text
        else:
            found.setdefault(stem, text)
    return Parameters(value.partition(";")[0].strip().lower(), found)


def unquoted(text: str) -> str:
    """Return the content of a quoted string."""
    text = text.strip('"')
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _extended(text: str) -> str:
    head, quote, rest = text.partition("'")
    _, second, body = rest.partition("'")
    charset, body = (head, body) if quote and second else ("", text)
    return text_of(unquote_to_bytes(body), charset)


def message_ids(value: str) -> tuple[str, ...]:
    """Return the Message-IDs in *value* without brackets; overlong ones are left out."""
    found = re.findall(r"<([^<>\s]+)>", value) or [w for w in value.split() if "@" in w]
    return tuple(i.strip("<>") for i in found[-_REFERENCES:] if len(i) <= _MESSAGE_ID)


@dataclass(frozen=True, slots=True)
class MailAddress:
    """A name and an address; the address is lower case with its domain in ASCII."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment of the letter; *read* means that its content is part of the text.

    *kind* is its media type, of an appointment with the method: ``text/calendar; method=reply``.
    One that is *embedded* is shown inside the text, as a logo in a signature is, or is another form
    of the text, or a letter of ours.
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


@dataclass(frozen=True)
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

    @property
    def writer(self) -> str:
        """The address in its From, or "" if there is not exactly one."""
        return self.senders[0].address if len(self.senders) == 1 else ""

    @cached_property
    def seen(self) -> SeenLines:
        """The lines of its text, as patterns see them."""
        return SeenLines.of(self.text)


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
