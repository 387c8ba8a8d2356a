"""A deadline as an entry for a calendar program (RFC 5545)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

_OCTETS: Final = 75


@dataclass(frozen=True, slots=True)
class Appointment:
    """Something that is due: *key* is the same for the same thing, in all the world.

    A calendar program puts a higher *version* in the place of a lower one.
    """

    key: str
    summary: str
    due: datetime
    written: datetime
    version: int = 0
    cancelled: bool = False


def ics(appointment: Appointment) -> bytes:
    """Return a calendar of one entry that takes no time."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//referee//deadline//EN",
        f"METHOD:{'CANCEL' if appointment.cancelled else 'PUBLISH'}",
        "BEGIN:VEVENT",
        f"UID:{_text(appointment.key)}",
        f"SEQUENCE:{appointment.version}",
        f"STATUS:{'CANCELLED' if appointment.cancelled else 'CONFIRMED'}",
        f"DTSTAMP:{_moment(appointment.written)}",
        f"DTSTART:{_moment(appointment.due)}",
        f"SUMMARY:{_text(appointment.summary)}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    """Return *text* as one value, with the marks of the format escaped."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """Break a line before it has more octets than a line may have, between characters."""
    lines, room = [""], _OCTETS
    for character in line:
        size = len(character.encode())
        if size > room:
            lines.append(" ")
            room = _OCTETS - 1
        lines[-1] += character
        room -= size
    return "\r\n".join(lines)
