"""The builders of the commands with which players set how referee writes to them."""

from datetime import time, timedelta
from typing import Final

from referee.domain import commands as c
from referee.domain.player_settings import QuietHours, ReportFormat
from referee.rules.ruleset import UserError

MOST_REMINDERS: Final = 6
LONGEST_LEAD: Final = timedelta(days=60)
SHORTEST_LEAD: Final = timedelta(minutes=10)


def attachments(*words: str) -> c.SetAttachments:
    """Return the kinds that *words* name. Raises UserError if a word names none."""
    names = [name.upper() for word in words for name in word.split(",") if name]
    if names == ["NONE"]:
        return c.SetAttachments(())
    known = {kind.name: kind for kind in c.AttachmentKind}
    for name in names:
        if name not in known:
            raise UserError(
                f"{name} is not one of {', '.join(known)}. Without any: SET ATTACHMENTS NONE."
            )
    return c.SetAttachments(tuple(kind for kind in c.AttachmentKind if kind.name in names))


def report_format(word: str) -> c.SetFormat:
    """Return the format of that name. Raises UserError if there is none."""
    known = {kind.name: kind for kind in ReportFormat}
    if word.upper() not in known:
        raise UserError(f"{word.upper()} is not one of {', '.join(known)}.")
    return c.SetFormat(known[word.upper()])


def digest(word: str) -> c.SetDigest:
    """Return a SET DIGEST. Raises UserError if the word is neither ON nor OFF."""
    if word.upper() not in ("ON", "OFF"):
        raise UserError("Write SET DIGEST ON or SET DIGEST OFF.")
    return c.SetDigest(on=word.upper() == "ON")


def quiet(begin: time | None = None, end: time | None = None) -> c.SetQuiet:
    """Return the quiet hours, or none. Raises UserError if they fill the whole day."""
    if begin is None or end is None:
        return c.SetQuiet(None)
    if begin == end:
        raise UserError("These hours are the whole day. Write, for example, SET QUIET 22:00-07:00.")
    return c.SetQuiet(QuietHours(begin, end))


def lead(count: int, unit: str) -> timedelta:
    """Return a time before a deadline. Raises UserError if it is too long or too short."""
    unit = unit.lower().rstrip("s") + "s"
    # The bound is checked first, because a timedelta of too many weeks is an error of its own.
    if count > LONGEST_LEAD.total_seconds() or timedelta(**{unit: count}) > LONGEST_LEAD:
        raise UserError(f"A reminder is sent at most {LONGEST_LEAD.days} days before the deadline.")
    if timedelta(**{unit: count}) < SHORTEST_LEAD:
        raise UserError("A reminder is sent at least 10 minutes before the deadline.")
    return timedelta(**{unit: count})


def leads(*spans: timedelta) -> tuple[timedelta, ...]:
    """Return the spans, each once, longest first. Raises UserError if there are too many."""
    if len(set(spans)) > MOST_REMINDERS:
        raise UserError(f"You can have at most {MOST_REMINDERS} reminders for one turn.")
    return tuple(sorted(set(spans), reverse=True))


def clock_time(text: str) -> time:
    """Return the time of day in *text*, such as ``22:00``."""
    hours, _, minutes = text.partition(":")
    return time(int(hours), int(minutes))
