"""Pacing: how many letters may still go out in the running hour."""

from collections import deque
from datetime import datetime, timedelta

HOUR = timedelta(hours=1)


class Pacing:
    """Counts what this daemon sent in the last hour, so that a fault cannot become a flood."""

    def __init__(self, letters_an_hour: int) -> None:
        self._most = letters_an_hour
        self._sent: deque[datetime] = deque()

    def room(self, now: datetime) -> int:
        """Give how many letters may go out at *now*."""
        while self._sent and self._sent[0] <= now - HOUR:
            self._sent.popleft()
        return max(self._most - len(self._sent), 0)

    def count(self, now: datetime) -> None:
        """Count one letter that went out."""
        self._sent.append(now)
