"""The tokens in letters of ours, each compared with its row in the register."""

import gzip
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from email.message import Message
from typing import Final

from referee.domain.mail_transfer import OutgoingMail
from referee.domain.tokens import Place, named_in, verify

_FORM: Final = re.compile(rb"(?=([a-z]-[a-z2-7]{40}))")
_OTHERS: Final = re.compile(rb"[^a-z0-9-]")
_NOWHERE: Final = Place(0)
_HEADERS: Final = {
    "reply-to": Place.REPLY_TO,
    "message-id": Place.MESSAGE_ID,
    "in-reply-to": Place.MESSAGE_ID,
    "references": Place.MESSAGE_ID,
}


def misplaced(letters: Iterable[OutgoingMail], key: bytes) -> list[str]:
    """Return the tokens and names in *letters* that the register does not allow there.

    Only a header or a file can have one, and no word of the text.
    """
    return [
        f"{message_from_bytes(letter.raw)['subject']}: {fault}"
        for letter in letters
        for place, content in _places(letter)
        for fault in _faults(place, content, key)
    ]


def _places(letter: OutgoingMail) -> Iterator[tuple[Place, bytes]]:
    """Yield each part of a letter with its place, of a file each file in it."""
    message = message_from_bytes(letter.raw)
    yield Place.RETURN_PATH, letter.sender.encode()
    for name, value in message.items():
        yield _HEADERS.get(name.lower(), _NOWHERE), str(value).encode()
    for part in message.walk():
        place = _NOWHERE if part.get_filename() is None else Place.FILE
        yield from ((place, content) for content in _contents(part))


def _contents(part: Message) -> Iterator[bytes]:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return
    match part.get_content_type():
        case "application/gzip":
            yield gzip.decompress(content)
        case "application/zip":
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from map(archive.read, archive.namelist())
        case _:
            yield content


def _faults(place: Place, content: bytes, key: bytes) -> Iterator[str]:
    """Yield the tokens and names in a content that are not for its place, even if broken."""
    for found in _FORM.finditer(_OTHERS.sub(b"", content.lower())):
        text = found[1].decode()
        for read, meant in ((verify, ~Place.NAMES), (named_in, Place.NAMES)):
            token = read(text, key)
            if token is not None and not place & meant & token.rule.places:
                yield f"{token.kind.name} in {place.name or 'the text'} ({read.__name__})"
