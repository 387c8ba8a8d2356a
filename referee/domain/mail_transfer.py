"""A letter on its way: what reached us, what leaves us, and what became of sending it."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """A letter as it reached us, before anybody reads it.

    *source* names the way in (``imap:games``, ``smtp``, ``maildir:orders``, ``pipe``) and
    *source_id* the letter in it, unique for ever (``UIDVALIDITY/UID``, the session and its number,
    the file's name). *sender* and *recipient* are the envelope's, empty where there is none.
    *arrived_at* is our server's time, with zone.
    """

    source: str
    source_id: str
    raw: bytes
    arrived_at: datetime
    sender: str = ""
    recipient: str = ""


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A finished letter to send: the envelope, the bytes, and its number in the outbox."""

    number: int
    message_id: str
    sender: str
    recipient: str
    raw: bytes


class Delivery(Enum):
    """What became of one attempt to send."""

    SENT = "sent"
    DEFERRED = "deferred"
    """A passing trouble (4xx, no connection): it is tried again."""
    REJECTED = "rejected"
    """The other side will never take it (5xx)."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to send a letter, with the other side's words when it failed."""

    dispatch: OutgoingMail
    delivery: Delivery
    reason: str = ""
