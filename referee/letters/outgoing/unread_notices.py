"""Answers to emails that were not read: copies, those in quarantine, and those too big."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class AlreadyReceived(Notice):
    """The same letter came before; nothing was changed by the copy.

    *receipt* is None if it was for no seat of the reader.
    """

    receipt: int | None
    arrived: Moment


@dataclass(frozen=True, slots=True)
class Quarantined(Notice):
    """The letter could not be read through a fault on our side; the log has the *reference*.

    *too_costly* means that it needs too much processor time or memory instead.
    """

    reference: str
    too_costly: bool = False


@dataclass(frozen=True, slots=True)
class TooBig(Notice):
    """The letter has more than *most* megabytes, so nothing in it was read."""

    most: int
