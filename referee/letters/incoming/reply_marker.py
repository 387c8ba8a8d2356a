"""The line in our letters under which nothing is the player's own."""

import re
from typing import Final

MARKER: Final = "- - - - - - - - - - -  Reply above this line  - - - - - - - - - - -"

_WORDS: Final = "reply above this line"
_LETTERS: Final = re.compile(r"[a-z]+")


def is_marker(line: str) -> bool:
    """Return whether *line* is our marker, quoted or not, whatever became of its dashes."""
    # Every line of every letter is asked, and nearly none has the word.
    if len(line) >= 200 or "reply" not in (low := line.lower()):
        return False
    return " ".join(_LETTERS.findall(low)) == _WORDS
