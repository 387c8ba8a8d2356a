"""DNS lookups, for the signatures of letters and for the doctor."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Final

from dns.exception import DNSException
from dns.rdata import Rdata
from dns.rdtypes.ANY.MX import MX
from dns.rdtypes.ANY.TXT import TXT
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

from referee.desk.base.ledger import registered
from referee.domain.shares import SHARES, Thing
from referee.letters.incoming.authentication import Unanswered

_SECONDS: Final = 5.0


class NameServer:
    """Queries the name server of this machine."""

    def __init__(self, resolver: Resolver | None = None, seconds: float = _SECONDS) -> None:
        self._resolver = resolver
        self._seconds = seconds

    def ask(self, name: str, kind: str) -> tuple[str, ...] | None:
        """Return the records of a type (MX: the hosts, A, AAAA, TXT), or None without an answer."""
        try:
            # Created at the first query, because a machine without a name server can run, too.
            self._resolver = self._resolver or Resolver()
            answer = self._resolver.resolve(name, kind, lifetime=self._seconds)
        except (NXDOMAIN, NoAnswer):
            return ()
        except (DNSException, OSError, UnicodeError):
            return None
        return tuple(_text(record) for record in answer)

    def records(self, name: str) -> tuple[str, ...] | None:
        """Return the TXT records of *name*, each as one text; None without an answer in time."""
        return self.ask(name, "TXT")


_MOST_SECONDS: Final = SHARES[Thing.LOOKUP][0].hour
"""How long the name servers of one domain are waited for in an hour."""
_HOUR: Final = 3600.0
_MOST_OPEN: Final = 64
_MOST_REMEMBERED: Final = 1_000


@dataclass(slots=True)
class _Question:
    """A name that was asked about, and the seconds that it costs its domain, first the most."""

    domain: str
    asked_at: float
    seconds: float = _SECONDS
    answered: Event = field(default_factory=Event)
    records: Sequence[str] | None = None


class Lookups:
    """Asks about names in threads, so that nobody waits, and remembers the answers for an hour.

    A missing answer is remembered, too. *ring* is called after each answer; *ask* and *clock* are
    the name server and a clock of seconds.
    """

    def __init__(
        self,
        ring: Callable[[], object],
        ask: Callable[[str], Sequence[str] | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ring, self._ask, self._clock = ring, ask, clock
        self._questions: dict[str, _Question] = {}
        """The questions of the last hour by name, the oldest first."""
        self._lock = Lock()

    def records(self, name: str) -> Sequence[str] | None:
        """Return the TXT records of a name, or None if nobody answered within five seconds.

        Return none if the purse of its domain is empty, or too many names are asked about: a
        signature then proves nothing. Raises Unanswered while nobody has answered yet.
        """
        name = name.lower()
        with self._lock:
            self._forget()
            question = self._questions.get(name)
            if question is None:
                question = _Question(registered(name), self._clock())
                if not self._is_paid(question.domain):
                    return ()
                self._questions[name] = question
                Thread(target=self._put, args=(name, question), daemon=True).start()
            if not question.answered.is_set():
                raise Unanswered(question.answered)
            return question.records

    def _put(self, name: str, question: _Question) -> None:
        try:
            question.records = self._ask(name)
        finally:
            with self._lock:
                question.seconds = self._clock() - question.asked_at
                question.answered.set()
            self._ring()

    def _is_paid(self, domain: str) -> bool:
        """Return whether the domain can pay for a question that nobody answers."""
        asked = self._questions.values()
        spent = sum(each.seconds for each in asked if each.domain == domain)
        still_open = sum(not each.answered.is_set() for each in asked)
        return spent + _SECONDS <= _MOST_SECONDS and still_open < _MOST_OPEN

    def _forget(self) -> None:
        """Forget the questions that are an hour old, or too many."""
        begin = self._clock() - _HOUR
        for name, question in list(self._questions.items()):
            if question.asked_at > begin and len(self._questions) <= _MOST_REMEMBERED:
                break
            del self._questions[name]


def _text(record: Rdata) -> str:
    if isinstance(record, TXT):
        return b"".join(record.strings).decode("utf-8", "replace")
    if isinstance(record, MX):
        return str(record.exchange).rstrip(".")
    return str(record)
