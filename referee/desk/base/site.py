"""What every use case needs besides its session and the time: the referee's own house."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.domain.outages import OutageLimits
from referee.letters.incoming.authentication import Authenticator
from referee.letters.outgoing.compose import Composer
from referee.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Site:
    """The referee's own affairs, the same for every letter.

    *key* signs tokens and never leaves the house. *creators* are the addresses that may CREATE
    games; None lets anybody.
    """

    rulesets: Mapping[str, Ruleset[Any, Any]]
    composer: Composer
    key: bytes
    address: str
    """Where players write to, ``games@example.org``; replies go to ``games+TOKEN@example.org``."""
    operator: str = ""
    creators: frozenset[str] | None = None
    zone: str = "UTC"
    """The time zone of people who have set none."""
    entropy: Callable[[int], bytes] = secrets.token_bytes
    """Gives that many random bytes, for the seeds of games and for security codes."""
    authenticator: Authenticator = field(default_factory=Authenticator)
    """Tells who signed a letter; as it is made here, it finds nobody's key."""
    answers_an_hour: int = 60
    """How many letters of one player about one game are answered in an hour."""
    answers_a_day: int = 250
    """How many letters of one player are answered in a day."""
    patience: OutageLimits = field(default_factory=OutageLimits)
    """From when on a silence of the referee is an outage that moves deadlines."""

    @property
    def domain(self) -> str:
        """The host part of the referee's address."""
        return self.address.partition("@")[2]

    @property
    def loop_token(self) -> str:
        """The mark on every letter of ours, by which one that comes back is known."""
        return hmac.digest(self.key, b"loop", hashlib.sha256).hex()[:16]
