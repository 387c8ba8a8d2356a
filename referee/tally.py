"""What happened since the start, counted for the metrics by whatever thread it happened in."""

from collections import Counter
from collections.abc import Mapping
from enum import Enum
from threading import Lock


class Counted(Enum):
    """What is counted."""

    RECEIVED = "received"
    """Letters kept, by the way they came."""
    READ = "read"
    """Letters read, whatever became of them."""
    TRIED = "tried"
    """Attempts to send a letter, by what came of them."""
    ADJUDICATED = "adjudicated"
    """Turns."""
    ADJUDICATION_SECONDS = "adjudication seconds"
    FAILURES = "failures"
    """Letters, turns and steps that failed with a reference in the log."""


class Tally:
    """Counts that only grow; they begin at nothing with each start."""

    def __init__(self) -> None:
        self._counts: dict[Counted, Counter[str]] = {what: Counter() for what in Counted}
        self._lock = Lock()

    def add(self, what: Counted, label: str = "", by: float = 1) -> None:
        """Count something, under a label where there are kinds of it."""
        with self._lock:
            # A counter's values may be of any kind of number.
            self._counts[what][label] += by  # type: ignore[assignment]

    def of(self, what: Counted) -> Mapping[str, float]:
        """Return what was counted so far, by label."""
        with self._lock:
            return dict(self._counts[what])
