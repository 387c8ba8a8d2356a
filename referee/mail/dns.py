"""DNS lookups, for the signatures of letters and for the doctor."""

from typing import Final

from dns.exception import DNSException
from dns.rdata import Rdata
from dns.rdtypes.ANY.MX import MX
from dns.rdtypes.ANY.TXT import TXT
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

_SECONDS: Final = 5.0


class NameServer:
    """Queries the name server of this machine."""

    def __init__(self, resolver: Resolver | None = None, seconds: float = _SECONDS) -> None:
        self._resolver = resolver
        self._seconds = seconds

    def ask(self, name: str, kind: str, seconds: float | None = None) -> tuple[str, ...] | None:
        """Return the records of a type (MX: the hosts, A, AAAA, TXT), or None without an answer."""
        try:
            # Created at the first query, because a machine without a name server can run, too.
            self._resolver = self._resolver or Resolver()
            lifetime = self._seconds if seconds is None else seconds
            answer = self._resolver.resolve(name, kind, lifetime=lifetime)
        except (NXDOMAIN, NoAnswer):
            return ()
        except (DNSException, OSError, UnicodeError):
            return None
        return tuple(_text(record) for record in answer)

    def records(self, name: str, seconds: float = _SECONDS) -> tuple[str, ...] | None:
        """Return the TXT records of *name*, each as one text; None without an answer in time."""
        return self.ask(name, "TXT", seconds)


def _text(record: Rdata) -> str:
    if isinstance(record, TXT):
        return b"".join(record.strings).decode("utf-8", "replace")
    if isinstance(record, MX):
        return str(record.exchange).rstrip(".")
    return str(record)
