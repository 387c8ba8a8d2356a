"""The name server: records are returned unchanged, and failures give no records."""

import socket
import threading
import time
from collections.abc import Iterator

import dns.message
import dns.rcode
import dns.rrset
import pytest
from dns.resolver import Resolver

from referee.mail.dns import NameServer


def answer(question: bytes) -> bytes:
    """Answer for two records of one name, one of them in two strings."""
    query = dns.message.from_wire(question)
    response = dns.message.make_response(query)
    name = query.question[0].name
    if str(name) == "s._domainkey.shire.example.":
        texts = ['"v=DKIM1; " "p=AAAA"', '"hello \\228"']
        response.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", *texts))
    else:
        response.set_rcode(dns.rcode.NXDOMAIN)
    return response.to_wire()


@pytest.fixture
def names() -> Iterator[NameServer]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        channel.bind(("127.0.0.1", 0))
        channel.settimeout(10)
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], channel.getsockname()[1]

        def serve() -> None:
            question, asker = channel.recvfrom(4096)
            channel.sendto(answer(question), asker)

        thread = threading.Thread(target=serve)
        thread.start()
        yield NameServer(resolver)
        thread.join()


def test_records_are_returned_unchanged(names: NameServer) -> None:
    # A name server can answer in any order.
    records = sorted(names.records("s._domainkey.shire.example") or ())
    assert records == ["hello \ufffd", "v=DKIM1; p=AAAA"]


def test_a_name_server_that_is_slow_is_waited_for_only_as_long_as_asked() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        channel.bind(("127.0.0.1", 0))
        channel.settimeout(10)
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], channel.getsockname()[1]

        def serve() -> None:
            question, asker = channel.recvfrom(4096)
            time.sleep(0.5)
            channel.sendto(answer(question), asker)

        thread = threading.Thread(target=serve)
        thread.start()
        assert NameServer(resolver).records("s._domainkey.shire.example", 0.1) is None
        thread.join()


def test_a_missing_name_has_no_records(names: NameServer) -> None:
    assert names.records("mordor.example") == ()


@pytest.mark.parametrize("name", ["a..b", "x" * 70 + ".example", "\udcff.example", "."])
def test_an_invalid_name_is_not_answered(name: str) -> None:
    assert NameServer(Resolver(configure=False)).records(name) is None
