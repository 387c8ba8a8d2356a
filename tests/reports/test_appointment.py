"""Deadlines for calendar programs."""

from datetime import UTC, datetime, timedelta, timezone

from icalendar import Calendar

from referee.reports.appointment import Appointment, calendar, ics

DUE = datetime(2026, 10, 2, 20, tzinfo=timezone(timedelta(hours=2)))
WRITTEN = datetime(2026, 9, 18, 4, 4, 5, tzinfo=UTC)
SITE = "games@referee.example"


def test_a_deadline_is_an_entry_without_duration() -> None:
    due = Appointment("sw-7-t11-s2@referee.example", "SW-7: orders are due", SITE, DUE, WRITTEN)
    assert ics(due).decode().split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//referee//deadline//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        "UID:sw-7-t11-s2@referee.example",
        "SEQUENCE:0",
        "STATUS:CONFIRMED",
        "DTSTAMP:20260918T040405Z",
        "DTSTART:20261002T180000Z",
        "ORGANIZER;CN=referee:mailto:games@referee.example",
        "SUMMARY:SW-7: orders are due",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "DESCRIPTION:SW-7: orders are due",
        "TRIGGER:-PT3H",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_a_newer_entry_replaces_an_older_one() -> None:
    moved = ics(Appointment("k", "due", SITE, DUE, WRITTEN, version=3)).decode().split("\r\n")
    assert "SEQUENCE:3" in moved
    held = (
        ics(Appointment("k", "due", SITE, DUE, WRITTEN, 4, cancelled=True)).decode().split("\r\n")
    )
    assert {"METHOD:CANCEL", "UID:k", "SEQUENCE:4", "STATUS:CANCELLED"} <= set(held)


def test_special_characters_are_escaped_and_long_lines_folded_between_characters() -> None:
    lines = ics(Appointment("k", "a;b,c\\d\ne" + "é" * 60, SITE, DUE, WRITTEN)).split(b"\r\n")
    at = next(number for number, line in enumerate(lines) if line.startswith(b"SUMMARY"))
    assert max(map(len, lines)) <= 75
    assert lines[at].decode().startswith("SUMMARY:a\\;b\\,c\\\\d eé")
    assert lines[at + 1].decode().startswith(" é")
    assert lines[at].decode().count("é") + lines[at + 1].decode().count("é") == 60


def test_a_calendar_has_many_deadlines_and_no_alarm() -> None:
    entries = [
        Appointment(f"sw-{n}-t1@referee.example", f"SW-{n}: turn 1 is due", SITE, DUE, WRITTEN)
        for n in (1, 2)
    ]
    content = calendar("The Referee: deadlines", entries)
    read = Calendar.from_ical(content)
    assert read["X-WR-CALNAME"] == "The Referee: deadlines"
    found = [(str(event["UID"]), event.decoded("DTSTART")) for event in read.walk("VEVENT")]
    assert found == [
        ("sw-1-t1@referee.example", DUE),
        ("sw-2-t1@referee.example", DUE),
    ]
    assert read.walk("VALARM") == []
    assert calendar("The Referee: deadlines", entries) == content
