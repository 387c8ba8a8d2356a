"""Words that other programs have for the commands of a GM, with the command that is meant."""

from collections.abc import Mapping
from typing import Final

_EXCLUDE: Final = "EXCLUDE eve@example.org keeps an address out of the game."
_VACATE: Final = "VACATE CERES takes a seat from its player."
_HOLD: Final = "HOLD stops the game until RESUME."
_ADJUDICATE: Final = "ADJUDICATE resolves the turn now."
_EXTEND: Final = "EXTEND 2 days gives the turn more time."
_REPLACE: Final = "REPLACE CERES sam@example.org gives the seat to someone else."

COMMAND_MEANT: Final[Mapping[str, str]] = {
    "BAN": _EXCLUDE,
    "BLOCK": _EXCLUDE,
    "DENY": _EXCLUDE,
    "KICK": _VACATE,
    "REMOVE": _VACATE,
    "FREEZE": _HOLD,
    "PAUSE": _HOLD,
    "STOP": _HOLD,
    "SUSPEND": _HOLD,
    "CONTINUE": "RESUME continues the game.",
    "NEXT": _ADJUDICATE,
    "PROCESS": _ADJUDICATE,
    "RUN": _ADJUDICATE,
    "DELAY": _EXTEND,
    "POSTPONE": _EXTEND,
    "RENAME": "TITLE The Shire League renames the game.",
    "PRIVATE": "OPTION private=yes makes the game private.",
    "SUBSTITUTE": _REPLACE,
}
"""The advice to a GM who begins a line with such a word."""
