"""The guide for newcomers, and the lessons of a tutorial, as reports show them."""

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


@dataclass(frozen=True, slots=True)
class LessonText:
    """The lesson of a turn: remarks on the last turn, what is new, and orders to try.

    After the last step, *number* is None and *title* the name of the game.
    """

    number: int | None
    steps: int
    title: str
    remarks: tuple[str, ...]
    paragraphs: tuple[str, ...]
    orders: tuple[GuideOrders, ...]
