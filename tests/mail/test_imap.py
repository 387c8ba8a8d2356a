"""A mailbox on a misbehaving server: every available letter is taken once."""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from imapclient.exceptions import IMAPClientError

from referee.domain.mail_transfer import MOST_OCTETS, IncomingMail
from referee.errors import OverQuota
from referee.mail.imap import ImapMailbox, Position
from referee.mail.imap_folder import ImapAccount, opened
from referee.mail.security import Login, Security
from tests.mail.samples import NOW, clock
from tests.mail.scripted import Answer, Fault
from tests.mail.scripted_imap import Once, ScriptedImap
from tests.support.examples import mostly_slow

LETTERS = {uid: b"Subject: n%d\r\n\r\nx\r\n" % uid for uid in (3, 4, 9)}


class Inbox:
    """The letters taken, in order, and the position of the mailbox."""

    def __init__(self) -> None:
        self.arrivals: dict[str, IncomingMail] = {}
        self.accepted = 0
        self.position: Position | None = None

    def accept_all(self, arrivals: Sequence[IncomingMail]) -> None:
        self.accepted += len(arrivals)
        for arrival in arrivals:
            self.arrivals.setdefault(arrival.source_id, arrival)

    def get(self, source: str) -> Position | None:
        return self.position

    def set(self, source: str, position: Position) -> None:
        self.position = position


def read(
    server: ScriptedImap,
    inbox: Inbox,
    finished: Callable[[ImapMailbox], bool],
    now: Callable[[], datetime] = clock,
    timeout_seconds: float = 5.0,
    token: Callable[[], str] | None = None,
    size_limit: int = 25 * 2**20,
) -> ImapMailbox:
    """Read a mailbox until a condition is met, ten seconds at most."""
    account = ImapAccount(
        "games",
        "127.0.0.1",
        "referee",
        token or (lambda: "secret"),
        server.port,
        Security.NONE,
        Login.PASSWORD if token is None else Login.TOKEN,
        poll_seconds=0.02,
        size_limit=size_limit,
        timeout_seconds=timeout_seconds,
        first_pause_seconds=0.01,
        login_pause_seconds=0.2,
        longest_pause_seconds=0.2,
    )
    mailbox = ImapMailbox(account)
    stop = threading.Event()
    thread = threading.Thread(target=mailbox.run, args=(inbox.accept_all, inbox, stop, now))
    thread.start()
    end = time.monotonic() + 10
    while not finished(mailbox) and time.monotonic() < end:
        time.sleep(0.01)
    happened = finished(mailbox)
    stop.set()
    thread.join(10)
    assert happened
    assert not thread.is_alive()
    return mailbox


def test_letters_are_taken_with_the_servers_time_and_then_moved() -> None:
    inbox = Inbox()
    with ScriptedImap(LETTERS) as server:
        read(server, inbox, lambda mailbox: len(server.moved) == 3)
    assert list(inbox.arrivals) == ["7/3", "7/4", "7/9"]
    assert [arrival.raw for arrival in inbox.arrivals.values()] == list(LETTERS.values())
    assert inbox.position == Position(7, 9)
    assert inbox.arrivals["7/3"].arrived_at == datetime(2026, 9, 17, 18, 59, tzinfo=UTC)


def test_a_server_whose_clock_is_ahead_makes_no_letter_late() -> None:
    inbox = Inbox()
    early = NOW - timedelta(days=1)
    with ScriptedImap(LETTERS) as server:
        read(server, inbox, lambda mailbox: len(server.moved) == 3, now=lambda: early)
    assert {arrival.arrived_at for arrival in inbox.arrivals.values()} == {early}


@pytest.mark.slow
@pytest.mark.parametrize("fault", [Fault.DROP, Fault.SILENCE, "NO not now", "BAD what"])
@pytest.mark.parametrize(
    "verb", mostly_slow(["FETCH", "LOGIN", "SELECT", "SEARCH", "LIST", "MOVE", "LOGOUT"])
)
def test_a_fault_at_any_command_is_survived(verb: str, fault: Answer) -> None:
    inbox = Inbox()
    with ScriptedImap(LETTERS, {verb: [fault, fault]}) as server:
        mailbox = read(
            server,
            inbox,
            lambda mailbox: len(server.moved) == 3 and mailbox.failure == "",
            timeout_seconds=0.3 if fault is Fault.SILENCE else 5.0,
        )
    assert mailbox.failure == ""
    assert mailbox.is_read
    assert sorted(inbox.arrivals) == ["7/3", "7/4", "7/9"]
    assert server.inbox == {}


