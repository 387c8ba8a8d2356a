"""The clock: the only package that reads the time of day and imports APScheduler."""

from referee.clock.system import now
from referee.clock.ticker import SECONDS, Ticker

__all__ = ["SECONDS", "Ticker", "now"]
