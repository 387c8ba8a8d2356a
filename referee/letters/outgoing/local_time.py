"""Moments as a player reads them: in their own zone, and in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as somebody in *zone* (an IANA name) reads it."""

    at: datetime
    zone: str

    def __str__(self) -> str:
        """Return ``Fri 18 Sep 2026, 18:00 MST (Sat 01:00 UTC)``."""
        local, utc = self._local, self.at.astimezone(UTC)
        words = f"{local:%a {local.day} %b %Y, %H:%M} {local.tzname()}"
        if local.utcoffset() == utc.utcoffset():
            return words
        day = "" if local.date() == utc.date() else f"{utc:%a} "
        return f"{words} ({day}{utc:%H:%M} UTC)"

    @property
    def short(self) -> str:
        """The moment for a subject line: ``Fri 18 Sep 18:00 MST``."""
        return f"{self._local:%a {self._local.day} %b %H:%M} {self._local.tzname()}"

    def short_from(self, now: datetime) -> str:
        """Return the short form, with the year if it is not the one of *now*."""
        local = self._local
        if local.year == now.astimezone(local.tzinfo).year:
            return self.short
        return f"{local:%a {local.day} %b %Y %H:%M} {local.tzname()}"

    @property
    def day(self) -> str:
        """The day as players write it: ``18 September``."""
        return f"{self._local.day} {self._local:%B}"

    @property
    def _local(self) -> datetime:
        return self.at.astimezone(ZoneInfo(self.zone))


@dataclass(frozen=True, slots=True)
class MovedDeadline:
    """A deadline that was moved; *fact* begins the sentence on who moved it and why.

    *event* is the subject of the letter up to the new deadline.
    """

    fact: str
    old: Moment
    new: Moment
    event: str = "deadline moved"

    @property
    def subject(self) -> str:
        """The event and the new deadline: ``deadline moved to Fri 18 Sep 18:00 MST``."""
        return f"{self.event} {self._to}"

    @property
    def sentence(self) -> str:
        """The sentence on who moved the deadline, to when and from when."""
        return f"{self.fact} {self._to} (before: {self.old.short_from(self.new.at)})."

    @property
    def in_full(self) -> str:
        """The sentence with the whole moments, for the report."""
        return f"{self.fact} {self._earlier}to {self.new} (before: {self.old})."

    @property
    def _to(self) -> str:
        return f"{self._earlier}to {self.new.short_from(self.old.at)}"

    @property
    def _earlier(self) -> str:
        return "earlier, " if self.new.at < self.old.at else ""


@dataclass(frozen=True, slots=True)
class Deadline(Moment):
    """A deadline, with the *note* that its turn is resolved before it, or ""."""

    note: str = ""

    @property
    def in_full(self) -> str:
        """The moment, a full stop and the note."""
        return f"{self}. {self.note}".rstrip()
