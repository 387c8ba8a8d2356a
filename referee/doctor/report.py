"""What the doctor says of one thing: that it is well, worth a look, or must be mended."""

from dataclasses import dataclass
from enum import Enum

from referee.errors import Finding


class Severity(Enum):
    """How much it matters."""

    WELL = "ok"
    LOOK = "look"
    """It works, or will in a moment; the operator should know."""
    FAULT = "FAULT"
    """It must be mended."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that was looked at."""

    grade: Severity
    finding: Finding


def well(words: str) -> CheckResult:
    """Say that all is well."""
    return CheckResult(Severity.WELL, Finding(words))


def look(words: str, remedy: str, label: str = "", place: str = "") -> CheckResult:
    """Say what deserves a look."""
    return CheckResult(Severity.LOOK, Finding(words, remedy, label, place))


def fault(words: str, remedy: str, label: str = "", place: str = "") -> CheckResult:
    """Say what must be mended."""
    return CheckResult(Severity.FAULT, Finding(words, remedy, label, place))
