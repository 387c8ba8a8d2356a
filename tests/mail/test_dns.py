"""The name server: records are returned unchanged, and failures give no records."""

import socket
import threading
import time
from collections.abc import Iterator, Sequence

import dns.message
import dns.rcode
import dns.rrset
import pytest
from dns.resolver import Resolver

from referee.letters.incoming.authentication import Unanswered
from referee.mail.dns import Lookups, NameServer


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
        assert NameServer(resolver, 0.1).records("s._domainkey.shire.example") is None
        thread.join()


def test_a_missing_name_has_no_records(names: NameServer) -> None:
    assert names.records("mordor.example") == ()


@pytest.mark.parametrize("name", ["a..b", "x" * 70 + ".example", "\udcff.example", "."])
def test_an_invalid_name_is_not_answered(name: str) -> None:
    assert NameServer(Resolver(configure=False)).records(name) is None


class Server:
    """A name server that takes *seconds* for each answer, and its clock."""

    def __init__(self, seconds: float = 0.0, records: Sequence[str] | None = ("v=DKIM1",)) -> None:
        self.seconds, self.given, self.now = seconds, records, 0.0
        self.asked: list[str] = []
        self._answered = threading.Semaphore(0)
        self.lookups = Lookups(self._answered.release, self._ask, lambda: self.now)

    def _ask(self, name: str) -> Sequence[str] | None:
        self.asked.append(name)
        self.now += self.seconds
        return self.given

    def records(self, name: str) -> Sequence[str] | None:
        """Return the records of a name, after its answer if it has to be asked about."""
        try:
            return self.lookups.records(name)
        except Unanswered:
            self._answered.acquire()
            return self.lookups.records(name)


@pytest.mark.parametrize("given", [("v=DKIM1",), (), None])
def test_an_answer_is_remembered_for_an_hour(given: Sequence[str] | None) -> None:
    server = Server(records=given)
    assert [server.records("s.shire.example"), server.records("S.Shire.Example")] == [given] * 2
    assert server.asked == ["s.shire.example"]
    server.now += 3600
    assert server.records("s.shire.example") == given
    assert len(server.asked) == 2


def test_a_domain_has_twenty_seconds_an_hour() -> None:
    server = Server(5, None)
    found = [server.records(f"{n}.shire.example") for n in range(9)]
    assert found == [None] * 4 + [()] * 5
    assert server.records("1.mordor.co.uk") is None
    server.now += 3600
    assert server.records("9.shire.example") is None


def test_a_domain_pays_only_for_the_time_it_took() -> None:
    server = Server(0.5)
    assert [server.records(f"{n}.shire.example") for n in range(40)].count(()) == 9


def test_only_so_many_names_are_asked_about_at_a_time() -> None:
    is_over = threading.Event()

    def ask(_name: str) -> Sequence[str]:
        is_over.wait()
        return ()

    lookups = Lookups(threading.Event().set, ask, float)
    for number in range(64):
        with pytest.raises(Unanswered):
            lookups.records(f"s.shire{number}.example")
    assert lookups.records("s.shire.example") == ()
    is_over.set()


def test_the_oldest_names_are_forgotten_if_there_are_too_many() -> None:
    server = Server()
    for number in range(1_002):
        server.records(f"s.shire{number}.example")
    server.records("s.shire1001.example")
    server.records("s.shire0.example")
    assert len(server.asked) == 1_003
