"""The structure of a letter: its leaves in order, whatever contains them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from referee.letters.incoming.headers import (
    Field,
    Parameters,
    decode_words,
    first,
    parameters,
    split_head,
)

_DEPTH: Final = 20
_PARTS: Final = 200
TOO_DEEP: Final = "application/x-nested-too-deeply"
ENCRYPTED: Final = "multipart/encrypted"

_GUESSED_BOUNDARY: Final = re.compile(rb"(?m)^--([^\s]{1,200})[ \t]*\nContent-", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part that contains no parts; *group* numbers the multipart/alternative around it.

    Group 0 means none. *payload* is still transfer-encoded.
    """

    content: Parameters
    name: str
    encoding: str
    attached: bool
    payload: bytes
    group: int
    embedded: bool = False
    """Whether the markup can refer to it, because it has a Content-ID and is not attached."""

    @property
    def kind(self) -> str:
        """The media type, ``text/plain`` if it is missing or broken."""
        return self.content.value if "/" in self.content.value else "text/plain"


@dataclass(frozen=True, slots=True)
class _Node:
    fields: tuple[Field, ...]
    body: bytes
    depth: int
    group: int


def leaves(fields: tuple[Field, ...], body: bytes) -> tuple[Leaf, ...]:
    """Return the leaves of a letter in reading order, 200 at most, 20 levels deep."""
    found: list[Leaf] = []
    pending = [_Node(fields, body, 0, 0)]
    groups = 0
    while pending and len(found) < _PARTS:
        node = pending.pop()
        content = parameters(first(node.fields, "content-type"))
        sections = _sections(content, node.body) if node.depth < _DEPTH else []
        if not sections:
            found.append(_leaf(node, content))
            continue
        if content.value == "multipart/alternative":
            groups += 1
        group = groups if content.value == "multipart/alternative" else node.group
        children = (split_head(section) for section in sections)
        pending += reversed([_Node(f, b, node.depth + 1, group) for f, b in children])
    return tuple(found)


def _leaf(node: _Node, content: Parameters) -> Leaf:
    disposition = parameters(first(node.fields, "content-disposition"))
    name = decode_words(disposition.get("filename") or content.get("name"))
    if content.value.startswith("multipart/"):
        deep = node.depth >= _DEPTH and b"\n--" in node.body
        content = Parameters(TOO_DEEP if deep else "text/plain", content.by_name)
    encoding = first(node.fields, "content-transfer-encoding").lower().strip(" \"'")
    attached = disposition.value == "attachment"
    embedded = not attached and bool(first(node.fields, "content-id"))
    return Leaf(content, name[:120], encoding, attached, node.body, node.group, embedded)


def _sections(content: Parameters, body: bytes) -> list[bytes]:
    if not content.value.startswith("multipart/") or content.value == ENCRYPTED:
        return []
    boundary = content.get("boundary").rstrip().encode("utf-8", "replace")
    sections = list(islice(_between(body, boundary), _PARTS)) if boundary else []
    if sections:
        return sections
    # The boundary is missing or differs from the declared one, but parts can still be recognised.
    guessed = _GUESSED_BOUNDARY.search(body)
    return list(islice(_between(body, guessed[1]), _PARTS)) if guessed else []


def _between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """Return the text between the boundary lines; the last part may lack its end."""
    start = -1
    for line in re.finditer(rb"(?m)^--" + re.escape(boundary) + rb"(--)?[ \t]*$", body):
        if start >= 0:
            yield body[start : max(start, line.start() - 1)]
        start = line.end() + 1
        if line[1]:
            return
    if 0 <= start < len(body):
        yield body[start:]
