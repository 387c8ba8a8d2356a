"""The guide for newcomers as the first report shows it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuideOrders:
    """Orders that can be sent as they are, one text for each line, and the reason for them."""

    lines: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class GuideText:
    """What the seat sees, orders to send now, and what to read: commands with their subjects."""

    position: str
    orders: tuple[GuideOrders, ...]
    reading: tuple[str, ...]
    alternatives: bool = False
    """Whether only one of the *orders* can be sent."""