def test_an_unexpected_error_means_an_unread_mailbox() -> None:
    inbox = Inbox()

    def broken(_arrivals: Sequence[IncomingMail]) -> None:
        raise ZeroDivisionError

    with ScriptedImap({}) as server:
        mailbox = read(server, inbox, lambda mailbox: mailbox.is_read)
        server.inbox.update(LETTERS)
        with pytest.raises(ZeroDivisionError):
            mailbox.run(broken, inbox, threading.Event(), clock)
    assert not mailbox.is_read
    assert mailbox.failure == "an unexpected error; see the log"


def test_a_letter_that_ends_every_connection_does_not_delay_the_others() -> None:
    inbox = Inbox()
    with ScriptedImap(LETTERS, choking=[3]) as server:
        read(server, inbox, lambda mailbox: server.moved == [4, 9])
        assert inbox.accepted == 2
        server.choking.clear()
        read(server, inbox, lambda mailbox: len(server.moved) == 3)
    assert list(inbox.arrivals) == ["7/4", "7/9", "7/3"]
    assert inbox.position == Position(7, 3)


class Pauses(threading.Event):
    """Records pauses of a second or more instead of waiting, and ends after five of them."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        if timeout is not None and timeout >= 1:
            self.seconds.append(timeout)
            if len(self.seconds) == 5:
                self.set()
        return self.is_set()


@pytest.mark.parametrize("fault", [Fault.DROP, "NO [THROTTLED] Slow down", "NO [LIMIT] Too many"])
def test_a_short_success_does_not_shorten_the_pauses(fault: Answer) -> None:
    pauses = Pauses()
    with ScriptedImap({}, {"SELECT": [None, fault] * 5}) as server:
        account = ImapAccount(
            "games", "127.0.0.1", "referee", lambda: "secret", server.port, Security.NONE,
            poll_seconds=0.01,
        )  # fmt: skip
        ImapMailbox(account).run(Inbox().accept_all, Inbox(), pauses, clock)
    assert pauses.seconds == [1, 2, 4, 8, 16]


def test_a_letter_that_is_never_given_is_named_and_tried_again_in_an_hour(
    caplog: pytest.LogCaptureFixture,
) -> None:
    inbox = Inbox()
    with ScriptedImap(LETTERS, choking=[3], bodiless=[4]) as server:
        named = Position(7, 0, (3, 4))
        mailbox = read(server, inbox, lambda box: inbox.position == named and not box.failure)
        assert mailbox.is_read
        named_in_log = [each for each in caplog.messages if "does not give the email with" in each]
        assert [each.rpartition(" ")[2] for each in named_in_log] == ["3", "4"]
        alone = [each for each in server.commands if each.startswith("UID FETCH 4 (INTERNALDATE")]
        assert len(alone) == 3
        server.choking.clear()
        later = read(server, inbox, lambda box: inbox.position == Position(7, 3, (4,)))
        assert later.is_read
    assert list(inbox.arrivals) == ["7/9", "7/3"]


def test_a_letter_without_content_stays_and_is_fetched_again() -> None:
    inbox = Inbox()
    with ScriptedImap(LETTERS, bodiless=[4]) as server:
        read(server, inbox, lambda mailbox: len(server.moved) == 2)
        # The cursor must not pass the letter that could not be fetched.
        assert inbox.position == Position(7, 3)
        assert list(server.inbox) == [4]
        server.bodiless.clear()
        read(server, inbox, lambda mailbox: len(server.moved) == 3)
    assert list(inbox.arrivals) == ["7/3", "7/9", "7/4"]


def test_letters_are_taken_even_where_they_cannot_be_moved() -> None:
    inbox = Inbox()
    with ScriptedImap(LETTERS, {"MOVE": ["NO over quota"] * 999}) as server:
        read(server, inbox, lambda mailbox: "over quota" in mailbox.failure)
        server.inbox[12] = LETTERS[3]
        mailbox = read(server, inbox, lambda mailbox: len(inbox.arrivals) == 4)
    assert inbox.accepted == 4
    assert "secret" not in mailbox.failure


def test_a_refused_login_is_reported_with_the_servers_message() -> None:
    inbox = Inbox()
    refusal = "NO [AUTHENTICATIONFAILED] wrong"
    with ScriptedImap(LETTERS, {"LOGIN": [refusal] * 99}) as server:
        mailbox = read(server, inbox, lambda mailbox: bool(mailbox.failure))
    assert mailbox.failure == "login refused: [AUTHENTICATIONFAILED] wrong"
    assert not mailbox.is_read
    assert len([command for command in server.commands if command.startswith("LOGIN")]) <= 2


def test_a_token_is_sent_by_xoauth2_and_replaced_when_it_is_refused() -> None:
    inbox = Inbox()
    tokens = iter(["stale", "fresh"])
    refusal = "NO [AUTHENTICATIONFAILED] Invalid credentials"
    troubles = set()

    def finished(mailbox: ImapMailbox) -> bool:
        troubles.add(mailbox.failure)
        return len(server.moved) == 3 and mailbox.failure == ""

    with ScriptedImap(LETTERS, {"AUTHENTICATE": [refusal]}) as server:
        read(server, inbox, finished, token=lambda: next(tokens))
    assert server.proofs == [
        f"user=referee\x01auth=Bearer {token}\x01\x01" for token in ("stale", "fresh")
    ]
    assert "login refused: [AUTHENTICATIONFAILED] Invalid credentials" in troubles
    assert [command for command in server.commands if "stale" in command] == []
    assert sorted(inbox.arrivals) == ["7/3", "7/4", "7/9"]


def test_a_letter_over_a_quota_stays_and_is_tried_again_after_an_hour() -> None:
    inbox, quota, moments = Inbox(), {"7/4"}, [NOW]
    keep = inbox.accept_all

    def accept_all(arrivals: Sequence[IncomingMail]) -> None:
        if any(arrival.source_id in quota for arrival in arrivals):
            raise OverQuota()
        keep(arrivals)

    inbox.accept_all = accept_all  # type: ignore[method-assign]  # a quota that ends

    def two_moved(_mailbox: ImapMailbox) -> bool:
        return len(server.moved) == 2

    with ScriptedImap(LETTERS) as server:
        mailbox = read(server, inbox, two_moved, now=lambda: moments[0])
        assert (sorted(server.inbox), inbox.position) == ([4], Position(7, 3))
        quota.clear()
        account = mailbox._account
        moments[0] += timedelta(hours=1)
        again = ImapMailbox(account)
        again._refusals = mailbox._refusals
        again.run(inbox.accept_all, inbox, Once(), lambda: moments[0])
        assert server.inbox == {}
    assert list(inbox.arrivals) == ["7/3", "7/9", "7/4"]


def test_no_more_than_the_limit_is_read_whatever_the_server_sends() -> None:
    inbox = Inbox()
    letters = {**LETTERS, 5: b"Subject: long\r\n\r\n" + b"x" * 5000}
    with ScriptedImap(letters, understated=[5]) as server:
        read(server, inbox, lambda mailbox: len(server.moved) == 4, size_limit=1000)
        assert server.commands.count("UID FETCH 5 (INTERNALDATE BODY.PEEK[]<0.1000>)") == 1
    assert inbox.arrivals["7/5"].raw == letters[5][:1000]
    assert {len(inbox.arrivals[f"7/{uid}"].raw) for uid in LETTERS} == {18}


def test_a_letter_of_unknown_size_is_fetched_separately_up_to_the_limit() -> None:
    inbox = Inbox()
    with ScriptedImap(LETTERS, {"FETCH": ["OK nothing to tell"]}) as server:
        read(server, inbox, lambda mailbox: len(server.moved) == 3)
    fetched = [command for command in server.commands if "BODY.PEEK" in command]
    limit = MOST_OCTETS + 1
    assert fetched == [f"UID FETCH {uid} (INTERNALDATE BODY.PEEK[]<0.{limit}>)" for uid in LETTERS]
    assert list(inbox.arrivals) == ["7/3", "7/4", "7/9"]


def test_a_long_literal_in_the_greeting_ends_the_connection_before_it_is_read() -> None:
    with ScriptedImap(LETTERS) as server:
        server.greeting = b"* OK {2000000000}\r\n"
        account = ImapAccount("games", "127.0.0.1", "referee", str, server.port, Security.NONE)
        too_long = pytest.raises(IMAPClientError, match="the server sends 2000000000 bytes at once")
        with too_long, opened(account):
            pass
        assert server.commands == []
