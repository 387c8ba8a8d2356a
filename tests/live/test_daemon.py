"""The whole referee between real servers: Dovecot keeps its mailbox, Postfix takes its letters."""

from collections import Counter
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.live.dovecot import PASSWORD, Dovecot
from tests.live.postfix import Postfix
from tests.processes import Installation, wait_for

pytestmark = pytest.mark.live

SETTINGS = """
[house]
address = "referee@example.org"
operator = "gm@example.org"
[[imap]]
name = "games"
host = "127.0.0.1"
port = {imap}
security = "none"
user = "referee"
password_file = "imap.password"
[sending]
kind = "smtp"
host = "127.0.0.1"
port = {smtp}
security = "none"
"""


class Post:
    """What people write to the referee, and what lies in their mailboxes."""

    def __init__(self, dovecot: Dovecot) -> None:
        self._dovecot = dovecot
        self._count = 0

    def write(self, sender: str, text: str) -> None:
        self._count += 1
        self._dovecot.deliver(
            f"From: <{sender}@example.org>\r\nTo: referee@example.org\r\n"
            f"Message-ID: <{self._count}@live.example>\r\n\r\n{text}\r\n".encode()
        )

    def subjects(self, person: str) -> list[str]:
        return [str(message_from_bytes(raw)["Subject"]) for raw in self._dovecot.letters(person)]

    def has(self, person: str, words: str) -> bool:
        return any(words in subject for subject in self.subjects(person))

    def copies(self) -> int:
        """Give how often a letter came that had come before."""
        people = ("gm", "frodo", "sam")
        raws = [raw for person in people for raw in self._dovecot.letters(person)]
        numbers = Counter(str(message_from_bytes(raw)["Message-ID"]) for raw in raws)
        return sum(count - 1 for count in numbers.values())


def test_a_game_goes_on_through_real_servers_and_a_kill(
    tmp_path: Path, dovecot: Dovecot, postfix: Postfix
) -> None:
    postfix.route("example.org", dovecot.lmtp_port, "lmtp")
    (tmp_path / "imap.password").write_text(PASSWORD)
    settings = SETTINGS.format(imap=dovecot.imap_port, smtp=postfix.port)
    installation = Installation(tmp_path, settings)
    post = Post(dovecot)
    with installation.running() as referee:
        post.write("gm", 'CREATE STARWEB SEATS 2 DEADLINE "8 seconds"')
        wait_for(lambda: post.has("gm", "SW-1"))
        post.write("frodo", "JOIN SW-1 FRODO")
        post.write("sam", "JOIN SW-1 SAM")
        wait_for(lambda: post.has("frodo", "[SW-1 T1 FRODO]") and post.has("sam", "[SW-1 T1 SAM]"))
        # The turn runs and its deadline is near.
        referee.kill()
    with installation.running() as referee:
        wait_for(lambda: post.has("frodo", "[SW-1 T2 FRODO]") and post.has("sam", "[SW-1 T2 SAM]"))
        log = referee.stop()
    assert post.copies() == 0
    assert dovecot.letters("referee") == []
    assert len(dovecot.letters("referee", "Done")) == 3
    assert "level=error" not in log
