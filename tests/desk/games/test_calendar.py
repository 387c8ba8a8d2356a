"""The deadline as a calendar entry: sent again when it moves, cancelled during a hold."""

import re
from email import message_from_bytes
from email.message import Message

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from tests.desk.reception.test_gm_commands import RUNNING

PLAYER = "frodo@shire.example"
WANTED = """
=== frodo@shire.example replies to T1
SET ATTACHMENTS DEADLINE

=== frodo@shire.example gets mail
"""
COMMANDED = """
=== gm@example.org writes

GM SW-1
{command}

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
"""


def _entries(talk: Conversation) -> list[dict[str, str]]:
    """Return the fields of the calendar files that the player got, oldest first."""
    letters = [message_from_bytes(d.raw) for d in talk.mailed if d.recipient == PLAYER]
    files = [part for letter in letters for part in letter.walk() if _is_entry(part)]
    return [
        dict(re.findall(r"^(UID|SEQUENCE|DTSTART|STATUS):(.*?)\r?$", _text(file), re.M))
        for file in files
    ]


def _is_entry(part: Message) -> bool:
    return part.get_content_type() == "text/calendar"


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def test_an_entry_takes_the_place_of_the_one_before() -> None:
    talk = Conversation(installed_rulesets())
    talk.run(RUNNING + WANTED)
    for command in ("EXTEND 1 day", "HOLD", "RESUME"):
        talk.run(COMMANDED.format(command=command))
    entries = _entries(talk)
    talk.close()
    assert [entry["STATUS"] for entry in entries] == ["CONFIRMED", "CANCELLED", "CONFIRMED"]
    assert {entry["UID"] for entry in entries} == {"sw-1-t1-s1@referee.example"}
    numbers = [int(entry["SEQUENCE"]) for entry in entries]
    assert numbers == sorted(set(numbers))
    assert {entry["DTSTART"] for entry in entries} == {"20260907T120000Z"}
