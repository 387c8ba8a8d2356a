"""Letters through a real Postfix and a real Dovecot, out and in."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from referee.domain.mail_transfer import Delivery, IncomingMail
from referee.errors import StoreBusy
from referee.mail.security import Security
from referee.mail.smtp import SmtpSender
from referee.mail.smtpd import MailProtocol, Receiver
from tests.live.dovecot import Dovecot
from tests.live.postfix import Postfix
from tests.live.servers import until
from tests.mail.samples import RAW, letter

pytestmark = [pytest.mark.live, pytest.mark.slow]


class Desk:
    """A receiver with its letters."""

    def __init__(self, protocol: MailProtocol) -> None:
        self.arrivals: list[IncomingMail] = []
        self.troubles: list[Exception] = []
        self.receiver = Receiver(
            self._accept,
            clock=lambda: datetime.now(UTC),
            recipients=lambda address: not address.startswith("nobody"),
            protocol=protocol,
            hostname="referee.example",
        )

    def _accept(self, arrival: IncomingMail) -> None:
        if self.troubles:
            raise self.troubles.pop()
        self.arrivals.append(arrival)

    def until_taken(self, number: int) -> None:
        """Wait until *number* letters are taken."""
        until(f"{number} letters are taken", lambda: len(self.arrivals) == number)


@pytest.fixture(params=[MailProtocol.SMTP, MailProtocol.LMTP], ids=["smtp", "lmtp"])
def desk(request: pytest.FixtureRequest, postfix: Postfix) -> Iterator[Desk]:
    """Return our receiver behind Postfix, for the domain referee.example."""
    desk = Desk(request.param)
    desk.receiver.start()
    postfix.route("referee.example", desk.receiver.port, request.param.value)
    yield desk
    desk.receiver.stop()


def sender_by(postfix: Postfix) -> SmtpSender:
    return SmtpSender("127.0.0.1", postfix.port, Security.NONE, timeout_seconds=20)


def test_letters_go_through_postfix_into_our_receiver(postfix: Postfix, desk: Desk) -> None:
    dispatches = [letter(n, f"games+t{n}@referee.example") for n in range(3)]
    attempts = list(sender_by(postfix).send(dispatches))
    assert [attempt.delivery for attempt in attempts] == [Delivery.SENT] * 3
    desk.until_taken(3)
    until("the queue is empty", lambda: postfix.queue() == "")
    arrivals = sorted(desk.arrivals, key=lambda arrival: arrival.recipient)
    assert [arrival.recipient for arrival in arrivals] == [
        f"games+t{n}@referee.example" for n in range(3)
    ]
    body = RAW.partition(b"\r\n\r\n")[2]
    assert {arrival.raw.partition(b"\r\n\r\n")[2] for arrival in arrivals} == {body}
    assert {arrival.sender for arrival in arrivals} == {"games@referee.example"}


def test_postfix_keeps_a_letter_that_we_could_not_store(postfix: Postfix, desk: Desk) -> None:
    desk.troubles.append(StoreBusy("locked"))
    list(sender_by(postfix).send([letter(1, "games@referee.example")]))
    until("Postfix has put it off", lambda: "status=deferred" in postfix.log())
    assert desk.arrivals == []
    postfix.flush()
    desk.until_taken(1)


@pytest.mark.parametrize("desk", [MailProtocol.LMTP], indirect=True)
def test_postfix_returns_a_letter_to_an_address_that_is_not_ours(
    postfix: Postfix, desk: Desk
) -> None:
    list(sender_by(postfix).send([letter(1, "nobody@referee.example")]))
    # The sender is games@referee.example, so the bounce comes to us.
    desk.until_taken(1)
    (bounce,) = desk.arrivals
    assert (bounce.sender, bounce.recipient) == ("<>", "games@referee.example")
    assert b"multipart/report" in bounce.raw


def test_players_and_referee_meet_in_their_mailboxes(postfix: Postfix, dovecot: Dovecot) -> None:
    postfix.route("*", dovecot.lmtp_port, "lmtp")
    attempts = list(
        sender_by(postfix).send([letter(1, "frodo@shire.example"), letter(2, "sam@shire.example")])
    )
    assert [attempt.delivery for attempt in attempts] == [Delivery.SENT] * 2
    until("Frodo has the letter", lambda: len(dovecot.letters("frodo")) == 1)
    until("Sam has the letter", lambda: len(dovecot.letters("sam")) == 1)
    assert b"Delivered-To: frodo@shire.example" in dovecot.letters("frodo")[0]


@pytest.mark.parametrize("desk", [MailProtocol.SMTP], indirect=True)
def test_many_letters_at_once_all_arrive_once(postfix: Postfix, desk: Desk) -> None:
    numbers = range(60)

    def send_every_third(first: int) -> None:
        part = [letter(n, f"games+{n}@referee.example") for n in numbers[first::3]]
        list(sender_by(postfix).send(part))

    batches = [threading.Thread(target=send_every_third, args=(first,)) for first in range(3)]
    for batch in batches:
        batch.start()
    for batch in batches:
        batch.join(60)
    desk.until_taken(60)
    assert {a.recipient for a in desk.arrivals} == {f"games+{n}@referee.example" for n in numbers}
    assert len({arrival.source_id for arrival in desk.arrivals}) == 60
