"""Many, large and full mailboxes on a real Dovecot, and one that a person tidies."""

import re
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from referee import resources
from referee.domain.mail_transfer import IncomingMail
from referee.mail.security import Login, Security, read_token
from tests.live import heavy
from tests.live.dovecot import PASSWORD, Dovecot
from tests.live.reading import Book, Reading, account
from tests.live.servers import until
from tests.mail.samples import client_context
from tests.support.processes import Installation

pytestmark = [pytest.mark.live, pytest.mark.slow]

CROWD = 1000
CROWD_SECONDS = 15.0
HEAVY = 50 * 2**20
LETTER_BYTES = 2 * 2**20


class Tally(Book):
    """A book that counts every arrival of a letter."""

    def accept(self, arrival: IncomingMail) -> None:
        self.arrivals.append(arrival)


def letter(subject: str) -> bytes:
    return f"Subject: {subject}\r\n\r\nx\r\n".encode()


def test_mailboxes_are_read_independently(dovecot: Dovecot) -> None:
    dovecot.deliver(letter("first"), "one@example.org")
    dovecot.deliver(letter("second"), "two@example.org")
    plain = account(dovecot.imap_port)
    one = replace(plain, name="one", user="one")
    two = replace(plain, name="two", user="two", security=Security.STARTTLS)
    two = replace(two, context=client_context())
    wrong = replace(plain, name="three", user="three", password=lambda: "wrong")
    books = [Book() for _ in range(3)]
    with (
        Reading(wrong, books[2]) as third,
        Reading(one, books[0]) as first,
        Reading(two, books[1]) as second,
    ):
        first.until_taken(1)
        second.until_taken(1)
        until("the third is reported", lambda: "login refused" in third.mailbox.failure)
    assert [book.subjects() for book in books] == [["first"], ["second"], []]
    assert [books[n].arrivals[0].source for n in range(2)] == ["imap:one", "imap:two"]


def test_a_token_opens_the_mailbox_and_an_expired_one_is_reported(dovecot: Dovecot) -> None:
    dovecot.deliver(letter("x"))
    tokens = [dovecot.token(seconds=-60), dovecot.token()]

    def token() -> str:
        word = tokens.pop(0) if len(tokens) > 1 else tokens[0]
        return read_token(["printf", "%s", word], "imap.games.token_command")

    book = Book()
    troubles = set()
    with Reading(
        replace(account(dovecot.imap_port), password=token, login=Login.TOKEN), book
    ) as reading:

        def is_read() -> bool:
            troubles.add(reading.mailbox.failure)
            return len(book.arrivals) == 1 and reading.mailbox.failure == ""

        until("the mailbox is read", is_read)
    assert "login refused: [AUTHENTICATIONFAILED] Authentication failed." in troubles
    assert book.subjects() == ["x"]


def test_a_folder_that_is_deleted_and_made_again_is_read_from_its_beginning(
    dovecot: Dovecot,
) -> None:
    book = Book()
    folder = replace(account(dovecot.imap_port, poll_seconds=0.1), folder="Orders")
    with dovecot.client() as human:
        human.create_folder("Orders")
        for n in range(3):
            human.append("Orders", letter(f"n{n}"))
        with Reading(folder, book) as reading:
            reading.until_taken(3)
            before = book.position
            # Not even the done folder exists any longer.
            until("all are moved", lambda: human.folder_status("Orders")[b"MESSAGES"] == 0)
            for name in ("Orders", "Done"):
                human.delete_folder(name)
            until("the failure is reported", lambda: reading.mailbox.failure != "")
            # Dovecot uses the current second for the number of a folder.
            time.sleep(1.1)
            human.create_folder("Orders")
            human.append("Orders", letter("new"))
            reading.until_taken(4)
            until("the trouble is over", lambda: reading.mailbox.failure == "")
    assert book.subjects() == ["n0", "n1", "n2", "new"]
    assert before is not None
    assert book.position is not None
    assert book.position.uidvalidity != before.uidvalidity
    assert len(dovecot.letters(folder="Done")) == 1


