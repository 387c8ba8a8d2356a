"""The line in our letters under which nothing is the player's own."""

import re
from typing import Final

MARKER: Final = "- - - - - - - - - - -  Reply above this line  - - - - - - - - - - -"

_WORDS: Final = "reply above this line"
_LETTERS: Final = re.compile(r"[a-z]+")


def is_marker(line: str) -> bool:
    """Say whether *line* is our marker, quoted or not, whatever became of its dashes."""
    return len(line) < 200 and " ".join(_LETTERS.findall(line.lower())) == _WORDS
