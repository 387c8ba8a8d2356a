"""Letters that begin a thread, with all that their sender's provider must sign."""

from datetime import datetime
from email.utils import format_datetime

from referee.testing.correspondents import signed


def new_letter(
    sender: str, number: object, words: str, at: datetime, to: str = "games@example.org"
) -> bytes:
    """Return a letter; one with JOIN or CREATE is signed, so it is not asked about."""
    head = (
        f"From: <{sender}>\r\nTo: {to}\r\nSubject: hello\r\nDate: {format_datetime(at)}\r\n"
        f"Message-ID: <{number}@x.org>"
    )
    return signed(f"{head}\r\n\r\n{words}\r\n".encode())
