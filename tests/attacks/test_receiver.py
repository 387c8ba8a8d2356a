"""Attacks on the receiver: connections that say nothing, and letters that never end."""

import logging
import resource
import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP

from referee.domain.mail_transfer import IncomingMail
from referee.mail.smtpd import CONNECTION_LIMIT, Connections, Receiver, network_of
from tests.mail.samples import clock
from tests.mail.wire import Wire

IDLE = 250


@contextmanager
def receiving(arrivals: list[IncomingMail], letter_seconds: float = 60.0) -> Iterator[Receiver]:
    receiver = Receiver(
        arrivals.append, clock=clock, recipients=lambda _: True, letter_seconds=letter_seconds
    )
    receiver.start()
    try:
        yield receiver
    finally:
        receiver.stop()


@contextmanager
def few_descriptors(more: int) -> Iterator[None]:
    """Allow this process only *more* file descriptors than it has open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name.name) for name in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1 + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def hears(connection: socket.socket) -> bytes:
    try:
        return connection.recv(100)
    except ConnectionError:
        return b"421"


@pytest.mark.slow
def test_idle_connections_leave_file_descriptors_and_are_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    arrivals: list[IncomingMail] = []
    with receiving(arrivals) as receiver, ExitStack() as stack:
        with few_descriptors(IDLE + 3 * CONNECTION_LIMIT), caplog.at_level(logging.INFO):
            idle = [
                stack.enter_context(socket.create_connection(("127.0.0.1", receiver.port), 10))
                for _ in range(IDLE)
            ]
            heard = [hears(connection)[:3] for connection in idle]
            # The Maildir and everything else can still open files.
            Path(__file__).open().close()
        assert heard.count(b"220") == CONNECTION_LIMIT
        assert len(caplog.records) == 1
        stack.close()
        assert heard_by_a_newcomer(receiver) == "220"


def test_a_network_has_a_third_of_the_connections_that_are_left() -> None:
    connections, held = Connections(60.0), []
    for peer in [("8.8.8.8", 1), ("9.9.9.9", 1), ("2606:4700::1", 1, 0, 0), ("::ffff:8.8.8.1", 1)]:
        network, places = network_of(peer), 0
        while connections.has_place(network):
            places += 1
            connections.add(SMTP(None), network)
        held.append(places)
    assert held == [13, 10, 7, 0]


@pytest.mark.parametrize("peer", ["", None, ("127.0.0.1", 1), ("192.168.0.7", 1), ("fe80::1%e", 1)])
def test_a_mail_server_of_our_own_has_all_connections(peer: object) -> None:
    connections, network = Connections(60.0), network_of(peer)
    for _ in range(CONNECTION_LIMIT):
        assert connections.has_place(network)
        connections.add(SMTP(None), network)
    assert not connections.has_place(network)


def test_a_letter_from_this_machine_has_no_network() -> None:
    kept: list[IncomingMail] = []
    with receiving(kept) as receiver, smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail("a@b.example", ["games@referee.example"], b"Subject: x\r\n\r\nLIST\r\n")
    assert [each.network for each in kept] == [""]
    assert network_of(("8.8.8.8", 1), ("8.8.8.8", 25)) == ""
    assert network_of(("8.8.8.8", 1), ("8.8.8.9", 25)) == "8.8.8.0/24"


def heard_by_a_newcomer(receiver: Receiver) -> str:
    """Return the first answer to a new connection, once the others are gone."""
    end = time.monotonic() + 10
    while True:
        with Wire(("127.0.0.1", receiver.port)) as wire:
            heard = wire.hear()[:3]
        if heard == "220" or time.monotonic() > end:
            return heard


@pytest.mark.slow
@pytest.mark.parametrize("line", [b"NOOP", b"RSET", b"EHLO test"])
def test_commands_do_not_extend_the_time_for_a_letter(line: bytes) -> None:
    with receiving([], letter_seconds=0.3) as receiver:
        assert talk_until_the_end(receiver, [], line)


def test_a_letter_that_never_ends_is_cut_off() -> None:
    arrivals: list[IncomingMail] = []
    begin = [b"EHLO test", b"MAIL FROM:<a@b.example>", b"RCPT TO:<games@c.example>", b"DATA"]
    with receiving(arrivals, letter_seconds=0.3) as receiver:
        assert talk_until_the_end(receiver, begin, b"x")
    assert arrivals == []


def talk_until_the_end(receiver: Receiver, begin: list[bytes], line: bytes) -> bool:
    """Return whether the receiver hangs up after *begin* and then *line*, sent again and again."""
    with socket.create_connection(("127.0.0.1", receiver.port), 10) as connection:
        connection.settimeout(0.02)
        connection.sendall(b"".join(one + b"\r\n" for one in begin))
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                connection.sendall(line + b"\r\n")
                if not connection.recv(10_000):
                    return True
            except TimeoutError:
                continue
            except ConnectionError:
                return True
    return False


def test_a_letter_that_is_committed_slowly_is_still_answered() -> None:
    committed = threading.Event()
    receiver = Receiver(
        lambda _: committed.wait(10), clock=clock, recipients=lambda _: True, letter_seconds=0.3
    )
    receiver.start()
    with Wire(("127.0.0.1", receiver.port)) as wire:
        wire.hear()
        for line in (b"EHLO test", b"MAIL FROM:<a@b.example>", b"RCPT TO:<games@c.example>"):
            assert wire.ask(line).startswith("250")
        assert wire.ask(b"DATA").startswith("354")
        wire.say(b"Subject: x", b"", b"y", b".")
        # Nothing shows from outside that the time for the letter is over.
        time.sleep(0.6)
        committed.set()
        assert wire.hear().startswith("250")
    receiver.stop()
