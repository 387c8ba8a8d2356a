"""The check that every name of a ruleset leads to one ruleset, wherever a letter uses it."""

import re
from collections.abc import Iterator
from typing import Final

from referee.domain.ruleset_names import folded, names_of
from referee.rules.ruleset import RulesetInfo

_FIELDS: Final = ("key", "title", "prefix")


def clashes(info: RulesetInfo, other: RulesetInfo) -> Iterator[str]:
    """Yield the names of *info* that would be read as the ruleset *other*, or as a game of it."""
    taken = {folded(name): name for name in reversed(names_of(other))}
    for field, name in zip(_FIELDS, names_of(info), strict=True):
        if folded(name) in taken:
            yield f"its {field} {name!r} is read as {taken[folded(name)]!r}, a name of"
        elif re.fullmatch(f"{folded(other.prefix)}[0-9]+", folded(name)):
            yield f"its {field} {name!r} is read as the name of a game of"
        elif field != "prefix" and _begin_alike(name, other):
            yield f"HELP cannot tell its {field} {name!r} from a chapter of"


def _begin_alike(name: str, other: RulesetInfo) -> bool:
    """Return whether one name begins with all words of the other, as HELP names chapters."""
    words = name.upper().split()
    for theirs in (other.key.upper().split(), other.title.upper().split()):
        shorter = min(len(words), len(theirs))
        if words[:shorter] == theirs[:shorter]:
            return True
    return False
