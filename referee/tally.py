"""Counters for the metrics since the start, from all threads."""

from collections import Counter
from collections.abc import Mapping
from enum import Enum
from threading import Lock


class Counted(Enum):
    """The kinds of counters."""

    RECEIVED = "received"
    """Letters stored, by source."""
    READ = "read"
    """Letters read, whatever the result."""
    TRIED = "tried"
    """Sending attempts, by result."""
    ADJUDICATED = "adjudicated"
    """Turns."""
    ADJUDICATION_SECONDS = "adjudication seconds"
    FAILURES = "failures"
    """Letters, turns and steps that failed with a reference in the log."""


class Tally:
    """Counters that only increase, starting from zero."""

    def __init__(self) -> None:
        self._counts: dict[Counted, Counter[str]] = {what: Counter() for what in Counted}
        self._lock = Lock()

    def add(self, what: Counted, label: str = "", by: float = 1) -> None:
        """Increase a counter, under a label if it has several."""
        with self._lock:
            # A counter's values can be any kind of number.
            self._counts[what][label] += by  # type: ignore[assignment]

    def of(self, what: Counted) -> Mapping[str, float]:
        """Return the counts so far, by label."""
        with self._lock:
            return dict(self._counts[what])
