"""Call-outs over HTTPS, against a real server with a certificate of its own."""

import base64
import hashlib
import hmac
import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail
from referee.mail.call_outs import HookRefused, HookSender, HookTarget, secret_key
from tests.mail.samples import NOW, client_context, clock
from tests.support.hook_server import HookServer, hook_server

KEY = bytes(range(32))
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
STORED = b'{"type":"game.begun","timestamp":"x","data":{"text":"SW-1 has begun.","page":""}}'


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HookServer]:
    with hook_server(tmp_path) as running:
        yield running


def target(url: str, **fields: Any) -> HookTarget:
    hook = HookTarget("tavern", lambda: url, lambda: SECRET, address="127.0.0.1")
    return replace(hook, **fields)


def sender(*hooks: HookTarget) -> HookSender:
    return HookSender({hook.name: hook for hook in hooks}, clock, client_context(), 2.0)


def call(number: int = 1, hook: str = "tavern") -> OutgoingMail:
    return OutgoingMail(number, f"call_{number}", "", hook, STORED)


def results(attempts: Iterator[Attempt]) -> list[tuple[Delivery, str]]:
    return [(attempt.delivery, attempt.reason) for attempt in attempts]


def test_a_call_out_is_signed_with_its_id_and_time(server: HookServer) -> None:
    hook = target(server.url("/ok?thread=7"))
    assert results(sender(hook).send([call()])) == [(Delivery.SENT, "")]
    (seen,) = server.seen
    stamp = str(int(NOW.timestamp()))
    signed = f"call_1.{stamp}.".encode() + STORED
    made = base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    head = seen["head"]
    assert (seen["path"], seen["body"].encode()) == ("/ok?thread=7", STORED)
    assert head["content-type"] == "application/json"
    assert {name: head[name] for name in head if name.startswith("webhook-")} == {
        "webhook-id": "call_1",
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{made}",
    }


def test_a_chat_needs_no_secret(server: HookServer) -> None:
    hook = target(server.url("/ok"), secret=str, format="slack")
    assert results(sender(hook).send([call()])) == [(Delivery.SENT, "")]
    (seen,) = server.seen
    assert json.loads(seen["body"])["text"] == "SW-1 has begun."
    assert "webhook-signature" not in seen["head"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/404", "HTTP 404"),
        ("/410", "HTTP 410"),
        ("/429", "HTTP 429"),
        ("/503", "HTTP 503"),
        ("/moved", "HTTP 307: redirects are not followed"),
        ("/silent", "no answer in time"),
        ("/slow", "no answer in time"),
    ],
)
def test_a_call_that_fails_is_tried_again_later(server: HookServer, path: str, reason: str) -> None:
    attempts = results(sender(target(server.url(path))).send([call(1), call(2)]))
    assert attempts == [(Delivery.DEFERRED, reason)] * 2
    # The second is put off without another try.
    assert [seen["path"] for seen in server.seen] == [path]


def test_a_hook_that_is_down_holds_no_other(server: HookServer) -> None:
    hooks = target(server.url("/503")), replace(target(server.url("/ok")), name="other")
    attempts = sender(*hooks).send([call(1), call(2, "other"), call(3)])
    assert [attempt.delivery for attempt in attempts] == [
        Delivery.DEFERRED,
        Delivery.SENT,
        Delivery.DEFERRED,
    ]


def test_a_hook_that_the_settings_no_longer_have_is_given_up() -> None:
    reason = "the settings have no hook of this name"
    assert results(sender().send([call()])) == [(Delivery.REJECTED, reason)]


def test_a_certificate_is_checked(server: HookServer) -> None:
    strict = HookSender({}, clock, seconds=2.0)
    assert strict.trouble(target(server.url("/ok")), call()).startswith(
        "its certificate is not valid: "
    )
    other = target(server.url("/ok").replace("localhost", "other.example"))
    assert sender().trouble(other, call()).startswith("its certificate is not valid: ")
    assert server.seen == []


def test_a_private_address_has_to_be_written_by_the_operator(server: HookServer) -> None:
    hook = target(server.url("/ok"), address="")
    expected = "the name of its server has a private address; set address to it"
    assert sender().trouble(hook, call()) == expected
    assert server.seen == []
    literal = target(server.url("/ok").replace("localhost", "127.0.0.1"), address="")
    assert sender().trouble(literal, None) == ""


def test_a_server_that_is_not_there_shows_no_address() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        hook = target(f"https://localhost:{closed.getsockname()[1]}/TOKEN")
        assert sender().trouble(hook, call()) == "no connection: Connection refused"


def test_connecting_posts_nothing(server: HookServer) -> None:
    assert sender().trouble(target(server.url("/ok")), None) == ""
    assert server.seen == []


@pytest.mark.parametrize(("secret", "told"), [("häh", "not base64"), ("YWJj", "shorter than 24")])
def test_a_weak_secret_is_refused(secret: str, told: str) -> None:
    with pytest.raises(HookRefused, match=told):
        secret_key(secret)
