"""Sending: the SMTP commands, and the result for each behaviour of a server."""

import base64
import ssl
from dataclasses import replace
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from referee.domain.mail_transfer import Delivery, IncomingMail, OutgoingMail
from referee.errors import ResourceError
from referee.mail.connection_test import Trouble, try_sending
from referee.mail.security import Login, Security
from referee.mail.smtp import SmtpSender
from referee.mail.smtpd import Receiver
from tests.mail.samples import RAW, client_context, clock, letter, server_context
from tests.mail.scripted import Answer, Fault, ScriptedSmtp

SENT, DEFERRED, REJECTED = Delivery.SENT, Delivery.DEFERRED, Delivery.REJECTED


def sender_to(port: int, answer: Answer = "") -> SmtpSender:
    """Return a sender with a long timeout, unless the server will stop responding."""
    timeout_seconds = 0.5 if answer is Fault.SILENCE else 10.0
    return SmtpSender("127.0.0.1", port, Security.NONE, timeout_seconds=timeout_seconds)


def deliveries(
    server: ScriptedSmtp, *dispatches: OutgoingMail, answer: Answer = ""
) -> list[Delivery]:
    return [attempt.delivery for attempt in sender_to(server.port, answer).send(dispatches)]


def test_our_own_receiver_gets_the_letter_unchanged() -> None:
    arrivals: list[IncomingMail] = []
    receiver = Receiver(arrivals.append, clock=clock, recipients=lambda address: True)
    receiver.start()
    try:
        sender = SmtpSender("127.0.0.1", receiver.port, Security.NONE)
        attempts = list(sender.send([letter(1), letter(2, "jürgen@b.example")]))
    finally:
        receiver.stop()
    assert [attempt.delivery for attempt in attempts] == [SENT, SENT]
    assert [(a.raw, a.sender, a.recipient) for a in arrivals] == [
        (RAW, "games@referee.example", "frodo@shire.example"),
        (RAW, "games@referee.example", "jürgen@b.example"),
    ]


def test_line_ends_are_normalized() -> None:
    # A bare line feed before a dot could end the letter early on some servers.
    with ScriptedSmtp() as server:
        assert deliveries(server, letter(1, raw=b"a\nb\rc\r\n.\nd")) == [SENT]
    assert server.letters == [b"a\r\nb\r\nc\r\n..\r\nd\r\n"]


def test_one_session_carries_many_letters_but_not_more_than_fifty() -> None:
    with ScriptedSmtp() as server:
        assert deliveries(server, *(letter(n) for n in range(120))) == [SENT] * 120
    assert server.sessions == 3
    assert server.commands.count("quit") == 3


def test_every_attempt_is_yielded_before_the_next_letter_is_sent() -> None:
    with ScriptedSmtp() as server:
        attempts = sender_to(server.port).send([letter(1), letter(2)])
        next(attempts)
        assert len(server.letters) == 1
        assert len(list(attempts)) == 1


def test_a_server_that_accepts_only_our_plain_address_gets_it() -> None:
    with ScriptedSmtp() as server:
        sender = SmtpSender(
            "127.0.0.1", server.port, Security.NONE, envelope_sender="games@referee.example"
        )
        signed = replace(letter(1), sender="games+token@referee.example")
        assert [attempt.delivery for attempt in sender.send([signed])] == [SENT]
    (told,) = [line for line in server.commands if line.lower().startswith("mail from")]
    assert "<games@referee.example>" in told


def test_no_letters_need_no_connection() -> None:
    with ScriptedSmtp() as server:
        assert deliveries(server) == []
    assert server.sessions == 0


@pytest.mark.parametrize(
    ("verb", "answer", "delivery"),
    [
        ("RCPT", "450 4.2.1 mailbox busy", DEFERRED),
        ("RCPT", "550 5.1.1 no such user", REJECTED),
        ("DATA", "451 4.3.0 later", DEFERRED),
        ("DATA", "554 5.7.1 no", REJECTED),
        ("DOT", "452 4.3.1 disk full", DEFERRED),
        ("DOT", "554 5.6.0 content refused", REJECTED),
        ("MAIL", "452 4.3.1 disk full", DEFERRED),
        # A rejection of our own address or login is not the recipient's fault.
        ("MAIL", "530 5.7.0 log in first", DEFERRED),
        ("MAIL", "553 5.7.1 not your address", DEFERRED),
        ("MAIL", "552 5.3.4 too big", REJECTED),
    ],
)
def test_a_rejection_affects_only_its_own_letter(
    verb: str, answer: str, delivery: Delivery
) -> None:
    usual = "354 go on" if verb == "DATA" else "250 OK"
    with ScriptedSmtp({verb: [usual, answer]}) as server:
        attempts = list(sender_to(server.port).send([letter(1), letter(2), letter(3)]))
    assert [attempt.delivery for attempt in attempts] == [SENT, delivery, SENT]
    assert [attempt.reason for attempt in attempts] == ["", answer, ""]
    assert [attempt.dispatch.number for attempt in attempts] == [1, 2, 3]
    assert server.sessions == 1


