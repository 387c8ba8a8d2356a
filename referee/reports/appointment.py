"""A deadline as an entry for a calendar program (RFC 5545)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

_OCTETS: Final = 75
_HEAD: Final = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//referee//deadline//EN")
_END: Final = "END:VCALENDAR"


@dataclass(frozen=True, slots=True)
class Appointment:
    """Something that is due; *key* is globally unique and the same for the same thing.

    A calendar program replaces an entry by one with a higher *version*.
    """

    key: str
    summary: str
    organizer: str
    """The address of who publishes the entry: the site."""
    due: datetime | None
    """None only for an entry that is cancelled."""
    written: datetime
    version: int = 0
    cancelled: bool = False
    description: str = ""

    @property
    def method(self) -> str:
        """The action of a calendar program on the entry (RFC 5546)."""
        return "CANCEL" if self.cancelled else "PUBLISH"


def ics(appointment: Appointment) -> bytes:
    """Return a calendar with one entry, which has no duration (RFC 5545, 5546)."""
    # An entry that is cancelled must not have an alarm.
    alarm = () if appointment.cancelled else _alarm(appointment)
    method = f"METHOD:{appointment.method}"
    return _written((*_HEAD, method, *_event(appointment, alarm), _END))


def calendar(name: str, appointments: Iterable[Appointment]) -> bytes:
    """Return a calendar to subscribe to, without alarms. The same entries give the same bytes."""
    events = (line for each in appointments for line in _event(each, ()))
    return _written((*_HEAD, "METHOD:PUBLISH", f"X-WR-CALNAME:{_text(name)}", *events, _END))


def _event(appointment: Appointment, alarm: Iterable[str]) -> tuple[str, ...]:
    due, description = appointment.due, appointment.description
    return (
        "BEGIN:VEVENT",
        f"UID:{_text(appointment.key)}",
        f"SEQUENCE:{appointment.version}",
        f"STATUS:{'CANCELLED' if appointment.cancelled else 'CONFIRMED'}",
        f"DTSTAMP:{_moment(appointment.written)}",
        *([f"DTSTART:{_moment(due)}"] if due is not None else []),
        f"ORGANIZER;CN=referee:mailto:{appointment.organizer}",
        f"SUMMARY:{_text(appointment.summary)}",
        *([f"DESCRIPTION:{_text(description)}"] if description else []),
        "TRANSP:TRANSPARENT",
        *alarm,
        "END:VEVENT",
    )


def _written(lines: Iterable[str]) -> bytes:
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


def _alarm(appointment: Appointment) -> tuple[str, ...]:
    return (
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_text(appointment.summary)}",
        "TRIGGER:-PT3H",
        "END:VALARM",
    )


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    """Return *text* as one value, with the special characters of the format escaped."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """Fold a line between characters before it exceeds the number of bytes in a line."""
    lines, room = [""], _OCTETS
    for character in line:
        size = len(character.encode())
        if size > room:
            lines.append(" ")
            room = _OCTETS - 1
        lines[-1] += character
        room -= size
    return "\r\n".join(lines)
