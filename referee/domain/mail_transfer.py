"""Letters in transport, as received and sent, each attempt's result, and the lines of a text."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, Protocol

MOST_OCTETS: Final = 2_000_000
"""A bigger letter than any order sheet: it is not read, and only its beginning is stored."""
BEGINNING_OCTETS: Final = 128 * 1024
"""How much of it a source hands on, which is at least as much as is stored."""
_FIRST_PAUSES: Final = (1, 2, 5, 15, 60)
"""Minutes after the first deferred attempts; later pauses are four hours."""
PAUSES: Final = (*(timedelta(minutes=m) for m in _FIRST_PAUSES), *[timedelta(hours=4)] * 30)
"""The pause after each deferred attempt: five days in all, then a letter fails."""


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """A letter as it reached us, before it is read.

    *source* names the mail source (``imap:games``, ``smtp``, ``maildir:orders``, ``pipe``).
    *source_id* identifies the letter in it for ever (``UIDVALIDITY/UID``, the session and its
    number, the file's name). *sender* and *recipient* are from the envelope, or empty. *arrived_at*
    is our server's time, with zone. *size* is the number of bytes received, if *raw* is only their
    beginning, else 0. *network* is the public network that handed the letter over, if it was seen.
    """

    source: str
    source_id: str
    raw: bytes
    arrived_at: datetime
    sender: str = ""
    recipient: str = ""
    size: int = 0
    network: str = ""

    @property
    def octets(self) -> int:
        """Return the number of bytes received."""
        return self.size or len(self.raw)


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A finished letter to send: the envelope, the bytes, and its number in the outbox."""

    number: int
    message_id: str
    sender: str
    recipient: str
    raw: bytes


class Delivery(Enum):
    """The result of one attempt to send."""

    SENT = "sent"
    DEFERRED = "deferred"
    """A temporary failure (4xx, no connection): the letter is sent again."""
    REJECTED = "rejected"
    """A permanent failure (5xx): the other server will never accept the letter."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to send a letter, with the other server's words if it failed."""

    dispatch: OutgoingMail
    delivery: Delivery
    reason: str = ""


class Sender(Protocol):
    """A mail transport: SMTP or a Maildir."""

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Try each letter once, and yield one attempt per letter, in order.

        The attempts are yielded while letters are sent, so that each can be recorded before the
        next is sent; closing the generator leaves the others unsent. Errors of the other side are
        attempts, not exceptions.
        """
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text that a sender typed, with its number in the letter's text, from 1."""

    number: int
    text: str
