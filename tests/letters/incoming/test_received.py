"""The network in the Received field of a mail server of ours."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from referee.desk.reception.intake import with_network
from referee.domain.mail_transfer import IncomingMail
from referee.letters.incoming.received import network_seen

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
OURS = frozenset({"mx.referee.example"})
BY = "by mx.referee.example (Postfix) with ESMTPS id 4F2"
LMTP = (
    "Received: from mx.referee.example ([127.0.0.1])\n\tby mx.referee.example with LMTP\n\tid q1\n"
)
TLS = "(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits))\n\t(No client certificate)"


def received(client: str, by: str = BY) -> str:
    return f"Received: from {client}\n\t{TLS}\n\t{by}\n\tfor <games@referee.example>; 1 Sep 2026\n"


@pytest.mark.parametrize(
    ("head", "network"),
    [
        (received("mail.far.example (mail.far.example [8.8.8.8])"), "8.8.8.0/24"),
        (received("x (unknown [IPv6:2606:4700:10::1])"), "2606:4700:10::/48"),
        (received("x (unknown [::ffff:8.8.8.8])"), "8.8.8.0/24"),
        (received("mail.far.example ([8.8.4.4] helo=[9.9.9.9])"), "8.8.4.0/24"),
        # The name before the address is the client's own word.
        (received("[9.9.9.9] (unknown [8.8.8.8])"), "8.8.8.0/24"),
        (received("x (unknown [8.8.8.8])", BY.replace("mx", "MX")), "8.8.8.0/24"),
        (LMTP + received("x (unknown [8.8.8.8])"), "8.8.8.0/24"),
        ("Return-Path: <x@far.example>\n" + received("x (unknown [8.8.8.8])"), "8.8.8.0/24"),
        # One that our server passes on to itself names nobody.
        (received("x (localhost [127.0.0.1])") + received("x (unknown [8.8.8.8])"), ""),
        (received("x (unknown [10.0.0.7])"), ""),
        (received("x (unknown [fe80::1%eth0])"), ""),
        (received("mx.referee.example (mx.referee.example [8.8.8.8])"), ""),
        (received("x (unknown [unknown])"), ""),
        (received("[9.9.9.9]"), ""),
        # Anybody can write these.
        (received("x (unknown [8.8.8.8])", "by mx.far.example with SMTP id 1"), None),
        (received("x (a by mx.referee.example [9.9.9.9])", "by far.example with SMTP id 1"), None),
        (LMTP + received("x (unknown [8.8.8.8])", "by far.example with SMTP id 1"), None),
        ("Received: by mx.referee.example (Postfix, from userid 1000) id 4F2\n", None),
        (f"Received: {'(' * 90_000}\n", None),
        ("Subject: from x by mx.referee.example with SMTP\n", None),
        ("", None),
    ],
)
def test_the_network_is_the_one_that_our_server_saw(head: str, network: str | None) -> None:
    letter = f"{head}From: <x@far.example>\n\n{received('x (unknown [9.9.9.9])')}"
    for raw in (letter, letter.replace("\n", "\r\n")):
        assert network_seen(raw.encode(), OURS) == network


@pytest.mark.parametrize(
    ("servers", "peer", "network"),
    [
        (["mx.other.example"], "", ""),
        ([], "", "8.8.8.0/24"),
        ([], "9.9.9.0/24", "9.9.9.0/24"),
    ],
)
def test_without_the_names_of_our_servers_the_field_of_the_last_one_counts(
    servers: Sequence[str], peer: str, network: str
) -> None:
    raw = f"{received('x (unknown [8.8.8.8])')}From: <x@far.example>\n\nLIST\n".encode()
    arrival = IncomingMail("lmtp", "1", raw, NOON, network=peer)
    assert with_network(arrival, servers).network == network
