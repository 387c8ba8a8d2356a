"""A deadline as an entry for a calendar program (RFC 5545)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

_OCTETS: Final = 75


@dataclass(frozen=True, slots=True)
class Appointment:
    """Something that is due; *key* is globally unique and the same for the same thing.

    A calendar program replaces an entry by one with a higher *version*.
    """

    key: str
    summary: str
    due: datetime
    written: datetime
    version: int = 0
    cancelled: bool = False


def ics(appointment: Appointment) -> bytes:
    """Return a calendar with one entry, which has no duration."""
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
