"""A local name server with only the given records."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
from dns.resolver import Resolver

from referee.mail.dns import NameServer

Records = Mapping[tuple[str, str], tuple[str, ...]]
"""Records by name and type, as in a zone file."""


@contextmanager
def knowing(records: Records) -> Iterator[NameServer]:
    """Run a name server, and yield its client."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        channel.bind(("127.0.0.1", 0))
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], channel.getsockname()[1]
        thread = threading.Thread(target=_serve, args=(channel, records))
        thread.start()
        try:
            yield NameServer(resolver)
        finally:
            channel.sendto(b"", channel.getsockname())
            thread.join()


def _serve(channel: socket.socket, records: Records) -> None:
    while True:
        question, asker = channel.recvfrom(4096)
        if not question:
            return
        channel.sendto(_answer(question, records), asker)


def _answer(question: bytes, records: Records) -> bytes:
    query = dns.message.from_wire(question)
    response = dns.message.make_response(query)
    asked = query.question[0]
    name, kind = str(asked.name).rstrip("."), dns.rdatatype.to_text(asked.rdtype)
    if (name, kind) in records:
        known = dns.rrset.from_text(asked.name, 60, "IN", kind, *records[name, kind])
        response.answer.append(known)
    elif name not in {known for known, _ in records}:
        response.set_rcode(dns.rcode.NXDOMAIN)
    return response.to_wire()
