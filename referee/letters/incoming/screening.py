"""Screening of letters by kind, so that machines get no answers and mail loops end.

It throws no letter away: what a letter is good for is decided when it is known who wrote it.
"""

import hmac
import re
from enum import Enum
from typing import Final

from referee.domain.mail_transfer import MOST_OCTETS
from referee.letters.incoming import bounces, phrases
from referee.letters.incoming.letter import Letter

LOOP_HEADER: Final = "X-Referee-Loop"

_BULK: Final = frozenset(("list", "bulk", "junk", "auto_reply", "auto-reply"))
_REPLIERS: Final = ("X-Autoreply", "X-Autorespond", "X-AutoReply-From", "X-Mail-Autoreply")
_NO_REPLY: Final = re.compile(r"^(?:no|do[-_.]?not)[-_.]?reply(?:[-_.+][^@]*)?@")
_OF_LISTS: Final = (
    *("List-Id", "List-Post", "Mailing-List", "X-Mailing-List"),
    *("X-BeenThere", "X-ML-Name", "X-MLServer"),
)
"""Fields that only the software of a list writes; an answer would go to all its members."""
_ENDS_NOTE: Final = re.compile(r"\s*(?:[-:\uff1a(\[]|$)")
_HOTMAIL: Final = re.compile(r"^complaint about message from [0-9]", re.IGNORECASE)


_GENERATED: Final = "auto-generated"
_BY_PEOPLE: Final = ("no", _GENERATED)
"""The words of Auto-Submitted of a person, and of a program that sends a player's orders. Anything
else, such as auto-replied, is a program's answer to us, which is never answered (RFC 3834)."""


class Screening(Enum):
    """The kind of a letter; only letters of people are answered freely."""

    HUMAN = "human"
    MACHINE = "machine"
    """A program's answer to us, or from an address that nobody reads."""
    MARKED = "marked"
    """A player's mail server can write such marks, too. Read as a person's if it is proven and has
    orders, and answered only if it changed them."""
    AUTOMATIC = "automatic"
    """Made by a program of its own accord; a player's own program can send it, so it is read."""
    AWAY = "vacation note"
    """Judged by its subject only; a person may have written it, so they are asked about orders."""
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    """A mail server reports that the reader of our letter marked it as spam."""
    LOOP = "loop"
    TOO_BIG = "too big"
    MAILING = "mailing"
    """Sent to many, or by a person whose service says so; read as a person's if it is for us."""


def screen(letter: Letter, raw: bytes, envelope_sender: str, loop_token: str) -> Screening:
    """Return the kind of the letter; the first check that succeeds decides.

    *envelope_sender* is ``<>`` for the null return path, and empty if there was no envelope.
    """
    if is_too_big(len(raw)):
        return Screening.TOO_BIG
    if is_our_own(letter, loop_token):
        return Screening.LOOP
    if is_complaint(letter):
        return Screening.COMPLAINT
    if is_bounce(letter, envelope_sender):
        return Screening.BOUNCE
    if is_machine(letter):
        return Screening.MACHINE
    if is_marked(letter, envelope_sender):
        return Screening.MARKED
    if is_automatic(letter):
        return Screening.AUTOMATIC
    if is_away(letter):
        return Screening.AWAY
    return Screening.MAILING if is_mailing(letter) else Screening.HUMAN


def is_too_big(octets: int) -> bool:
    """Return whether a letter of so many bytes is bigger than any order sheet."""
    return octets > MOST_OCTETS


def is_our_own(letter: Letter, loop_token: str) -> bool:
    """Return whether the letter is our own and came back; one that only quotes us is not."""
    claimed = letter.header(LOOP_HEADER).strip().encode("utf-8", "replace")
    return bool(loop_token) and hmac.compare_digest(claimed, loop_token.encode())


def is_bounce(letter: Letter, envelope_sender: str) -> bool:
    """Return whether a mail server reports that a letter of ours was not delivered."""
    content = letter.header("Content-Type").lower()
    if content.startswith("multipart/report"):
        return "disposition-notification" not in content and "feedback-report" not in content
    if letter.header("X-Failed-Recipients"):
        return True
    if bounces.is_from_nobody(letter):
        return True
    return bounces.is_bounce(letter, unanswerable=_is_null(letter, envelope_sender))


def is_mailing(letter: Letter) -> bool:
    """Return whether only List-Unsubscribe shows that the letter went to many people.

    Some services of people add it, too.
    """
    return bool(letter.header("List-Unsubscribe"))


def is_complaint(letter: Letter) -> bool:
    """Return whether the letter is a feedback report: by RFC 5965, or as Hotmail writes it."""
    content = letter.header("Content-Type").lower()
    if content.startswith("multipart/report") and "feedback-report" in content:
        return True
    staff = any(sender.address == "staff@hotmail.com" for sender in letter.senders)
    return staff and _HOTMAIL.match(letter.subject) is not None


def is_machine(letter: Letter) -> bool:
    """Return whether no player and no program of a player would write the letter."""
    return (
        letter.header("Content-Type").lower().startswith("multipart/report")
        or _submitted(letter) not in ("", *_BY_PEOPLE)
        or any(_NO_REPLY.match(sender.address) for sender in letter.senders)
    )


def is_marked(letter: Letter, envelope_sender: str) -> bool:
    """Return whether the letter has a mark of a list, of bulk mail or a program that answers."""
    return (
        letter.header("Precedence").strip().lower() in _BULK
        or any(letter.header(name) for name in (*_OF_LISTS, *_REPLIERS))
        or _is_null(letter, envelope_sender)
    )


def is_automatic(letter: Letter) -> bool:
    """Return whether a program made the letter of its own accord (RFC 3834), or a mail server."""
    daemon = any(bounces.is_surely_daemon(sender.address) for sender in letter.senders)
    return daemon or _submitted(letter) == _GENERATED


def _submitted(letter: Letter) -> str:
    """Return the first word of Auto-Submitted, without its comment, or ""."""
    found = re.match(r"\s*([\w-]+)", letter.header("Auto-Submitted"))
    return found[1].lower() if found is not None else ""


def is_away(letter: Letter) -> bool:
    """Return whether the subject is that of an automatic reply during an absence."""
    subject = phrases.REPLY_PREFIX.sub("", letter.subject)
    found = phrases.AWAY.match(subject)
    if found is None or subject == letter.subject:
        return found is not None
    # A person who answers such a note, or asks about it, goes on in words.
    return _ENDS_NOTE.match(subject, found.end()) is not None


def _is_null(letter: Letter, envelope_sender: str) -> bool:
    """Return whether nothing can be returned to the sender, or only to a mail server."""
    paths = (envelope_sender.strip(), letter.header("Return-Path").strip())
    return any(path == "<>" or bounces.is_surely_daemon(path.lower().strip("<>")) for path in paths)


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
