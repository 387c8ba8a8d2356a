"""A mailbox on a real Dovecot: letters arrive, move, and survive failures."""

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from referee.domain.mail_transfer import IncomingMail
from referee.errors import StoreBusy
from referee.mail.imap import ImapMailbox, Position
from referee.mail.security import Security
from tests.live.cutting import CuttingProxy
from tests.live.dovecot import Dovecot
from tests.live.reading import Book, Reading, account
from tests.live.servers import until
from tests.mail.samples import client_context

pytestmark = [pytest.mark.live, pytest.mark.slow]

WITHOUT_MOVE = "IMAP4rev1 SASL-IR LITERAL+ IDLE UIDPLUS"
WITHOUT_ANYTHING = "IMAP4rev1"


def letter(subject: str, size: int = 10) -> bytes:
    return f"Subject: {subject}\r\n\r\n{'x' * size}\r\n".encode()


def until_done(dovecot: Dovecot, number: int) -> None:
    until(
        f"{number} letters lie in Done and none in the inbox",
        lambda: len(dovecot.letters(folder="Done")) == number and dovecot.letters() == [],
    )


def test_waiting_letters_are_taken_and_moved(dovecot: Dovecot) -> None:
    for n in range(3):
        dovecot.deliver(letter(f"n{n}"))
    waiting = dovecot.letters()
    book = Book()
    with Reading(account(dovecot.imap_port), book) as reading:
        reading.until_taken(3)
        until_done(dovecot, 3)
    assert book.subjects() == ["n0", "n1", "n2"]
    assert [arrival.raw for arrival in book.arrivals] == waiting
    assert dovecot.letters(folder="Done") == waiting
    assert book.position is not None
    uidvalidity = book.position.uidvalidity
    assert book.position.last_uid == 3
    assert [(a.source, a.source_id) for a in book.arrivals] == [
        ("imap:games", f"{uidvalidity}/{uid}") for uid in (1, 2, 3)
    ]


def test_the_arrival_is_the_servers_time(dovecot: Dovecot) -> None:
    dovecot.deliver(letter("now"))
    book = Book()
    with Reading(account(dovecot.imap_port), book) as reading:
        reading.until_taken(1)
    age = datetime.now(UTC) - book.arrivals[0].arrived_at
    assert timedelta(0) <= age < timedelta(seconds=30)


def test_a_letter_is_announced_long_before_the_poll(dovecot: Dovecot) -> None:
    book = Book()
    with Reading(account(dovecot.imap_port, poll_seconds=3600), book) as reading:
        dovecot.deliver(letter("first"))
        reading.until_taken(1)
        # By now the mailbox waits for four seconds at a time, unless mail is announced.
        time.sleep(3.8)
        dovecot.deliver(letter("second"))
        until("the second is announced", lambda: len(book.arrivals) == 2, seconds=2.5)
    assert book.subjects() == ["first", "second"]


@pytest.mark.parametrize("capability", [WITHOUT_MOVE, WITHOUT_ANYTHING])
def test_a_server_without_extensions_works(dovecot: Dovecot, capability: str) -> None:
    dovecot.restart(capability)
    book = Book()
    with Reading(account(dovecot.imap_port, poll_seconds=0.1), book) as reading:
        for n in range(2):
            dovecot.deliver(letter(f"n{n}"))
            reading.until_taken(n + 1)
        until("both are copied", lambda: len(dovecot.letters(folder="Done")) == 2)
        dovecot.deliver(letter("last"))
        reading.until_taken(3)
        until("the last is copied, too", lambda: len(dovecot.letters(folder="Done")) == 3)
    assert book.subjects() == ["n0", "n1", "last"]
    # Without UID EXPUNGE, done letters stay, marked as deleted, and no other is expunged.
    assert len(dovecot.letters()) == (0 if capability == WITHOUT_MOVE else 3)


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
def test_a_mailbox_is_read_over_tls(dovecot: Dovecot, security: Security) -> None:
    port = dovecot.imaps_port if security is Security.TLS else dovecot.imap_port
    book = Book()
    with Reading(account(port, security=security, context=client_context()), book) as reading:
        for n in range(2):
            dovecot.deliver(letter(f"n{n}"))
            reading.until_taken(n + 1)
        until_done(dovecot, 2)


def test_a_server_with_a_strange_certificate_gets_no_password(dovecot: Dovecot) -> None:
    dovecot.deliver(letter("x"))
    book = Book()
    with Reading(account(dovecot.imaps_port, security=Security.TLS), book) as reading:
        until("the failure is reported", lambda: "certificate" in reading.mailbox.failure)
    assert book.arrivals == []


def test_a_wrong_password_is_reported_and_retried(dovecot: Dovecot) -> None:
    dovecot.deliver(letter("x"))
    passwords = ["wrong", "wrong", "secret"]
    right = account(dovecot.imap_port)
    asked = type(right)(
        name="games",
        host=right.host,
        port=right.port,
        user=right.user,
        password=lambda: passwords.pop(0) if len(passwords) > 1 else passwords[0],
        security=Security.NONE,
        login_pause_seconds=0.3,
    )
    book = Book()
    with Reading(asked, book) as reading:
        until("the failure is reported", lambda: "login refused" in reading.mailbox.failure)
        assert book.arrivals == []
        reading.until_taken(1)
        until("the trouble is over", lambda: reading.mailbox.failure == "")


