"""The clock: the one place where the time of day is read, and the one home of APScheduler."""

from referee.clock.ticker import Ticker
from referee.clock.wall import now

__all__ = ["Ticker", "now"]
