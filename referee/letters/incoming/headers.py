"""Header fields of letters and their parts, parsed with limits and without raising."""

import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from referee.letters.incoming.charsets import text_of

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
