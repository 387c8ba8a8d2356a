"""Letters over a quota or not given by the server, which stay where they are for a while."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from referee.domain.mail_transfer import IncomingMail
from referee.errors import OverQuota

log = logging.getLogger(__name__)

PAUSE: Final = timedelta(hours=1)


class Refusals:
    """The letters of one mail source that cannot be taken, each until it is tried again."""

    def __init__(self) -> None:
        self._until: dict[str, datetime] = {}

    def is_waiting(self, source_id: str, now: datetime) -> bool:
        """Return whether a source waits until its letter is tried again."""
        until = self._until.get(source_id)
        if until is None or not until - PAUSE <= now < until:
            self._until.pop(source_id, None)
            return False
        return True

    def postpone(self, source_id: str, now: datetime) -> None:
        """Keep a letter from being tried again for a while."""
        self._until[source_id] = now + PAUSE

    def accept(
        self,
        accept_all: Callable[[Sequence[IncomingMail]], object],
        arrivals: Sequence[IncomingMail],
        now: datetime,
    ) -> set[str]:
        """Accept the letters, and return the source ids of all but those over a quota."""
        try:
            accept_all(arrivals)
        except OverQuota:
            if len(arrivals) == 1:
                self.postpone(arrivals[0].source_id, now)
                log.warning("%s: %s: over the quota", arrivals[0].source, arrivals[0].source_id)
                return set()
            half = len(arrivals) // 2
            first = self.accept(accept_all, arrivals[:half], now)
            return first | self.accept(accept_all, arrivals[half:], now)
        return {arrival.source_id for arrival in arrivals}
