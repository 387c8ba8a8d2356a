"""The context of every use case: transaction, site and time, and faults that cost one part."""

import hashlib
import hmac
import resource
import secrets
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from referee.domain.call_outs import Hook
from referee.domain.effort import Effort
from referee.domain.outages import OutageLimits
from referee.domain.shares import SIZES, Size
from referee.errors import RefereeError, is_interrupt
from referee.letters.incoming.authentication import Authenticator
from referee.letters.outgoing.compose import Composer
from referee.rules.ruleset import Ruleset
from referee.store import Session
from referee.store.database.db_errors import concerns_database

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SparedFault:
    """A part of an answer that could not be made, and the exception.

    The operator gets the *reference*. The caller that opened the transaction logs the fault after
    the commit.
    """

    part: str
    reference: str
    error: BaseException
    letter: int | None
    game: int | None
    ruleset: str
    """The key of the ruleset that failed, or ""."""

    @property
    def cause(self) -> str:
        """The exception and its place, without a message that could have a secret of a player."""
        if isinstance(self.error, RefereeError):
            return f"The cause: {self.error}."
        name, frames = type(self.error).__name__, traceback.extract_tb(self.error.__traceback__)
        ours = [frame for frame in frames if not _is_standard(frame.filename)]
        if not ours:
            return f"The exception is {name}."
        file = "/".join(Path(ours[-1].filename).parts[-2:])
        return f"The exception is {name} in {file}, line {ours[-1].lineno}, in {ours[-1].name}."


def package_of(rules: Ruleset[Any, Any]) -> str:
    """Return the name of the top-level package that a ruleset is in."""
    return rules.__class__.__module__.partition(".")[0]


def spare(work: Callable[[], T], failed: Callable[[BaseException], T]) -> T:
    """Return the result of *work*; if it raises, the result of *failed*.

    Database errors and interrupts are raised again: after a database error the whole transaction is
    lost.
    """
    try:
        return work()
    except BaseException as error:
        if is_interrupt(error) or concerns_database(error):
            raise
        return failed(error)


def _is_standard(file: str) -> bool:
    """Return whether a file is in the standard library, whose errors come from its caller."""
    return Path(file).is_relative_to(Path(traceback.__file__).parent) and "-packages" not in file


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
    hooks: tuple[Hook, ...] = ()
    """The addresses outside of email that get the public events of games."""
    html: bool = False
    """Whether letters to people who have not chosen have HTML besides their text."""
    epoch: str = ""
    """The mark of every Message-ID since the last restore of a backup, in letters and digits."""
    patience: OutageLimits = field(default_factory=OutageLimits)
    """The silence of the referee from which on it is an outage that moves deadlines."""

    def effort(self) -> Effort:
        """Return the effort for one more letter."""
        return Effort(self.cpu_clock, self.peak_memory)

    @property
    def domain(self) -> str:
        """The domain of the site's address."""
        return self.address.partition("@")[2]

    @property
    def loop_token(self) -> str:
        """The mark on every letter of ours, which identifies one that comes back in a loop."""
        return hmac.digest(self.key, b"loop", hashlib.sha256).hex()[:16]


@dataclass(frozen=True, slots=True)
class Desk:
    """One unit of work, in one transaction and at one moment."""

    session: Session
    site: Site
    now: datetime
    faults: list[SparedFault] = field(default_factory=list, compare=False)
    """Faults that did not end the work. The opener of the transaction logs them after it."""
    unasked: list[int] = field(default_factory=list, compare=False)
    """The letters that were not done, because nobody could be asked about them; logged likewise."""