def test_letters_moved_or_deleted_by_a_person_cause_no_failure(dovecot: Dovecot) -> None:
    dovecot.fill([letter(f"n{n}") for n in range(300)])
    book = Book()
    with dovecot.client() as human:
        human.create_folder("Kept")
        human.select_folder("INBOX")
        tidying = threading.Thread(target=_tidy, args=(human,))
        with Reading(account(dovecot.imap_port), book) as reading:
            tidying.start()
            tidying.join(20)
            until("the inbox is empty", lambda: dovecot.letters() == [])
            dovecot.deliver(letter("last"))
            until("the last is taken", lambda: "last" in book.subjects())
            until("there is no trouble", lambda: reading.mailbox.failure == "")
    taken = Counter(book.subjects())
    done = [raw.split(b"Subject: ")[1].split(b"\r\n")[0] for raw in dovecot.letters(folder="Done")]
    assert max(taken.values()) == 1
    # Everything moved by us is ours; letters moved by the person first may be ours, too.
    assert {subject.decode() for subject in done} <= set(taken)
    assert not tidying.is_alive()


def _tidy(human: IMAPClient) -> None:
    """Delete every third letter and move every other third, one by one."""
    for uid in range(1, 301):
        try:
            if uid % 3 == 0:
                human.delete_messages([uid], silent=True)
                human.uid_expunge([uid])
            elif uid % 3 == 1:
                human.move([uid], "Kept")
        except IMAPClientError:
            # The referee was faster.
            continue


def test_a_letter_moved_back_arrives_again_with_another_uid(dovecot: Dovecot) -> None:
    dovecot.deliver(letter("x"))
    book = Book()
    with Reading(account(dovecot.imap_port), book) as reading, dovecot.client() as human:
        reading.until_taken(1)
        until("it is moved", lambda: len(dovecot.letters(folder="Done")) == 1)
        human.select_folder("Done")
        human.move(human.search("ALL"), "INBOX")
        reading.until_taken(2)
    assert len({arrival.source_id for arrival in book.arrivals}) == 2
    assert len({arrival.raw for arrival in book.arrivals}) == 1


def test_a_thousand_letters_at_once_are_each_taken_once_and_soon(dovecot: Dovecot) -> None:
    dovecot.fill([letter(f"n{n}") for n in range(CROWD)])
    tally = Tally()
    with Reading(account(dovecot.imap_port), tally):
        until("all are taken", lambda: len(tally.arrivals) >= CROWD, CROWD_SECONDS)
        until("all are moved", lambda: dovecot.letters() == [], CROWD_SECONDS)
    assert sorted(tally.subjects()) == sorted(f"n{n}" for n in range(CROWD))
    assert len(dovecot.letters(folder="Done")) == CROWD


@pytest.mark.release
def test_several_huge_letters_take_less_memory_than_one_of_them(
    dovecot: Dovecot, tmp_path: Path
) -> None:
    huge = letter("huge") + b"F1W2 and nothing else\r\n" * (HEAVY // 23)
    dovecot.fill([huge] * 3)
    (tmp_path / "imap.password").write_text(PASSWORD)
    settings = tmp_path / "referee.toml"
    settings.write_text(SETTINGS.format(port=dovecot.imap_port, letter_bytes=LETTER_BYTES))
    done = subprocess.run(
        [sys.executable, heavy.__file__, settings, "3"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert 0 < int(done.stdout) < HEAVY


def test_the_snippet_keeps_what_comes_with_tokens_in_one_mailbox(
    dovecot: Dovecot, tmp_path: Path
) -> None:
    snippet = (resources.folder("deploy") / "dovecot.conf").read_text()
    dovecot.restart(more=snippet)
    dovecot.deliver(letter("x"), "games+token@example.org")
    (tmp_path / "imap.password").write_text(PASSWORD)
    shown = "\n".join(re.findall(r"^#     (\[\[imap\]\]|\w+ = .+)$", snippet, re.M))
    mailbox = f"{shown}\nport = {dovecot.imap_port}\n"
    with dovecot.client("games") as human:
        assert human.folder_exists("Done")
        with Installation(tmp_path, HOUSE + mailbox).running():
            until("it is moved", lambda: len(dovecot.letters("games", "Done")) == 1)
    assert dovecot.letters("games") == []


HOUSE = """
[site]
address = "games@example.org"
operator = "you@example.org"
[sending]
kind = "maildir"
path = "sent"
"""
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[[imap]]
name = "games"
host = "127.0.0.1"
port = {port}
security = "none"
user = "referee"
password_file = "imap.password"
[sending]
kind = "maildir"
path = "sent"
[limits]
letter_bytes = {letter_bytes}
"""
