"""Names of people: what others read of a person, so it cannot look like our own words."""

import re
from typing import Final

from referee.rules.ruleset import UserError

_ROLES: Final = frozenset(
    ("referee", "gm", "gamemaster", "moderator", "operator", "administrator", "postmaster")
)
_TITLE: Final = "game master"
_HEADINGS: Final = frozenset(
    (
        "rejected",
        "accepted",
        "warnings",
        "done",
        "not done",
        "not orders",
        "not possible",
        "commands",
        "announcements",
    )
)
"""The headings of our emails; one in a list of names would pass for ours."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")


def is_official(name: str) -> bool:
    """Return whether a name looks like a role of ours, or like a heading of our emails."""
    words = _LETTERS.findall(name.casefold())
    together = " ".join(words)
    return not _ROLES.isdisjoint(words) or _TITLE in together or together in _HEADINGS


def check_name(name: str) -> None:
    """Raise UserError if others could take the name for the referee's or the GM's."""
    if is_official(name):
        raise UserError(
            "Others could take this name for an official one, or for a heading of our emails. "
            "Choose another name."
        )
