"""The site: everything about this installation that is the same for every letter."""

import hashlib
import hmac
import resource
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.domain.outages import OutageLimits
from referee.domain.shares import SIZES, Size
from referee.letters.incoming.authentication import Authenticator
from referee.letters.outgoing.compose import Composer
from referee.rules.ruleset import Ruleset


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@dataclass(frozen=True, slots=True)
class Site:
    """The settings and services of the installation.

    *key* signs tokens and must never be shown. *creators* are the addresses that may CREATE games;
    None allows everyone.
    """

    rulesets: Mapping[str, Ruleset[Any, Any]]
    composer: Composer
    key: bytes
    address: str
    """The address players write to, ``games@example.org``; replies: ``games+TOKEN@example.org``."""
    operator: str = ""
    creators: frozenset[str] | None = None
    zone: str = "UTC"
    """The time zone of people who have set none."""
    entropy: Callable[[int], bytes] = secrets.token_bytes
    """Returns the given number of random bytes, for seeds of games and security codes."""
    authenticator: Authenticator = field(default_factory=Authenticator)
    """Checks signatures. The default one has no DNS, so it finds no keys."""
    cpu_clock: Callable[[], float] = time.thread_time
    """Returns the processor time of this thread in seconds, for the limit of each letter."""
    peak_memory: Callable[[], int] = _peak_memory
    """Returns the most octets of memory that this process has taken, for the same limit."""
    sizes: Mapping[Size, int] = field(default_factory=lambda: SIZES)
    """The settings that the numbers of the shares grow with."""
    is_for_one: bool = False
    """Whether one person plays at a terminal, so that emails with nothing to do in them come from
    no program, and all are answered."""
    pages: str = ""
    """The address of the pages that everyone can read, with a slash at its end; empty if none."""
    epoch: str = ""
    """The mark of every Message-ID since the last restore of a backup, in letters and digits."""
    patience: OutageLimits = field(default_factory=OutageLimits)
    """The silence of the referee from which on it is an outage that moves deadlines."""

    @property
    def domain(self) -> str:
        """The domain of the site's address."""
        return self.address.partition("@")[2]

    @property
    def loop_token(self) -> str:
        """The mark on every letter of ours, which identifies one that comes back in a loop."""
        return hmac.digest(self.key, b"loop", hashlib.sha256).hex()[:16]
