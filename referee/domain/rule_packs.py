"""Packs of house rules: everything that a GM chooses for a game, under a name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from referee.domain.press import PressRule, PressRules

LONGEST_NAME: Final = 20
"""The most characters of a pack's name."""

SETTINGS: Final = (
    "extension_seconds",
    "grace_seconds",
    "bank_seconds",
    "missed_limit",
    "reminders",
    "standby",
    "observers_behind",
)
"""The columns of a game that a pack sets, besides its schedule, press rules and options."""

_PRESS: Final = PressRules(PressRule.MET)
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR


@dataclass(frozen=True, slots=True)
class RulePack:
    """A pack: *settings* by the columns of a game, and *options* of the house.

    *of_ruleset* are the options of one *ruleset*, which a game of another one does not take.
    """

    name: str
    schedule: str
    settings: Mapping[str, Any]
    press: PressRules = _PRESS
    options: Mapping[str, Any] = field(default_factory=dict)
    ruleset: str = ""
    of_ruleset: Mapping[str, Any] = field(default_factory=dict)


BUILT_IN: Final = (
    RulePack(
        "casual",
        "14 days",
        {
            "grace_seconds": _DAY,
            "bank_seconds": 2 * _DAY,
            "missed_limit": 3,
            "extension_seconds": 14 * _DAY,
            "reminders": [4 * _DAY, _DAY, 3 * _HOUR],
        },
        options={"vote_days": 5, "early": 60},
    ),
    RulePack(
        "weekly",
        "every Friday 20:00 UTC",
        {
            "grace_seconds": 2 * _HOUR,
            "bank_seconds": _DAY,
            "missed_limit": 2,
            "extension_seconds": 7 * _DAY,
            "reminders": [2 * _DAY, 12 * _HOUR],
        },
        options={"vote_days": 3, "early": 30},
    ),
    RulePack(
        "blitz",
        "24 hours",
        {
            "grace_seconds": 0,
            "bank_seconds": 0,
            "missed_limit": 2,
            "extension_seconds": _DAY,
            "reminders": [6 * _HOUR, 2 * _HOUR],
        },
        PressRules(PressRule.MET, at_once=True),
        {"vote_days": 1, "early": 0},
    ),
)
"""The packs that every GM has. No GM saves one under the same name."""
