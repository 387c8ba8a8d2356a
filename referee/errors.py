"""The exceptions of this program, and their messages for the operator.

RefereeError
├── SettingsError
├── PluginError
├── ResourceError
├── NotFound
├── UnknownRuleset
├── LetterTooCostly
└── StoreError
    ├── StoreBusy
    ├── StoreUnreachable
    ├── StoreUnwritable
    │   └── StoreGone
    │       └── StoreLogGone
    ├── StoreOutdated
    ├── StoreDamaged
    ├── StateUnreadable
    └── ClaimLost

Wrong input of a player or GM is none of these, but a ``UserError`` of ``referee.rules``.
Every other exception is a bug in the program.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

FIX: Final = "fix it in the package of the ruleset"
"""The remedy for a function of a ruleset that fails, for its author."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem with its remedy, and its place with a label."""

    what: str
    remedy: str = ""
    label: str = ""
    place: str = ""

    def __str__(self) -> str:
        """Return the text for the terminal, with place and remedy indented below the problem."""
        lines = [self.what]
        if self.place:
            lines.append(f"  {self.label:<9} {self.place}")
        if self.remedy:
            lines.append(f"  {'to do':<9} {self.remedy}")
        return "\n".join(lines)


def is_interrupt(error: BaseException) -> bool:
    """Return whether an exception is the operator's Ctrl-C.

    Signals come to the main thread only. In another thread, a KeyboardInterrupt is from the code of
    a plug-in, and is a fault like any other.
    """
    in_main = threading.current_thread() is threading.main_thread()
    return isinstance(error, KeyboardInterrupt) and in_main


class RefereeError(Exception):
    """An error for the operator; the message says what is wrong and what to do."""

    def __init__(self, *findings: Finding | str) -> None:
        self.findings = tuple(Finding(f) if isinstance(f, str) else f for f in findings)
        super().__init__("; ".join(finding.what for finding in self.findings))

    def told(self) -> str:
        """Return all findings for the terminal, each after the program's name."""
        return "\n".join(f"referee: {finding}" for finding in self.findings)


class SettingsError(RefereeError):
    """The settings are missing, incomplete or wrong."""


class PluginError(RefereeError):
    """An installed ruleset cannot be used, or one of its functions failed."""


@contextmanager
def named_faults(place: str = "") -> Iterator[None]:
    """Raise PluginError, with its *place*, for an exception of a ruleset that a probe has noted."""
    try:
        yield
    except BaseException as error:
        notes: Sequence[str] = getattr(error, "__notes__", ())
        if not notes:
            raise
        raise PluginError(Finding(f"{place}{notes[-1]}", FIX)) from error


class ResourceError(RefereeError):
    """A file, folder, port or server cannot be used."""


class NotFound(RefereeError):
    """There is no such game, seat or email."""


class UnknownRuleset(RefereeError):
    """A game needs a ruleset that is not installed."""

    def __init__(self, key: str, installed: Sequence[str]) -> None:
        self.key = key
        found = ", ".join(sorted(installed)) or "none"
        super().__init__(
            Finding(
                f"ruleset {key}: not installed",
                f"install its package; installed here: {found}",
            )
        )


class LetterTooCostly(RefereeError):
    """A letter needs more processor time or memory than one letter can have."""


class OverQuota(RefereeError):
    """A letter would take more of the disk than is left for it today; a later retry can succeed."""

    def __init__(self) -> None:
        remedy = "the email stays where it is and is tried again; [limits] sets the quotas"
        super().__init__(Finding("email: over the quota of today", remedy))


class StoreError(RefereeError):
    """The database failed."""


class StoreBusy(StoreError):
    """Another program held the database too long; a later retry will succeed."""


class StoreUnreachable(StoreError):
    """The database server does not respond or was stopped; a later retry can succeed."""


class StoreUnwritable(StoreError):
    """The database cannot be opened or written: the disk is full, or permissions are missing."""


class StoreGone(StoreUnwritable):
    """The file of the database was deleted or replaced after it was opened."""


class StoreLogGone(StoreGone):
    """The log next to the file of the database was deleted or replaced after it was opened."""


class StoreOutdated(StoreError):
    """The tables have another version than this program."""


class StoreDamaged(StoreError):
    """The file of the database is damaged, or is no database."""


class StateUnreadable(StoreError):
    """A stored game state is not a valid state of the ruleset."""


class ClaimLost(StoreError):
    """The lease ended and another owner has the row; nothing can be written."""
