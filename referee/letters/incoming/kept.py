"""The stored part of a letter: the beginning of a long one, and the headers that are needed."""

import re
from typing import Final

from referee.letters.incoming.screening import LOOP_HEADER, is_too_big

KEPT_OCTETS: Final = 64 * 1024
"""How much is kept of a letter that is too big to be read, after its header."""
_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")
_FIELD: Final = re.compile(rb"[!-9;-~]{1,80}[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*(?:\n|\Z)")
_NEEDED: Final = frozenset(
    name.encode()
    for name in (
        *("from", "sender", "reply-to", "to", "cc", "subject", "date", "return-path"),
        *("message-id", "in-reply-to", "references", "mime-version", "auto-submitted"),
        *("content-type", "content-transfer-encoding", "content-disposition", "content-id"),
        *("delivered-to", "precedence", "list-id", LOOP_HEADER.lower()),
    )
)
"""The fields with the people, the time, the thread and the form of the text."""


def beginning(raw: bytes, size: int = 0) -> bytes:
    """Return the letter, or the header and the first KEPT_OCTETS of one that is too big to read.

    *size* is that of the whole letter, if *raw* is only its beginning. Of a very long header, as
    much is kept.
    """
    if not is_too_big(size or len(raw)):
        return raw
    end = _END_OF_HEAD.search(raw, 0, KEPT_OCTETS)
    return raw[: (end.end() if end is not None else 0) + KEPT_OCTETS]


def without_spare_headers(raw: bytes) -> bytes:
    """Return the letter without the headers that only show its way here or prove its sender.

    Both were checked when it was read. The body is unchanged, and so is all of a letter whose
    header has other lines than fields.
    """
    end = _END_OF_HEAD.search(raw)
    if end is None:
        return raw
    head, rest = raw[: end.start()], raw[end.start() :]
    fields = _FIELD.findall(head)
    needed = [field for field in fields if field.partition(b":")[0].strip().lower() in _NEEDED]
    if not needed or b"".join(fields) != head:
        return raw
    return b"".join(needed).rstrip(b"\r\n") + rest
