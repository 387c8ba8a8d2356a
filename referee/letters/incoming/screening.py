"""Screening of letters by kind, so that machines get no answers and mail loops end."""

import hmac
import re
from enum import Enum
from typing import Final

from referee.letters.incoming import phrases
from referee.letters.incoming.letter import Letter

MOST_OCTETS: Final = 2_000_000
LOOP_HEADER: Final = "X-Referee-Loop"

_DAEMONS: Final = re.compile(r"^(?:mailer-daemon|postmaster|mail-daemon|mailerdaemon|bounces?)@")
_BULK: Final = frozenset(("bulk", "junk", "auto_reply", "auto-reply"))
_REPLIERS: Final = ("X-Autoreply", "X-Autorespond", "X-AutoReply-From", "X-Mail-Autoreply")


class Screening(Enum):
    """The kind of a letter; only letters of people are answered freely."""

    HUMAN = "human"
    MACHINE = "machine"
    AUTOMATIC = "automatic"
    """Marked as automatic by its sender; a player's own program can send it, so it is read."""
    AWAY = "vacation note"
    """Judged by its subject only; a person may have written it, so only the answer is left out."""
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    """A mail server reports that the reader of our letter marked it as spam."""
    LOOP = "loop"
    TOO_BIG = "too big"
    LIST = "list"


def screen(letter: Letter, raw: bytes, envelope_sender: str, loop_token: str) -> Screening:
    """Return the kind of the letter; the first check that succeeds decides.

    *envelope_sender* is ``<>`` for the null return path, and empty if there was no envelope.
    """
    if is_too_big(raw):
        return Screening.TOO_BIG
    if is_our_own(letter, loop_token):
        return Screening.LOOP
    if is_complaint(letter):
        return Screening.COMPLAINT
    if is_bounce(letter, envelope_sender):
        return Screening.BOUNCE
    if is_from_list(letter):
        return Screening.LIST
    if is_machine(letter, envelope_sender):
        return Screening.MACHINE
    if is_automatic(letter):
        return Screening.AUTOMATIC
    return Screening.AWAY if is_away(letter) else Screening.HUMAN


def is_too_big(raw: bytes) -> bool:
    """Return whether the letter is bigger than any order sheet."""
    return len(raw) > MOST_OCTETS


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
    if any(is_daemon(sender.address) for sender in letter.senders):
        return True
    null = _is_null(letter, envelope_sender)
    return null and phrases.BOUNCED.match(_subject(letter)) is not None


def is_daemon(address: str) -> bool:
    """Return whether an address looks like a mail server's own."""
    return _DAEMONS.match(address) is not None


def is_from_list(letter: Letter) -> bool:
    """Return whether a mailing list forwarded the letter; an answer would go to all its members."""
    return bool(letter.header("List-Id")) or letter.header("Precedence").strip().lower() == "list"


def is_complaint(letter: Letter) -> bool:
    """Return whether the letter is a feedback report (RFC 5965)."""
    content = letter.header("Content-Type").lower()
    return content.startswith("multipart/report") and "feedback-report" in content


def is_machine(letter: Letter, envelope_sender: str) -> bool:
    """Return whether it is a letter that no program of a player would write."""
    return (
        letter.header("Content-Type").lower().startswith("multipart/report")
        or letter.header("Precedence").strip().lower() in _BULK
        or any(letter.header(name) for name in _REPLIERS)
        or _is_null(letter, envelope_sender)
    )


def is_automatic(letter: Letter) -> bool:
    """Return whether the letter is marked as automatic (RFC 3834)."""
    submitted = letter.header("Auto-Submitted").partition(";")[0].strip().lower()
    return submitted not in ("", "no")


def is_away(letter: Letter) -> bool:
    """Return whether the subject is that of an automatic reply during an absence."""
    return phrases.AWAY.match(_subject(letter)) is not None


def _is_null(letter: Letter, envelope_sender: str) -> bool:
    return envelope_sender.strip() == "<>" or letter.header("Return-Path").strip() == "<>"


def _subject(letter: Letter) -> str:
    return phrases.REPLY_PREFIX.sub("", letter.subject)
