"""The tree of this program's errors, and how one is told to the operator.

RefereeError
├── SettingsError
├── PluginError
├── ResourceError
├── NotFound
├── UnknownRuleset
└── StoreError
    ├── StoreBusy
    ├── StoreUnreachable
    ├── StoreUnwritable
    ├── StoreOutdated
    ├── StateUnreadable
    └── ClaimLost

What a player or GM writes wrongly is none of these: that is a ``UserError`` of ``referee.rules``.
Every other exception is a defect of the program.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: what, what to do about it, and where (a label and the place)."""

    what: str
    remedy: str = ""
    label: str = ""
    place: str = ""

    def __str__(self) -> str:
        """Return the words for the terminal: place and remedy stand indented under what is
        wrong."""
        lines = [self.what]
        if self.place:
            lines.append(f"  {self.label:<9} {self.place}")
        if self.remedy:
            lines.append(f"  {'to do':<9} {self.remedy}")
        return "\n".join(lines)


class RefereeError(Exception):
    """Something the operator has to know; the words say what is wrong and what to do."""

    def __init__(self, *findings: Finding | str) -> None:
        self.findings = tuple(Finding(f) if isinstance(f, str) else f for f in findings)
        super().__init__("; ".join(finding.what for finding in self.findings))

    def told(self) -> str:
        """Return all findings for the terminal, each begun with the program's name."""
        return "\n".join(f"referee: {finding}" for finding in self.findings)


class SettingsError(RefereeError):
    """The settings do not say what they must."""


class PluginError(RefereeError):
    """An installed ruleset cannot be used."""


class ResourceError(RefereeError):
    """A file, folder, port or server cannot be used."""


class NotFound(RefereeError):
    """There is no such game, seat or letter."""


class UnknownRuleset(RefereeError):
    """A game needs a ruleset that is not installed."""

    def __init__(self, key: str, installed: Sequence[str]) -> None:
        found = ", ".join(sorted(installed)) or "none"
        super().__init__(
            Finding(
                f"the ruleset {key!r} is not installed",
                f"install the package that brings it; installed here: {found}",
            )
        )


class StoreError(RefereeError):
    """The database does not do what it must."""


class StoreBusy(StoreError):
    """Somebody else held the database longer than we wait; the same again later will do."""


class StoreUnreachable(StoreError):
    """The database server does not answer or was stopped; the same again later may do."""


class StoreUnwritable(StoreError):
    """The database cannot be opened or written: the disk is full, or the rights are missing."""


class StoreOutdated(StoreError):
    """The tables are not those of this version of the program."""


class StateUnreadable(StoreError):
    """A stored game state cannot be read as the ruleset's state."""


class ClaimLost(StoreError):
    """The lease ran out and somebody else has taken the row; nothing may be written."""
