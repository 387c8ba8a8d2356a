"""The states of letters in the inbox and the outbox, and the lanes in which they are read."""

from enum import Enum, IntEnum
from typing import Final


class InboxState(Enum):
    """The state of a received letter."""

    WAITING = "waiting"
    READ = "read"
    HELD = "held"
    """Waits for a confirmation from the primary address."""
    IGNORED = "ignored"
    """A machine's letter, a copy or one of our own: nothing was done or answered."""
    QUARANTINED = "quarantined"
    UNASKED = "unasked"
    """Was not done, because it needs a confirmation and nobody could be asked for it."""


class Lane(IntEnum):
    """The lane of a received letter; it is known when the letter is stored.

    The letters of the first lane are read first. Those of one writer are read in their order,
    whatever their lanes.
    """

    REPLIES = 0
    """Sent to a valid reply address, from an address of its owner."""
    KNOWN = 1
    """The From, which anybody can write, is of somebody we know; or a reply address is ours."""
    STRANGERS = 2

    @property
    def senders(self) -> str:
        """The senders of its letters, in words for the operator."""
        return ("players who reply", "known addresses", "unknown addresses")[self]


TURNS_WAIT_FOR: Final = (Lane.REPLIES, Lane.KNOWN)
"""The lanes that a turn, a vote or press waits for: a stranger's letter changes none of them.

They do not wait for letters that are read last in their lane."""


class OutboxState(Enum):
    """The state of an outgoing letter."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"


class SendShare(Enum):
    """The share of the hourly sending limit that an outgoing letter uses."""

    TURNS = "turns"
    """Reports, reminders and alerts."""
    ORDERS = "orders"
    """Answers to orders."""
    OTHERS = "others"
    """All other letters, and every letter to an address that we do not know."""
