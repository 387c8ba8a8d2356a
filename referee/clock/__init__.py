"""The clock: the one place where the time of day is read, and the one home of APScheduler."""

from referee.clock.system import now
from referee.clock.ticker import Ticker

__all__ = ["Ticker", "now"]
