"""What the doctor says of one thing: that it is well, worth a look, or must be mended."""

from dataclasses import dataclass
from enum import Enum

from referee.errors import Finding


class Grade(Enum):
    """How much it matters."""

    WELL = "ok"
    LOOK = "look"
    """It works, or will in a moment; the operator should know."""
    FAULT = "FAULT"
    """It must be mended."""


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that was looked at."""

    grade: Grade
    finding: Finding


def well(words: str) -> Said:
    """Say that all is well."""
    return Said(Grade.WELL, Finding(words))


def look(words: str, remedy: str, label: str = "", place: str = "") -> Said:
    """Say what deserves a look."""
    return Said(Grade.LOOK, Finding(words, remedy, label, place))


def fault(words: str, remedy: str, label: str = "", place: str = "") -> Said:
    """Say what must be mended."""
    return Said(Grade.FAULT, Finding(words, remedy, label, place))
