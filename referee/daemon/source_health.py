"""The troubles of the ways in: how long each lasts, and whether the operator has been told."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from referee.desk.due.source_alerts import SourceFailure


class SourceHealth:
    """Remembers since when each way in is in trouble, until it is well again."""

    def __init__(self) -> None:
        self._since: dict[str, datetime] = {}
        self._told: set[str] = set()

    def lasting(
        self, words: Mapping[str, str], now: datetime, gap: timedelta
    ) -> list[SourceFailure]:
        """Return the troubles that last for *gap* by now and nobody was told of.

        *words* say what is the matter with each way in that is in trouble now; all others are well.
        """
        self._since = {source: self._since.get(source, now) for source in words}
        self._told &= words.keys()
        return [
            SourceFailure(source, since, words[source])
            for source, since in self._since.items()
            if now - since >= gap and source not in self._told
        ]

    def was_told(self, barred: SourceFailure) -> None:
        """Note that the operator knows of a trouble."""
        self._told.add(barred.source)
