"""The name server: the TXT records of a name, for checking who signed a letter."""

from collections.abc import Sequence
from typing import Final

from dns.exception import DNSException
from dns.rdata import Rdata
from dns.rdtypes.ANY.MX import MX
from dns.rdtypes.ANY.TXT import TXT
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

_SECONDS: Final = 5.0


class NameServer:
    """Asks the name server of this machine; what cannot be found out is no record."""

    def __init__(self, resolver: Resolver | None = None, seconds: float = _SECONDS) -> None:
        self._resolver = resolver
        self._seconds = seconds

    def ask(self, name: str, kind: str) -> tuple[str, ...] | None:
        """Return the records of a kind (MX: the hosts, A, AAAA, TXT); None when nobody answers."""
        try:
            self._resolver = self._resolver or Resolver()
            answer = self._resolver.resolve(name, kind, lifetime=self._seconds)
        except (NXDOMAIN, NoAnswer):
            return ()
        except (DNSException, OSError, UnicodeError):
            return None
        return tuple(_told(record) for record in answer)

    def records(self, name: str) -> Sequence[str]:
        """Return the TXT records of *name*, each as one text; none after five seconds of
        silence."""
        try:
            # Made at the first question, because a machine without any name server still plays.
            self._resolver = self._resolver or Resolver()
            answer = self._resolver.resolve(name, "TXT", lifetime=self._seconds)
        except (DNSException, OSError, UnicodeError):
            return ()
        return [_told(record) for record in answer]


def _told(record: Rdata) -> str:
    if isinstance(record, TXT):
        return b"".join(record.strings).decode("utf-8", "replace")
    if isinstance(record, MX):
        return str(record.exchange).rstrip(".")
    return str(record)
