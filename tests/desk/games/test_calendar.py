"""The deadline as a calendar entry: sent again when it moves, cancelled when it is void."""

import re
from contextlib import closing
from email import message_from_bytes
from email.message import Message

import pytest
from icalendar import Calendar

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from tests.desk.reception.test_gm_commands import RUNNING

PLAYER = "frodo@shire.example"
WANTED = """
=== frodo@shire.example replies to T1
SET ATTACHMENTS DEADLINE

=== frodo@shire.example gets mail
"""
ORDERED = """
=== gm@example.org writes

GM SW-1
{command}

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example gets mail
"""
COMMANDED = f"{ORDERED}=== sam@shire.example gets mail\n"
AT_ONCE = COMMANDED.replace(
    """=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
""",
    "",
)


def _entries(talk: Conversation) -> list[dict[str, str]]:
    """Return the fields of the calendar files that the player got, oldest first."""
    letters = [message_from_bytes(d.raw) for d in talk.mailed if d.recipient == PLAYER]
    files = [part for letter in letters for part in letter.walk() if _is_entry(part)]
    for file in files:
        _check(file)
    return [
        dict(re.findall(r"^(UID|SEQUENCE|DTSTART|STATUS):(.*?)\r?$", _text(file), re.M))
        for file in files
    ]


def _check(file: Message) -> None:
    """Check a calendar file as RFC 5545, 5546 and 6047 ask, with a reader of calendars."""
    text = _text(file)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert text.endswith("END:VCALENDAR\r\n")
    assert "\n" not in text.replace("\r\n", "")
    calendar = Calendar.from_ical(text)
    assert not calendar.errors
    (event,) = calendar.walk("VEVENT")
    assert not event.errors
    method = calendar["METHOD"]
    assert method == file.get_param("method")
    assert method == ("CANCEL" if event["STATUS"] == "CANCELLED" else "PUBLISH")
    assert event["ORGANIZER"] == "mailto:games@referee.example"
    for name in ("UID", "SEQUENCE", "DTSTAMP", "SUMMARY", "DESCRIPTION"):
        assert name in event
    alarms = calendar.walk("VALARM")
    assert "ATTENDEE" not in event
    if method == "CANCEL":
        assert alarms == []
    else:
        assert "DTSTART" in event
        assert [alarm["ACTION"] for alarm in alarms] == ["DISPLAY"]
        assert "TRIGGER" in alarms[0]


def _is_entry(part: Message) -> bool:
    return part.get_content_type() == "text/calendar"


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


@pytest.mark.slow
def test_an_entry_takes_the_place_of_the_one_before() -> None:
    talk = Conversation(installed_rulesets())
    talk.run(RUNNING + WANTED)
    for command in ("EXTEND 1 day", "HOLD", "RESUME"):
        talk.run(AT_ONCE.format(command=command))
    entries = _entries(talk)
    talk.close()
    assert [entry["STATUS"] for entry in entries] == ["CONFIRMED", "CANCELLED", "CONFIRMED"]
    assert {entry["UID"] for entry in entries} == {"sw-1-t1-s1@referee.example"}
    numbers = [int(entry["SEQUENCE"]) for entry in entries]
    assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    assert {entry["DTSTART"] for entry in entries} == {"20260907T120000Z"}


@pytest.mark.parametrize(
    "talked",
    [
        COMMANDED.format(command="END GAME"),
        ORDERED.format(command="ELIMINATE FRODO"),
        ORDERED.format(command="VACATE FRODO"),
        """
=== frodo@shire.example replies to T1
RESIGN

=== frodo@shire.example gets mail
=== frodo@shire.example replies
CONFIRM

=== frodo@shire.example gets mail
=== gm@example.org gets mail
""",
    ],
    ids=["end", "elimination", "vacant", "resignation"],
)
@pytest.mark.slow
def test_a_deadline_that_is_void_leaves_the_calendar(talked: str) -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(RUNNING + WANTED)
        talk.run(AT_ONCE.format(command="EXTEND 1 day"))
        talk.run(talked)
        first, last = _entries(talk)
    assert (first["STATUS"], last["STATUS"]) == ("CONFIRMED", "CANCELLED")
    assert first["UID"] == last["UID"]
    assert int(last["SEQUENCE"]) == int(first["SEQUENCE"]) + 1


@pytest.mark.slow
def test_a_vote_for_more_time_moves_the_entry() -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(RUNNING + WANTED)
        talk.run("""
=== frodo@shire.example replies to T1
VOTE EXTEND 1 day

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
=== sam@shire.example replies to vote: extend turn 1
VOTE EXTEND YES

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")
        (entry,) = _entries(talk)
    assert entry["DTSTART"] == "20260907T120000Z"


@pytest.mark.slow
def test_a_rollback_takes_back_the_entry_of_the_undone_turn() -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(RUNNING + WANTED)
        talk.run("""
=== 5 days pass
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org writes

GM SW-1
ROLLBACK

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
""")
        second, again, undone = _entries(talk)
    assert [second["STATUS"], again["STATUS"], undone["STATUS"]] == [
        "CONFIRMED",
        "CONFIRMED",
        "CANCELLED",
    ]
    assert second["UID"] == undone["UID"] == "sw-1-t2-s1@referee.example"
    assert again["UID"] == "sw-1-t1-s1@referee.example"
    assert int(undone["SEQUENCE"]) == int(second["SEQUENCE"]) + 1
