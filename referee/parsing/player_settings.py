"""What the commands build with which players set how they are written to."""

from datetime import time, timedelta
from typing import Final

from referee.domain import commands as c
from referee.domain.player_settings import QuietHours, ReportFormat
from referee.rules.ruleset import UserError

MOST_REMINDERS: Final = 6
LONGEST_LEAD: Final = timedelta(days=60)
SHORTEST_LEAD: Final = timedelta(minutes=10)


def attachments(*words: str) -> c.SetAttachments:
    """Return the kinds that *words* name. Raises UserError for a word that names none."""
    names = [name.upper() for word in words for name in word.split(",") if name]
    if names == ["NONE"]:
        return c.SetAttachments(())
    known = {kind.name: kind for kind in c.AttachmentKind}
    for name in names:
        if name not in known:
            raise UserError(f"{name} is none of {', '.join(known)}, nor NONE alone.")
    return c.SetAttachments(tuple(kind for kind in c.AttachmentKind if kind.name in names))


def report_format(word: str) -> c.SetFormat:
    """Return the format of that name. Raises UserError for none."""
    known = {kind.name: kind for kind in ReportFormat}
    if word.upper() not in known:
        raise UserError(f"{word.upper()} is none of {', '.join(known)}.")
    return c.SetFormat(known[word.upper()])


def digest(word: str) -> c.SetDigest:
    """Return whether it is ON. Raises UserError when it is OFF neither."""
    if word.upper() not in ("ON", "OFF"):
        raise UserError("SET DIGEST ON, or SET DIGEST OFF.")
    return c.SetDigest(on=word.upper() == "ON")


def quiet(begin: time | None = None, end: time | None = None) -> c.SetQuiet:
    """Return the quiet hours, or none. Raises UserError for a whole day of them."""
    if begin is None or end is None:
        return c.SetQuiet(None)
    if begin == end:
        raise UserError("that is the whole day. SET QUIET 22:00-07:00 leaves you the day.")
    return c.SetQuiet(QuietHours(begin, end))


def lead(count: int, unit: str) -> timedelta:
    """Return how long before a deadline. Raises UserError when that is too long or too short."""
    unit = unit.lower().rstrip("s") + "s"
    # The bound comes first: a timedelta of a thousand million weeks is an error of its own.
    if count > LONGEST_LEAD.total_seconds() or timedelta(**{unit: count}) > LONGEST_LEAD:
        raise UserError(f"a reminder comes at most {LONGEST_LEAD.days} days before the deadline.")
    if timedelta(**{unit: count}) < SHORTEST_LEAD:
        raise UserError("a reminder comes at least 10 minutes before the deadline.")
    return timedelta(**{unit: count})


def leads(*spans: timedelta) -> tuple[timedelta, ...]:
    """Return the spans, each once, longest first. Raises UserError for too many."""
    if len(set(spans)) > MOST_REMINDERS:
        raise UserError(f"at most {MOST_REMINDERS} reminders come for one turn.")
    return tuple(sorted(set(spans), reverse=True))


def clock_time(text: str) -> time:
    """Return a time of day: ``22:00``."""
    hours, _, minutes = text.partition(":")
    return time(int(hours), int(minutes))
