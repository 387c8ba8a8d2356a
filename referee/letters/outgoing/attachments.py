"""Files that go with a letter: the parts of one that has more than its words."""

import hashlib
from base64 import encodebytes
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A file that goes with a letter: its name and kind in plain ASCII, and what is in it."""

    name: str
    kind: str
    """``image/png``."""
    content: bytes


@dataclass(frozen=True, slots=True)
class Content:
    """The body of a letter or of a part, as on the wire, with the headers about it."""

    kind: str
    encoding: str
    body: str


def enclose(words: Content, files: Sequence[OutgoingFile]) -> Content:
    """Return the words and after them the files as one content of several parts (RFC 2046)."""
    parts = [_part(words, ()), *(_file(file) for file in files)]
    # No part can hold a line made of its own hash; the same parts give the same letter.
    boundary = f"=_{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:40]}"
    lines = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return Content(f'multipart/mixed; boundary="{boundary}"', "7bit", f"{lines}--{boundary}--")


def _file(file: OutgoingFile) -> str:
    body = encodebytes(file.content).decode("ascii").rstrip("\n")
    disposition = f'Content-Disposition: attachment; filename="{file.name}"'
    return _part(Content(f'{file.kind}; name="{file.name}"', "base64", body), (disposition,))


def _part(content: Content, more: Sequence[str]) -> str:
    head = (f"Content-Type: {content.kind}", f"Content-Transfer-Encoding: {content.encoding}")
    return "\n".join((*head, *more, "", content.body))
