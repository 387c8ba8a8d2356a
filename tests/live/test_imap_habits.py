"""A mailbox on servers with the habits of others: one connection, and every letter is taken."""

import time
from dataclasses import replace

import pytest

from tests.live.dovecot import Dovecot
from tests.live.habits import Habit, HabitProxy
from tests.live.reading import Book, Reading, account
from tests.live.servers import until

pytestmark = [pytest.mark.live, pytest.mark.slow]

LETTERS = 3


def letter(subject: str) -> bytes:
    return f"Subject: {subject}\r\n\r\nx\r\n".encode()


def taken_one_by_one(dovecot: Dovecot, habit: Habit, poll_seconds: float = 60.0) -> HabitProxy:
    """Deliver letters, each after the one before was taken; return what the server saw."""
    book = Book()
    with HabitProxy(dovecot.imap_port, habit) as proxy:
        with Reading(account(proxy.port, poll_seconds=poll_seconds), book) as reading:
            for n in range(LETTERS):
                dovecot.deliver(letter(f"n{n}"))
                reading.until_taken(n + 1)
        assert book.subjects() == [f"n{n}" for n in range(LETTERS)]
        return proxy


@pytest.mark.parametrize(
    "line",
    [
        rb"* 3 FETCH (UID 7 FLAGS (\Seen))",
        b"* 1 RECENT",
        b"* OK Still here",
        b"* 5 EXISTS",
        b'* FLAGS (\\Seen $Label1)\r\n* LIST () "/" Other\r\n* 2 EXPUNGE',
    ],
)
def test_any_response_can_come_before_idle_begins(dovecot: Dovecot, line: bytes) -> None:
    proxy = taken_one_by_one(dovecot, Habit(before_idle=line + b"\r\n"))
    assert proxy.commands["LOGIN"] == 1


@pytest.mark.parametrize("answer", [b"BAD Could not parse", b"NO [UNAVAILABLE] not now"])
def test_a_server_that_refuses_idle_is_polled_on_one_connection(
    dovecot: Dovecot, answer: bytes
) -> None:
    proxy = taken_one_by_one(dovecot, Habit(answers={b"IDLE": answer}), poll_seconds=0.1)
    assert (proxy.commands["LOGIN"], proxy.commands["IDLE"]) == (1, 1)


def test_a_goodbye_in_idle_loses_no_letter(dovecot: Dovecot) -> None:
    taken_one_by_one(dovecot, Habit(last_in_idle=b"* BYE Too long\r\n"))


def test_idle_that_the_server_ends_goes_on_with_the_same_connection(dovecot: Dovecot) -> None:
    assert taken_one_by_one(dovecot, Habit(ends_idle=True), 0.1).commands["LOGIN"] == 1


def test_letters_that_are_announced_and_not_there_are_believed_less_and_less(
    dovecot: Dovecot,
) -> None:
    book = Book()
    with (
        HabitProxy(dovecot.imap_port, Habit(in_idle=b"* 9 EXISTS\r\n")) as proxy,
        Reading(account(proxy.port), book) as reading,
    ):
        until("they are announced often", lambda: proxy.repeated >= 100)
        looks = proxy.commands["UID SEARCH"]
        dovecot.deliver(letter("n0"))
        reading.until_taken(1)
    assert looks <= 10
    assert proxy.commands["LOGIN"] == 1


def test_another_uidvalidity_at_each_look_loses_no_letter(dovecot: Dovecot) -> None:
    assert taken_one_by_one(dovecot, Habit(renumbers=True)).commands["LOGIN"] == 1


@pytest.mark.parametrize("answer", [b"NO [SERVERBUG] Internal error", b"OK Fetch completed"])
def test_a_letter_that_is_never_given_is_named_and_holds_up_no_other(
    dovecot: Dovecot, answer: bytes
) -> None:
    for n in range(3):
        dovecot.deliver(letter(f"n{n}"))
    book = Book()
    habit = Habit(answers={rb"UID FETCH (\d+,)*2(,\d+)* \(INTERNALDATE": answer})
    with (
        HabitProxy(dovecot.imap_port, habit) as proxy,
        Reading(account(proxy.port, poll_seconds=0.1), book) as reading,
    ):
        until(
            "the letter is named",
            lambda: book.position is not None and book.position.withheld == (2,),
        )
        dovecot.deliver(letter("n3"))
        reading.until_taken(3)
        until("the mailbox is read", lambda: reading.mailbox.failure == "")
        assert reading.mailbox.is_read
    assert book.subjects() == ["n0", "n2", "n3"]


@pytest.mark.parametrize(
    "habit",
    [
        *(
            Habit(hangs=command, connections=2)
            for command in (b"LOGIN", b"SELECT", b"UID SEARCH", b"UID FETCH", b"IDLE", b"DONE")
        ),
        # Within the answer to a FETCH of letters.
        Habit(stalls=1_500, connections=2),
    ],
    ids=lambda habit: habit.hangs.decode() or f"{habit.stalls} octets",
)
def test_a_connection_that_hangs_is_dropped_and_the_letters_are_taken(
    dovecot: Dovecot, habit: Habit
) -> None:
    book = Book()
    for n in range(LETTERS):
        dovecot.deliver(letter(f"n{n}") + b"x" * 700 + b"\r\n")
    with (
        HabitProxy(dovecot.imap_port, habit) as proxy,
        Reading(account(proxy.port, timeout_seconds=0.3), book) as reading,
    ):
        until("both hanging connections are dropped", lambda: proxy.connections == 3)
        dovecot.deliver(letter("late"))
        reading.until_taken(LETTERS + 1)
        until("the mailbox is read", lambda: reading.mailbox.failure == "")
    assert sorted(book.subjects()) == ["late", "n0", "n1", "n2"]
    assert proxy.connections == 3


@pytest.mark.parametrize(
    "throttle",
    [
        *(b"NO [LIMIT] Rate limit hit", b"NO [UNAVAILABLE] Try later"),
        b"NO [OVERQUOTA] Account exceeded command or bandwidth limits",
        b"BAD Request is throttled. Suggested Backoff Time: 92415 milliseconds",
        b"* BYE [UNAVAILABLE] Too many commands",
    ],
)
@pytest.mark.parametrize("limit", [1, 6])
def test_a_server_that_throttles_is_asked_less_and_less_and_loses_no_letter(
    dovecot: Dovecot, throttle: bytes, limit: int
) -> None:
    book = Book()
    dovecot.deliver(letter("n0"))
    habit = Habit(limit=limit, throttle=throttle, connections=5)
    patient = account(0, poll_seconds=0.05)
    with HabitProxy(dovecot.imap_port, habit) as proxy:
        begun = time.monotonic()
        slow = replace(patient, port=proxy.port, longest_pause_seconds=60.0)
        with Reading(slow, book) as reading:
            until("the server throttles no more", lambda: proxy.connections == 6)
            # Each connection logs in, and the pause doubles: 0.05, 0.1, 0.2, 0.4 and 0.8 seconds.
            assert time.monotonic() - begun >= 1.5
            dovecot.deliver(letter("n1"))
            reading.until_taken(2)
    assert sorted(book.subjects()) == ["n0", "n1"]
    assert proxy.connections == 6
