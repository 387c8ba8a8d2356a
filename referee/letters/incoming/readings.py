"""Readings of a letter: whether fields that no signature covers can change its text."""

import re
from collections.abc import Collection, Iterator
from itertools import product
from typing import Final

from referee.letters.incoming.decode import text_of_fields, whole
from referee.letters.incoming.headers import Field

_MARKUP: Final = re.compile(r"<[A-Za-z/!?]")
_PART: Final = re.compile(rb"(?m)^--([^\s\"\\]{1,70})[ \t]*\nContent-", re.IGNORECASE)
_TYPE: Final = "content-type"
_ENCODING: Final = "content-transfer-encoding"
_TEXTS: Final = (b"text/plain", b"text/plain; format=flowed")
_ENCODINGS: Final = (b"7bit", b"quoted-printable")


def has_one_reading(raw: bytes, open_fields: Collection[str]) -> bool:
    """Return whether the text is the same whatever the *open_fields* were when it was written.

    The body shows what they can have been. If it begins with a boundary and a content field, it has
    parts. Else it is plain or flowed text, encoded or not. Markup could have been HTML, and a
    boundary further down the end of a preamble, so they have more than one reading.
    """
    if not open_fields:
        return True
    fields, body = whole(raw)
    read = _lines(text_of_fields(fields, body))
    kept = tuple(each for each in fields if each.name not in open_fields)
    boundary = _PART.search(body)
    if _TYPE in open_fields and _is_ambiguous(read, body, boundary):
        return False
    return all(
        _lines(text_of_fields((*kept, *guess), body)) == read
        for guess in _guesses(open_fields, boundary)
    )


def _is_ambiguous(read: list[str], body: bytes, boundary: re.Match[bytes] | None) -> bool:
    if boundary is not None:
        return bool(body[: boundary.start()].strip())
    return any(_MARKUP.search(line) for line in read)


def _guesses(
    open_fields: Collection[str], boundary: re.Match[bytes] | None
) -> Iterator[tuple[Field, ...]]:
    """Yield the values that the open fields can have had."""
    types = list(_TEXTS)
    if boundary is not None:
        types = [b'multipart/alternative; boundary="%s"' % boundary[1]]
    choices = {_TYPE: types, _ENCODING: list(_ENCODINGS)}
    names = [name for name in choices if name in open_fields]
    for values in product(*(choices[name] for name in names)):
        yield tuple(Field(name, value) for name, value in zip(names, values, strict=True))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n")]
