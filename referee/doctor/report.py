"""Results of the doctor's checks."""

from dataclasses import dataclass
from enum import Enum

from referee.errors import Finding


class Severity(Enum):
    """The severity of a check result."""

    WELL = "ok"
    LOOK = "look"
    """Something that works, or soon will; the operator should know."""
    FAULT = "FAULT"
    """Something that must be fixed."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check."""

    grade: Severity
    finding: Finding


def well(words: str) -> CheckResult:
    """Return the result of a check without problems."""
    return CheckResult(Severity.WELL, Finding(words))


def look(words: str, remedy: str, label: str = "", place: str = "") -> CheckResult:
    """Return the result of a check that the operator should look at."""
    return CheckResult(Severity.LOOK, Finding(words, remedy, label, place))


def fault(words: str, remedy: str, label: str = "", place: str = "") -> CheckResult:
    """Return the result of a check that found a fault."""
    return CheckResult(Severity.FAULT, Finding(words, remedy, label, place))
