"""The marker line in our letters: the player's own text is above it."""

import re
from typing import Final

MARKER: Final = "- - - - - - - - - - -  Reply above this line  - - - - - - - - - - -"

_WORDS: Final = "reply above this line"
_LETTERS: Final = re.compile(r"[a-z]+")


def is_marker(line: str) -> bool:
    """Return whether *line* is our marker, quoted or not, with or without its dashes."""
    # This runs for every line of every letter, and very few lines have the word.
    if len(line) >= 200 or "reply" not in (low := line.lower()):
        return False
    return " ".join(_LETTERS.findall(low)) == _WORDS
