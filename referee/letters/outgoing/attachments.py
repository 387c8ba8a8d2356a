"""The parts of a letter that is more than its text: its HTML, and files that go with it."""

import hashlib
from base64 import encodebytes
from collections.abc import Sequence
from dataclasses import dataclass, replace


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
    disposition: str = ""
    content_id: str = ""


def attached(file: OutgoingFile) -> Content:
    """Return a file as a part that is saved."""
    body = encodebytes(file.content).decode("ascii").rstrip("\n")
    disposition = f'attachment; filename="{file.name}"'
    return Content(f'{file.kind}; name="{file.name}"', "base64", body, disposition)


def embedded(file: OutgoingFile) -> Content:
    """Return a file as a part that HTML shows, as ``cid:NAME``."""
    disposition = f'inline; filename="{file.name}"'
    return replace(attached(file), disposition=disposition, content_id=f"<{file.name}>")


def together(form: str, parts: Sequence[Content]) -> Content:
    """Return contents as one of several parts: mixed, alternative or related (RFC 2046)."""
    drawn = [_part(part) for part in parts]
    # No part can hold a line made of its own hash; the same parts give the same letter.
    boundary = f"=_{hashlib.sha256(chr(0).join(drawn).encode()).hexdigest()[:40]}"
    lines = "".join(f"--{boundary}\n{part}\n" for part in drawn)
    return Content(f'multipart/{form}; boundary="{boundary}"', "7bit", f"{lines}--{boundary}--")


def _part(content: Content) -> str:
    fields = {
        "Content-Type": content.kind.replace("; boundary", ";\n boundary"),
        "Content-Transfer-Encoding": content.encoding,
        "Content-Disposition": content.disposition,
        "Content-ID": content.content_id,
    }
    return "\n".join((*(f"{name}: {it}" for name, it in fields.items() if it), "", content.body))
