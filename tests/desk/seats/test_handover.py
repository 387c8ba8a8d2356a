"""The files that a newcomer gets: the last reports as they were sent, with their press."""

from email import message_from_bytes
from pathlib import Path

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

CONVERSATION = Path(__file__).parents[2] / "conversations" / "handover.txt"


def files(raw: bytes) -> dict[str, str]:
    """Return the text files of a letter by their names."""
    parts = {part.get_filename(): part for part in message_from_bytes(raw).walk()}
    payloads = ((name, part.get_payload(decode=True)) for name, part in parts.items() if name)
    return {name: load.decode() for name, load in payloads if isinstance(load, bytes)}


@pytest.mark.slow
def test_the_last_reports_come_as_they_were_sent() -> None:
    conversation = Conversation(installed_rulesets())
    conversation.run(CONVERSATION.read_text("utf-8"))
    packs = [files(letter.raw) for letter in conversation.mailed if b"you now play" in letter.raw]
    to_bilbo = next(pack for pack in packs if "report-t2.txt" in pack and len(pack) == 3)
    assert "your first report" in to_bilbo["report-t1.txt"]
    assert "your first report" not in to_bilbo["report-t2.txt"]
    assert "PRESS FROM SAM TO FRODO\n: I shall not go to W7." in to_bilbo["report-t2.txt"]
    assert "Game SW-1, Turn 1, [FRODO]" in to_bilbo["report-t1.txt"]
    assert to_bilbo["map.svg"].startswith("<svg")
    # The files contain no press from the earlier player, nor press for the next reports.
    assert "tired" not in "".join(to_bilbo.values())
    assert "peace" not in "".join(to_bilbo.values())
    conversation.close()
