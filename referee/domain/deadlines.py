"""The arithmetic of deadlines: the first, the next, and those that are moved."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import count, pairwise
from zoneinfo import ZoneInfo

from referee.domain.days import local_moment
from referee.domain.schedules import Calendar, Schedule, Span

FIRST_NOTICE = timedelta(hours=24)
"""The shortest time between the start of a game and its first deadline on a calendar."""
_LOOKED_AT = 60
"""The number of turns of which the longest is taken: a quarter of a year of weekdays."""
LATE = timedelta(hours=1)
"""A turn resolved this long after its deadline and grace keeps turns *apart* from that moment."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn that has ended: its scheduled deadline, its actual deadline, and the present time.

    It took orders until it *closes*. *is_span* says that its phase had a length of its own, so that
    its deadline was none of the calendar. *fair* is how much of its usual length the next turn has
    at least if this one ended early, in percent.
    """

    scheduled: datetime
    due: datetime
    now: datetime
    closes: datetime
    is_span: bool = False
    fair: int = 50

    @property
    def end(self) -> datetime:
        """The moment from which the next turn is measured: the deadline, however late it is now."""
        return min(self.due, self.now)

    @property
    def is_late(self) -> bool:
        """Whether the turn was resolved much later than its deadline and its grace."""
        return self.now - self.closes > LATE

    @property
    def is_early(self) -> bool:
        """Whether the deadline of the calendar for this turn has not been reached."""
        return self.now < max(self.due, self.scheduled if self.is_span else self.due)


def notice(schedule: Schedule, phase: str = "") -> timedelta:
    """Return the least time that a turn keeps, whatever moved its deadline or the one before.

    It is half the usual length of a turn, and at most a day.
    """
    return min(_usual(schedule, phase) / 2, FIRST_NOTICE)


def first_deadline(schedule: Schedule, start: datetime, phase: str = "") -> datetime:
    """Return the deadline of the first turn of a game that starts at *start*, in UTC.

    On a calendar it is the first day that leaves every player a day's notice, in any week.
    """
    apart = _apart(schedule, phase)
    length = _length(schedule, phase)
    if length is not None:
        return _put_off(schedule, start + max(length, apart))
    rule = schedule.rule
    assert isinstance(rule, Calendar)
    earliest = start + max(apart, FIRST_NOTICE)
    return _day_from(replace(schedule, rule=replace(rule, every=1)), earliest, earliest)


def next_deadline(schedule: Schedule, ended: Ended, phase: str = "") -> datetime:
    """Return the deadline after a turn that has ended, in UTC.

    It leaves at least the notice from now on. On a calendar it is later than the deadline of that
    turn, or after an early end the first day that leaves a fair time. It is computed from the
    scheduled deadline, so a late adjudication or an extension does not move a calendar's rhythm. A
    span begins at the deadline of the turn.
    """
    apart = _apart(schedule, phase)
    earliest = max(ended.end + apart, ended.now + notice(schedule, phase))
    if ended.is_late:
        earliest = max(earliest, ended.now + apart)
    length = _length(schedule, phase)
    if length is None:
        passed = max(ended.due, ended.now) + timedelta.resolution
        fair = ended.now + _usual(schedule, phase) * ended.fair / 100
        earliest = max(earliest, fair if ended.is_early else passed)
        return _day_from(schedule, ended.scheduled, earliest)
    regular = ended.end + length
    return _put_off(schedule, max(regular if regular > ended.now else ended.now + length, earliest))


def resumed_deadline(
    schedule: Schedule, scheduled: datetime, earliest: datetime, phase: str = ""
) -> datetime:
    """Return the first moment of the schedule that is not before *earliest*, in UTC."""
    if _length(schedule, phase) is not None:
        return _put_off(schedule, earliest)
    return _day_from(schedule, scheduled, earliest)


def landed(schedule: Schedule, moment: datetime, later: timedelta = timedelta(0)) -> datetime:
    """Return where a deadline moves that shall be *later* than *moment*, in UTC.

    It is that moment, or the hour of the next day on which a turn can be due. Whole days count by
    the clock of the schedule's zone, so that the hour stays when summer time begins or ends.
    """
    days, rest = divmod(later, timedelta(days=1))
    if days:
        local = moment.astimezone(ZoneInfo(schedule.zone))
        moment = local_moment(local.date() + timedelta(days), local.time(), schedule.zone)
    return _put_off(schedule, moment + rest)


def closing(schedule: Schedule, due: datetime, grace: timedelta) -> datetime:
    """Return until when a turn that is *due* takes orders, in UTC: then it is resolved.

    A grace is a span after the deadline, so on a calendar, too, it ends on any day that is not left
    out by name. Without one the turn closes at its deadline, on any day.
    """
    if schedule.calendar is not None:
        schedule = replace(schedule, rule=Span(grace, zone=schedule.zone))
    return landed(schedule, due, grace) if grace else due


def early_end(now: datetime, wait: timedelta, due: datetime, closes: datetime) -> datetime:
    """Return when a turn that is *due* ends if everybody is ready *now*: after the *wait*.

    That is never after the deadline, or after the turn *closes* if the deadline has passed.
    """
    return min(now + wait, due if now <= due else closes)


def coming(
    schedule: Schedule, due: datetime, number: int, grace: timedelta = timedelta(0)
) -> list[datetime]:
    """Return the next *number* deadlines after *due*, if no turn is early, late or moved."""
    deadlines = [due]
    while len(deadlines) <= number:
        last = deadlines[-1]
        closes = closing(schedule, last, grace)
        deadlines.append(next_deadline(schedule, Ended(last, last, closes, closes)))
    return deadlines[1:]


def longest_turn(schedule: Schedule, start: datetime) -> timedelta:
    """Return the length of the longest of the turns after *start* if no deadline is moved.

    Of the turns far ahead, these are the ones that a recess makes longer.
    """
    first = first_deadline(schedule, start)
    dues = [first, *coming(schedule, first, _LOOKED_AT)]
    turns = [later - due for due, later in pairwise(dues)]
    turns += [
        coming(schedule, moment, 1)[0] - moment
        for recess in schedule.recesses
        for day in recess.begins(start.year)
        if (moment := local_moment(day, time(), schedule.zone)) > start
    ]
    return max(*turns, *(span.length for span in schedule.phases))


def _length(schedule: Schedule, phase: str) -> timedelta | None:
    """Return the length of the turn, or None if the calendar decides when it ends."""
    length = schedule.span_of(phase)
    if length is None and isinstance(schedule.rule, Span):
        return schedule.rule.length
    return length


def _apart(schedule: Schedule, phase: str) -> timedelta:
    # A GM who gives a phase a length of its own wants it that short.
    return schedule.apart if schedule.span_of(phase) is None else timedelta(0)


def _usual(schedule: Schedule, phase: str) -> timedelta:
    """Return the usual length of a turn; on a calendar, the shortest from one day to the next."""
    length = _length(schedule, phase)
    if length is None:
        rule = schedule.rule
        assert isinstance(rule, Calendar)
        days = sorted(rule.days - schedule.closed)
        length = min(timedelta(b - a) for a, b in pairwise([*days, days[0] + 7 * rule.every]))
    return max(length, _apart(schedule, phase))


def offset(moment: datetime, zone: str) -> timedelta:
    """Return the UTC offset of a zone at a moment, by the present zone data."""
    found = moment.astimezone(ZoneInfo(zone)).utcoffset()
    assert found is not None
    return found


def at_the_same_hour(moment: datetime, set_with: timedelta, zone: str) -> datetime:
    """Return when the present zone data have the local time that *moment* had, in UTC.

    *set_with* is the offset of the zone at that moment when it was set.
    """
    if offset(moment, zone) == set_with:
        return moment
    local = moment.astimezone(UTC).replace(tzinfo=None) + set_with
    return local_moment(local.date(), local.time(), zone)


def _put_off(schedule: Schedule, moment: datetime) -> datetime:
    """Return the first moment at or after *moment* when a turn can be due, in UTC.

    On a later day that is the hour of the schedule, or else the same hour by the local clock.
    """
    local = moment.astimezone(ZoneInfo(schedule.zone))
    if isinstance(schedule.rule, Span) and schedule.hour is not None:
        moment = max(moment, local_moment(local.date(), schedule.hour, schedule.zone))
    days = (local.date() + timedelta(days=n) for n in count())
    # A schedule without such a day is rejected when it is read.
    day = next(day for day in days if schedule.is_open(day))
    if day == local.date():
        return moment.astimezone(UTC)
    return local_moment(day, schedule.hour or local.time(), schedule.zone)


def _day_from(schedule: Schedule, anchor: datetime, earliest: datetime) -> datetime:
    """Return the first moment of a calendar that is not before *earliest*, in UTC.

    Every n-th week counts from the week of the anchor, which is a deadline of the calendar.
    """
    return next(day for day in _days(schedule, anchor, earliest) if day >= earliest)


def _days(schedule: Schedule, anchor: datetime, start: datetime) -> Iterator[datetime]:
    """Return the moments of a calendar in ascending order, from no later than *start*, in UTC."""
    calendar = schedule.rule
    assert isinstance(calendar, Calendar)
    monday, first = (_monday(moment, calendar.zone) for moment in (anchor, start))
    weeks = (first - monday).days // 7
    monday += timedelta(weeks=weeks // calendar.every * calendar.every)
    while True:
        for day in (monday + timedelta(days=day) for day in sorted(calendar.days)):
            if schedule.is_open(day):
                yield local_moment(day, calendar.at, calendar.zone)
        monday += timedelta(weeks=calendar.every)


def _monday(moment: datetime, zone: str) -> date:
    local = moment.astimezone(ZoneInfo(zone)).date()
    return local - timedelta(days=local.weekday())
