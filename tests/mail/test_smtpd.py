"""The receiver: accepted mail, and its answers."""

import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.domain.mail_transfer import BEGINNING_OCTETS, MOST_OCTETS, IncomingMail
from referee.errors import OverQuota, StoreBusy, StoreUnwritable
from referee.mail.smtpd import LARGE_LETTERS, MailProtocol, Receiver
from tests.live.servers import until
from tests.mail import receiving
from tests.mail.samples import NOW, RAW, clock
from tests.mail.wire import Wire

Open = Callable[..., Receiver]


def ours(address: str) -> bool:
    return address.endswith("@referee.example")


def forget(arrival: IncomingMail) -> None:
    """Accept a letter without storing it."""


@pytest.fixture
def open_receiver() -> Iterator[Open]:
    """Start receivers, and stop them after the test."""
    with ExitStack() as stack:

        def start(accept: Callable[[IncomingMail], object], **options: object) -> Receiver:
            receiver = Receiver(accept, clock=clock, recipients=ours, **options)  # type: ignore[arg-type]  # the tests name the options
            receiver.start()
            stack.callback(receiver.stop)
            return receiver

        yield start


def submit(
    receiver: Receiver, *recipients: str, raw: bytes = RAW, sender: str = "a@b.example"
) -> None:
    with smtplib.SMTP("127.0.0.1", receiver.port, timeout=10) as client:
        client.sendmail(sender, recipients or ("games@referee.example",), raw)


def greeted_lmtp(receiver: Receiver, *recipients: bytes) -> Wire:
    wire = Wire(("127.0.0.1", receiver.port))
    wire.hear()
    wire.ask(b"LHLO test")
    wire.ask(b"MAIL FROM:<a@b.example>")
    for recipient in recipients:
        wire.ask(b"RCPT TO:<" + recipient + b">")
    assert wire.ask(b"DATA").startswith("354")
    return wire