def test_letters_that_were_accepted_but_never_moved_are_moved_and_not_taken_twice(
    dovecot: Dovecot,
) -> None:
    for n in range(3):
        dovecot.deliver(letter(f"n{n}"))
    book = Book()
    with Reading(account(dovecot.imap_port), book) as reading:
        reading.until_taken(3)
        until_done(dovecot, 3)
    assert book.position is not None
    # Like after a crash: two letters are committed, also in the cursor, but not moved.
    crashed = Book()
    crashed.position = Position(book.position.uidvalidity, 5)
    for n in range(3):
        dovecot.deliver(letter(f"again{n}"))
    with Reading(account(dovecot.imap_port), crashed) as reading:
        reading.until_taken(1)
        until_done(dovecot, 6)
    assert crashed.subjects() == ["again2"]


def test_another_uidvalidity_fetches_all_letters_again(dovecot: Dovecot) -> None:
    book = Book()
    with Reading(account(dovecot.imap_port), book) as reading:
        dovecot.deliver(letter("before"))
        reading.until_taken(1)
        until_done(dovecot, 1)
    before = book.position
    assert before is not None
    # The high cursor of the old numbers must not hide the low new ones.
    book.position = Position(before.uidvalidity, 1000)
    dovecot.deliver(letter("between"))
    dovecot.change_uidvalidity()
    with Reading(account(dovecot.imap_port), book) as reading:
        reading.until_taken(2)
        dovecot.deliver(letter("after"))
        reading.until_taken(3)
        until_done(dovecot, 3)
    assert book.subjects() == ["before", "between", "after"]
    assert book.position.uidvalidity != before.uidvalidity


def test_a_server_that_restarts_is_found_again(dovecot: Dovecot) -> None:
    book = Book()
    with Reading(account(dovecot.imap_port), book) as reading:
        dovecot.deliver(letter("before"))
        reading.until_taken(1)
        until_done(dovecot, 1)
        dovecot.stop()
        until("the failure is reported", lambda: reading.mailbox.failure != "")
        dovecot.start()
        dovecot.deliver(letter("after"))
        reading.until_taken(2)
        until_done(dovecot, 2)
    assert book.subjects() == ["before", "after"]


def test_a_hundred_and_twenty_letters_and_a_large_one(dovecot: Dovecot) -> None:
    for n in range(120):
        dovecot.deliver(letter(f"n{n}"))
    dovecot.deliver(letter("large", size=200_000))
    small = account(dovecot.imap_port)
    limited = type(small)(
        name="games",
        host=small.host,
        port=small.port,
        user=small.user,
        password=small.password,
        security=Security.NONE,
        size_limit=50_000,
    )
    book = Book()
    with Reading(limited, book) as reading:
        reading.until_taken(121)
        until_done(dovecot, 121)
    assert book.subjects() == [*(f"n{n}" for n in range(120)), "large"]
    assert len(book.arrivals[-1].raw) == 50_000
    assert len(dovecot.letters(folder="Done")[-1]) > 200_000


def test_a_store_failure_leaves_the_letter_in_its_place(dovecot: Dovecot) -> None:
    dovecot.deliver(letter("x"))
    troubles: list[Exception] = [StoreBusy("locked"), OSError("disk full")]
    book = Book()
    lying_there: list[int] = []

    def accept_all(arrivals: Sequence[IncomingMail]) -> None:
        lying_there.append(len(dovecot.letters()))
        if troubles:
            raise troubles.pop()
        book.accept_all(arrivals)

    stop = threading.Event()
    mailbox = ImapMailbox(account(dovecot.imap_port))
    thread = threading.Thread(
        target=mailbox.run, args=(accept_all, book, stop, lambda: datetime.now(UTC))
    )
    thread.start()
    try:
        until_done(dovecot, 1)
    finally:
        stop.set()
        thread.join(20)
    assert lying_there == [1, 1, 1]
    assert book.subjects() == ["x"]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_connection_cut_at_any_command_loses_and_doubles_nothing(
    dovecot: Dovecot, after: bool
) -> None:
    moved = 0
    for n in range(1, 19):
        for part in range(2):
            dovecot.deliver(letter(f"n{n}p{part}"))
        moved += 2
        book = Book()
        with (
            CuttingProxy(dovecot.imap_port, n, after=after) as proxy,
            Reading(account(proxy.port, poll_seconds=0.05), book) as reading,
        ):
            reading.until_taken(2)
            until_done(dovecot, moved)
            until("the line was cut", lambda: proxy.was_cut)
            until("the trouble is over", lambda: reading.mailbox.failure == "")
        assert book.subjects() == [f"n{n}p0", f"n{n}p1"]
