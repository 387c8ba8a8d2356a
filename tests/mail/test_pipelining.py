"""Sending to servers with pipelining (RFC 2920), with any answers."""

import pytest

from referee.domain.mail_transfer import Delivery
from referee.mail.security import Security
from referee.mail.smtp import SmtpSender
from tests.mail.samples import letter
from tests.mail.scripted import Answer, Fault, ScriptedSmtp

SENT, DEFERRED, REJECTED = Delivery.SENT, Delivery.DEFERRED, Delivery.REJECTED
BODY = b"one\r\n.\r\n..two\r\n"
WIRE = b"one\r\n..\r\n...two\r\n"


def attempts(server: ScriptedSmtp, count: int) -> list[tuple[Delivery, str]]:
    sender = SmtpSender("127.0.0.1", server.port, Security.NONE, timeout_seconds=5)
    tried = sender.send([letter(n, raw=BODY) for n in range(count)])
    return [(attempt.delivery, attempt.reason) for attempt in tried]


def test_three_commands_are_sent_before_the_first_answer() -> None:
    with ScriptedSmtp(pipelining=True) as server:
        assert attempts(server, 2) == [(SENT, "")] * 2
    assert server.letters == [WIRE] * 2
    verbs = [command.partition(":")[0].lower() for command in server.commands]
    assert verbs[1:] == [*("mail from", "rcpt to", "data") * 2, "quit"]


@pytest.mark.parametrize(
    ("verb", "answer", "delivery"),
    [
        ("MAIL", "452 4.3.1 disk full", DEFERRED),
        ("MAIL", "553 5.7.1 not your address", DEFERRED),
        ("MAIL", "552 5.3.4 too big", REJECTED),
        ("RCPT", "450 4.2.1 mailbox busy", DEFERRED),
        ("RCPT", "550-5.1.1 no such\r\n550 5.1.1 user", REJECTED),
        ("DATA", "451 4.3.0 later", DEFERRED),
        ("DATA", "554 5.7.1 no", REJECTED),
        ("DOT", "452 4.3.1 disk full", DEFERRED),
        ("DOT", "554 5.6.0 content refused", REJECTED),
    ],
)
def test_answers_are_matched_in_order(verb: str, answer: str, delivery: Delivery) -> None:
    usual = "354 go on" if verb == "DATA" else "250 OK"
    with ScriptedSmtp({verb: [usual, answer]}, pipelining=True) as server:
        (first, second, third) = attempts(server, 3)
    assert (first, third) == ((SENT, ""), (SENT, ""))
    assert second[0] is delivery
    assert second[1].split()[0] == answer[:3]
    assert server.sessions == 1


def test_a_server_that_expects_a_letter_without_recipients_gets_an_empty_one() -> None:
    script: dict[str, list[Answer]] = {"RCPT": ["550 5.1.1 no"], "DOT": ["554 no recipients"]}
    with ScriptedSmtp(script, pipelining=True) as server:
        assert attempts(server, 2) == [(REJECTED, "550 5.1.1 no"), (SENT, "")]
    assert server.letters == [b"", WIRE]
    assert server.sessions == 1


def test_a_server_that_rejects_data_without_recipients_gets_no_letter() -> None:
    script: dict[str, list[Answer]] = {
        "RCPT": ["550 5.1.1 no"],
        "DATA": ["554 5.5.1 no valid recipients"],
    }
    with ScriptedSmtp(script, pipelining=True) as server:
        assert attempts(server, 2) == [(REJECTED, "550 5.1.1 no"), (SENT, "")]
    assert server.letters == [WIRE]


@pytest.mark.slow
@pytest.mark.parametrize("fault", [Fault.DROP, "421 4.3.2 closing"])
@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "DOT"])
def test_a_session_that_breaks_under_a_letter_is_replaced(verb: str, fault: Answer) -> None:
    usual = "354 go on" if verb == "DATA" else "250 OK"
    with ScriptedSmtp({verb: [usual, fault]}, pipelining=True) as server:
        made = [delivery for delivery, _ in attempts(server, 4)]
    assert made == [SENT, DEFERRED, SENT, SENT]
    assert server.sessions == 2


def test_a_250_instead_of_a_354_is_an_error() -> None:
    with ScriptedSmtp({"DATA": ["250 fine"]}, pipelining=True) as server:
        assert attempts(server, 1) == [(DEFERRED, "250 fine")]
    assert server.letters == []