def test_a_letter_arrives_unchanged_with_its_envelope(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []
    submit(open_receiver(arrivals.append))
    (arrival,) = arrivals
    assert arrival.raw == RAW
    assert arrival.source == "smtp"
    assert (arrival.sender, arrival.recipient) == ("a@b.example", "games@referee.example")
    assert arrival.arrived_at == NOW


def test_every_recipient_gets_an_arrival_with_its_own_source_id(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []
    receiver = open_receiver(arrivals.append)
    for _ in range(2):
        submit(receiver, "games+x1@referee.example", "games+y2@referee.example")
    assert len({arrival.source_id for arrival in arrivals}) == 4
    assert [arrival.recipient for arrival in arrivals[:2]] == [
        "games+x1@referee.example",
        "games+y2@referee.example",
    ]


def test_nothing_is_answered_before_the_letter_is_committed(open_receiver: Open) -> None:
    committed = threading.Event()
    receiver = open_receiver(lambda arrival: committed.wait(10))
    submission = threading.Thread(target=submit, args=(receiver,))
    submission.start()
    submission.join(0.3)
    assert submission.is_alive()
    committed.set()
    submission.join(10)
    assert not submission.is_alive()


@pytest.mark.parametrize(
    "trouble",
    [StoreBusy("locked"), StoreUnwritable("full"), OSError("gone"), KeyError("defect")],
)
def test_our_own_failure_is_a_451_and_the_session_continues(
    open_receiver: Open, trouble: Exception
) -> None:
    troubles = [trouble]
    arrivals: list[IncomingMail] = []

    def accept(arrival: IncomingMail) -> None:
        if troubles:
            raise troubles.pop()
        arrivals.append(arrival)

    with smtplib.SMTP("127.0.0.1", open_receiver(accept).port, timeout=10) as client:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("a@b.example", "games@referee.example", RAW)
        assert refused.value.smtp_code == 451
        assert arrivals == []
        client.sendmail("a@b.example", "games@referee.example", RAW)
    assert len(arrivals) == 1


@pytest.mark.parametrize("protocol", MailProtocol)
def test_a_letter_over_a_quota_is_a_452(
    open_receiver: Open, protocol: MailProtocol, caplog: pytest.LogCaptureFixture
) -> None:
    def accept(arrival: IncomingMail) -> None:
        raise OverQuota()

    receiver = open_receiver(accept, protocol=protocol)
    kind = smtplib.LMTP if protocol is MailProtocol.LMTP else smtplib.SMTP
    with (
        kind("127.0.0.1", receiver.port) as client,
        pytest.raises(smtplib.SMTPResponseException) as e,
    ):
        client.sendmail("a@b.example", ["games@referee.example"], RAW)
    assert e.value.smtp_code == 452
    assert "frodo" not in caplog.text
    assert not any(record.exc_info for record in caplog.records)


def test_a_fault_in_looking_up_a_recipient_is_a_451(open_receiver: Open) -> None:
    def lookup(address: str) -> bool:
        raise StoreBusy("locked")

    receiver = Receiver(forget, clock=clock, recipients=lookup)
    receiver.start()
    try:
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            submit(receiver)
        assert refused.value.recipients["games@referee.example"][0] == 451
    finally:
        receiver.stop()


def test_an_address_that_is_not_ours_is_a_550(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        submit(open_receiver(arrivals.append), "sauron@mordor.example")
    assert refused.value.recipients["sauron@mordor.example"][0] == 550
    assert arrivals == []


def test_a_bounce_has_no_sender(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []
    submit(open_receiver(arrivals.append), sender="")
    assert arrivals[0].sender == "<>"


def test_an_international_address_arrives_as_it_is_written(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []
    receiver = open_receiver(arrivals.append)
    with smtplib.SMTP("127.0.0.1", receiver.port, timeout=10) as client:
        client.sendmail("jürgen@b.example", "games@referee.example", RAW, ["SMTPUTF8"])
    assert arrivals[0].sender == "jürgen@b.example"


def test_a_line_of_a_megabyte_is_taken(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []
    raw = b"Subject: long\r\n\r\n" + b"x" * 2**20 + b"\r\n"
    submit(open_receiver(arrivals.append), raw=raw)
    assert arrivals[0].raw == raw


def test_only_the_beginning_is_taken_of_a_letter_that_is_too_big_to_be_read(
    open_receiver: Open,
) -> None:
    arrivals: list[IncomingMail] = []
    receiver = open_receiver(arrivals.append)
    raw = b"Subject: big\r\n\r\n" + (b"x" * 98 + b"\r\n") * 30_000
    submit(receiver, raw=raw)
    submit(receiver, raw=b"Subject: long\r\n\r\n" + b"x" * (3 * 2**20) + b"\r\n")
    submit(receiver)
    assert arrivals[0].raw == raw[:BEGINNING_OCTETS]
    sizes = [(len(arrival.raw), arrival.size) for arrival in arrivals]
    assert sizes == [
        (BEGINNING_OCTETS, len(raw)),
        (BEGINNING_OCTETS, 17 + 3 * 2**20 + 2),
        (len(RAW), 0),
    ]


@pytest.mark.parametrize("size", [MOST_OCTETS - 1, MOST_OCTETS])
def test_a_letter_that_can_be_read_is_taken_whole(open_receiver: Open, size: int) -> None:
    arrivals: list[IncomingMail] = []
    # Each line has a dot that is doubled on its way, and some are longer than what is read at once.
    raw = b"Subject: x\r\n\r\n" + (b"." * 100_000 + b"\r\n.\r\n..\r\n") * 25
    raw = raw[: size - 2] + b"\r\n"
    submit(open_receiver(arrivals.append), raw=raw)
    (arrival,) = arrivals
    assert (arrival.raw, arrival.size) == (raw, 0)


@pytest.mark.release
def test_many_big_letters_at_once_take_little_memory() -> None:
    raw = b"Subject: x\r\n\r\n" + (b"x" * 998 + b"\r\n") * 9000
    with subprocess.Popen(
        [sys.executable, "-m", receiving.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        port = int(child.stdout.readline())
        with ThreadPoolExecutor(15) as pool:
            sendings = [pool.submit(send_large, port, raw) for _ in range(15)]
            assert [each.result() for each in sendings] == [{}] * 15
        most, _ = child.communicate()
    assert int(most) < 48_000_000


def test_few_large_letters_are_held_at_once_and_small_ones_do_not_wait(
    open_receiver: Open,
) -> None:
    committed = threading.Event()
    receiver = open_receiver(lambda arrival: committed.wait(20), protocol=MailProtocol.LMTP)
    at_hand = receiver._hooks.at_hand
    with ThreadPoolExecutor(2 * LARGE_LETTERS + 1) as pool:
        raw = b"Subject: x\r\n\r\n" + (b"x" * 98 + b"\r\n") * 2000
        sendings = [pool.submit(send_large, receiver.port, raw) for _ in range(2 * LARGE_LETTERS)]
        until("the first are held", lambda: len(at_hand) >= LARGE_LETTERS)
        sendings.append(pool.submit(send_large, receiver.port, RAW))
        until("the small one is held", lambda: len(at_hand) > LARGE_LETTERS)
        time.sleep(0.3)
        held = len(at_hand)
        committed.set()
        assert [each.result() for each in sendings] == [{}] * len(sendings)
    assert held == LARGE_LETTERS + 1


def send_large(port: int, raw: bytes) -> dict[str, tuple[int, bytes]]:
    with smtplib.LMTP("127.0.0.1", port, timeout=60) as client:
        return client.sendmail("a@b.example", ["games@referee.example"], raw)


def test_a_letter_over_the_limit_is_a_552(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []
    receiver = open_receiver(arrivals.append, size_limit=1000)
    with pytest.raises(smtplib.SMTPSenderRefused) as refused:
        submit(receiver, raw=RAW + b"x" * 1000)
    assert refused.value.smtp_code == 552
    assert arrivals == []


def test_the_number_of_recipients_is_limited(open_receiver: Open) -> None:
    receiver = open_receiver(forget)
    with Wire(("127.0.0.1", receiver.port)) as wire:
        wire.hear()
        wire.ask(b"EHLO test")
        wire.ask(b"MAIL FROM:<a@b.example>")
        answers = [wire.ask(b"RCPT TO:<g%d@referee.example>" % n)[:3] for n in range(101)]
    assert answers == ["250"] * 100 + ["452"]


def test_lmtp_answers_for_each_recipient(open_receiver: Open) -> None:
    arrivals: list[IncomingMail] = []

    def accept(arrival: IncomingMail) -> None:
        if arrival.recipient.startswith("full"):
            raise StoreBusy("locked")
        arrivals.append(arrival)

    receiver = open_receiver(accept, protocol=MailProtocol.LMTP)
    with greeted_lmtp(
        receiver, b"a@referee.example", b"full@referee.example", b"b@referee.example"
    ) as wire:
        wire.say(b"Subject: x", b"", b"y", b".")
        assert [wire.hear()[:3] for _ in range(3)] == ["250", "451", "250"]
        assert wire.ask(b"NOOP").startswith("250")
    assert [(a.source, a.recipient) for a in arrivals] == [
        ("lmtp", "a@referee.example"),
        ("lmtp", "b@referee.example"),
    ]


def test_lmtp_answers_each_recipient_of_a_rejected_letter(open_receiver: Open) -> None:
    receiver = open_receiver(forget, protocol=MailProtocol.LMTP, size_limit=1000)
    with greeted_lmtp(receiver, b"a@referee.example", b"b@referee.example") as wire:
        wire.say(b"x" * 5000, b".")
        assert [wire.hear()[:3] for _ in range(2)] == ["552", "552"]
        assert wire.ask(b"NOOP").startswith("250")


def test_a_client_that_disconnects_in_a_letter_leaves_nothing(
    open_receiver: Open,
) -> None:
    arrivals: list[IncomingMail] = []
    receiver = open_receiver(arrivals.append)
    with Wire(("127.0.0.1", receiver.port)) as wire:
        wire.hear()
        wire.ask(b"EHLO test")
        wire.ask(b"MAIL FROM:<a@b.example>")
        wire.ask(b"RCPT TO:<games@referee.example>")
        wire.ask(b"DATA")
        wire.say(b"Subject: half a")
    submit(receiver)
    assert [arrival.raw for arrival in arrivals] == [RAW]


def test_a_unix_socket_works_and_an_old_one_is_replaced(
    open_receiver: Open, tmp_path: Path
) -> None:
    path = tmp_path / "lmtp"
    left_behind = socket.socket(socket.AF_UNIX)
    left_behind.bind(str(path))
    left_behind.close()
    receiver = open_receiver(forget, path=path)
    with Wire(str(path)) as wire:
        assert wire.hear().startswith("220")
        # The mail server is in the socket's group, and nobody else can write to us.
        assert path.stat().st_mode & 0o777 == 0o660
    receiver.stop()
    assert not path.exists()


def test_a_port_in_use_is_reported_at_once(open_receiver: Open) -> None:
    receiver = open_receiver(forget)
    with pytest.raises(OSError, match="in use"):
        open_receiver(forget, port=receiver.port)


def test_stopping_answers_the_current_letter_and_accepts_no_other(open_receiver: Open) -> None:
    at_hand, committed = threading.Event(), threading.Event()
    arrivals: list[IncomingMail] = []

    def accept(arrival: IncomingMail) -> None:
        at_hand.set()
        committed.wait(10)
        arrivals.append(arrival)

    receiver = open_receiver(accept)
    with greeted_smtp(receiver) as wire:
        wire.say(b"Subject: x", b"", b"y", b".")
        assert at_hand.wait(10)
        stopping = threading.Thread(target=receiver.stop)
        stopping.start()
        committed.set()
        assert wire.hear().startswith("250")
        stopping.join(10)
    assert not stopping.is_alive()
    assert len(arrivals) == 1
    with pytest.raises(ConnectionRefusedError):
        Wire(("127.0.0.1", receiver.port))


def test_stopping_does_not_wait_forever_for_the_current_letter(open_receiver: Open) -> None:
    at_hand, committed = threading.Event(), threading.Event()

    def accept(_arrival: IncomingMail) -> None:
        at_hand.set()
        committed.wait(10)

    receiver = open_receiver(accept)
    with greeted_smtp(receiver) as wire:
        wire.say(b"Subject: x", b"", b"y", b".")
        assert at_hand.wait(10)
        assert not receiver.stop(0.1)
        assert not committed.is_set()
        committed.set()


def greeted_smtp(receiver: Receiver) -> Wire:
    wire = Wire(("127.0.0.1", receiver.port))
    wire.hear()
    wire.ask(b"EHLO test")
    wire.ask(b"MAIL FROM:<a@b.example>")
    wire.ask(b"RCPT TO:<games@referee.example>")
    assert wire.ask(b"DATA").startswith("354")
    return wire