@pytest.mark.slow
@pytest.mark.parametrize("fault", [Fault.DROP, Fault.SILENCE, "421 4.3.2 closing"])
@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "DOT"])
def test_a_session_that_breaks_under_a_letter_is_replaced_for_the_rest(
    verb: str, fault: Answer
) -> None:
    usual = "354 go on" if verb == "DATA" else "250 OK"
    with ScriptedSmtp({verb: [usual, fault]}) as server:
        made = deliveries(server, *map(letter, range(4)), answer=fault)
    assert made == [SENT, DEFERRED, SENT, SENT]
    assert server.sessions == 2


@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "DOT"])
def test_the_second_break_defers_the_rest(verb: str) -> None:
    with ScriptedSmtp({verb: [Fault.DROP] * 9}) as server:
        assert deliveries(server, *map(letter, range(5))) == [DEFERRED] * 5
    assert server.sessions == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer", [Fault.DROP, Fault.SILENCE, "421 4.3.2 too busy", "554 5.7.1 go away"]
)
@pytest.mark.parametrize("verb", ["GREETING", "EHLO"])
def test_a_refused_login_defers_all(verb: str, answer: Answer) -> None:
    script: dict[str, list[Answer]] = {verb: [answer], "HELO": ["502 no", "502 no"]}
    with ScriptedSmtp(script) as server:
        attempts = list(sender_to(server.port, answer).send([letter(1), letter(2)]))
    assert [attempt.delivery for attempt in attempts] == [DEFERRED, DEFERRED]
    assert all(attempt.reason for attempt in attempts)
    assert server.letters == []


def test_an_unreachable_server_defers_all() -> None:
    with ScriptedSmtp() as server:
        port = server.port
    attempts = list(sender_to(port).send([letter(1), letter(2)]))
    assert [attempt.delivery for attempt in attempts] == [DEFERRED, DEFERRED]
    assert "refused" in attempts[1].reason


@pytest.mark.parametrize("fault", [Fault.DROP, "500 what"])
def test_a_failed_reset_affects_no_letter(fault: Answer) -> None:
    with ScriptedSmtp({"RCPT": ["550 no"], "RSET": [fault]}) as server:
        assert deliveries(server, letter(1), letter(2)) == [REJECTED, SENT]


@pytest.mark.parametrize(
    "address", ["", "a@b.example\r\nDATA", "a@b.example> SIZE=1", "two words@b.example"]
)
def test_an_address_that_is_invalid_in_smtp_is_rejected_unsent(address: str) -> None:
    with ScriptedSmtp() as server:
        assert deliveries(server, letter(1, address), letter(2)) == [REJECTED, SENT]
    assert len(server.letters) == 1


def test_an_international_domain_is_sent_in_ascii_if_necessary() -> None:
    with ScriptedSmtp() as server:
        assert deliveries(server, letter(1, "frodo@bücher.example")) == [SENT]
    assert "RCPT TO:<frodo@xn--bcher-kva.example>" in server.commands


def test_an_international_name_is_rejected_without_smtputf8() -> None:
    with ScriptedSmtp() as server:
        assert deliveries(server, letter(1, "jürgen@b.example")) == [REJECTED]


@pytest.mark.parametrize("raw", [b"plain\r\n", RAW], ids=["ascii", "8bit"])
def test_the_server_gets_the_size_and_the_encoding(raw: bytes) -> None:
    with ScriptedSmtp() as server:
        deliveries(server, letter(1, raw=raw))
    extra = "" if raw.isascii() else " BODY=8BITMIME"
    assert f"MAIL FROM:<games@referee.example> SIZE={len(raw)}{extra}" in server.commands


class Keeper:
    """A mail server with one user."""

    def __init__(self) -> None:
        self.logins: list[tuple[bytes, bytes]] = []
        self.letters: list[bytes | str | None] = []

    def __call__(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: object
    ) -> AuthResult:
        assert isinstance(login, LoginPassword)
        self.logins.append((login.login, login.password))
        return AuthResult(success=login.password == b"friend", handled=False)

    async def auth_XOAUTH2(self, server: SMTP, words: list[str]) -> AuthResult:
        self.logins.append((b"XOAUTH2", base64.b64decode(words[1])))
        success = b"Bearer fresh" in self.logins[-1][1]
        if not success:
            # Large providers send the reason first, and expect an empty answer.
            assert await server.challenge_auth(b'{"status":"401"}') == b""
        return AuthResult(success=success, handled=False)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.letters.append(envelope.content)
        return "250 OK"


