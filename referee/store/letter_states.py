"""The states of letters in the inbox and the outbox."""

from enum import Enum


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
    """All other letters to people we know."""
    STRANGERS = "strangers"
    """Letters to addresses that we do not know."""
