"""Failures of mail sources: how long each lasts, and whether the operator was alerted."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from referee.desk.due.source_alerts import SourceFailure


class SourceHealth:
    """Remembers since when each mail source fails, until it works again."""

    def __init__(self) -> None:
        self._since: dict[str, datetime] = {}
        self._reported: set[str] = set()

    def lasting(
        self, words: Mapping[str, str], now: datetime, gap: timedelta
    ) -> list[SourceFailure]:
        """Return the failures that have lasted for *gap* and were not reported yet.

        *words* describe the failure of each source that fails now; all others work.
        """
        self._since = {source: self._since.get(source, now) for source in words}
        self._reported &= words.keys()
        return [
            SourceFailure(source, since, words[source])
            for source, since in self._since.items()
            if now - since >= gap and source not in self._reported
        ]

    def mark_reported(self, failure: SourceFailure) -> None:
        """Record that the operator was alerted to a failure."""
        self._reported.add(failure.source)