def guarded(keeper: Keeper, port: int, security: Security) -> Controller:
    """Return a server that requires TLS and a login."""
    options: dict[str, Any] = {"authenticator": keeper, "auth_required": True}
    if security is Security.TLS:
        options |= {"ssl_context": server_context(), "auth_require_tls": False}
    else:
        options |= {"tls_context": server_context(), "require_starttls": True}
    return Controller(keeper, "127.0.0.1", port, **options)


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_login_uses_tls(free_port: int, security: Security) -> None:
    keeper = Keeper()
    server = guarded(keeper, free_port, security)
    server.start()
    try:
        sender = SmtpSender(
            "localhost", free_port, security, "games", lambda: "friend", context=client_context()
        )
        attempts = list(sender.send([letter(1)]))
    finally:
        server.stop()
    assert [attempt.delivery for attempt in attempts] == [SENT]
    assert keeper.logins == [(b"games", b"friend")]
    assert keeper.letters == [RAW]


def test_a_wrong_password_defers_all_and_is_not_logged(free_port: int) -> None:
    keeper = Keeper()
    server = guarded(keeper, free_port, Security.STARTTLS)
    server.start()
    try:
        sender = SmtpSender(
            "localhost", free_port, user="games", password=lambda: "foe", context=client_context()
        )
        (attempt,) = sender.send([letter(1)])
    finally:
        server.stop()
    assert attempt.delivery is DEFERRED
    assert "535" in attempt.reason
    assert "foe" not in attempt.reason
    assert keeper.letters == []


def test_a_server_with_a_strange_certificate_gets_nothing(free_port: int) -> None:
    keeper = Keeper()
    server = guarded(keeper, free_port, Security.STARTTLS)
    server.start()
    try:
        sender = SmtpSender(
            "localhost",
            free_port,
            user="games",
            password=lambda: "friend",
            context=ssl.create_default_context(),
        )
        (attempt,) = sender.send([letter(1)])
    finally:
        server.stop()
    assert attempt.delivery is DEFERRED
    assert "certificate" in attempt.reason
    assert keeper.logins == []


def test_without_starttls_nothing_is_sent_unencrypted() -> None:
    with ScriptedSmtp() as server:
        sender = SmtpSender("127.0.0.1", server.port, Security.STARTTLS, "games", lambda: "friend")
        (attempt,) = sender.send([letter(1)])
    assert attempt.delivery is DEFERRED
    assert "STARTTLS" in attempt.reason
    assert all(command.split(" ")[0] == "ehlo" for command in server.commands)


def test_an_unreadable_password_defers_all() -> None:
    def password() -> str:
        raise ResourceError("the file cannot be read")

    with ScriptedSmtp() as server:
        sender = SmtpSender("127.0.0.1", server.port, Security.NONE, "games", password)
        (attempt,) = sender.send([letter(1)])
    assert attempt.delivery is DEFERRED
    assert attempt.reason == "the file cannot be read"


def test_a_token_is_sent_by_xoauth2_and_fetched_for_each_session(free_port: int) -> None:
    keeper = Keeper()
    server = guarded(keeper, free_port, Security.STARTTLS)
    server.start()
    tokens = iter(["stale", "fresh"])
    try:
        sender = SmtpSender(
            "localhost",
            free_port,
            user="games",
            password=lambda: next(tokens),
            login=Login.TOKEN,
            context=client_context(),
        )
        (first,), (second,) = (list(sender.send([letter(1)])) for _ in range(2))
    finally:
        server.stop()
    assert (first.delivery, second.delivery) == (DEFERRED, SENT)
    assert first.reason.startswith("535")
    assert "stale" not in first.reason
    assert keeper.logins == [
        (b"XOAUTH2", b"user=games\x01auth=Bearer %s\x01\x01" % token)
        for token in (b"stale", b"fresh")
    ]


@pytest.mark.parametrize(
    ("script", "trouble"),
    [
        ({"MAIL": [Fault.SILENCE]}, Trouble.SILENCE),
        ({"GREETING": ["421 4.3.2 Service not available"]}, Trouble.BUSY),
        ({"RCPT": ["452 4.5.3 Too many recipients"]}, Trouble.BUSY),
        ({"RCPT": ["550 5.1.1 nobody"]}, Trouble.ENVELOPE),
    ],
)
def test_a_failure_has_its_cause(script: dict[str, list[Answer]], trouble: Trouble) -> None:
    with ScriptedSmtp(script) as server:
        sender = sender_to(server.port, Fault.SILENCE)
        found = try_sending(sender, "games@example.org", "you@example.org")
    assert found.trouble is trouble
    assert found.failure
