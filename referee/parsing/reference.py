"""The comments of a grammar as a page to mail: the grammar is the players' reference."""

import re
from collections.abc import Iterator
from typing import Final

from referee.resources import folder

_HEADING: Final = re.compile(r"^-+ (.+?) -+$")
_LAST: Final = "The words above"
"""Below this heading stand the letters the words are made of, which no player needs."""


def reference(source: str) -> str:
    """Give what the grammar file *source* tells a player: its comments, one entry a line."""
    text = (folder("grammars") / source).read_text(encoding="utf-8")
    return "\n".join(_entries(text)).strip()


def _entries(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.startswith("//"):
            continue
        words = line.removeprefix("//").removeprefix(" ").rstrip()
        heading = _HEADING.match(words)
        if heading is None:
            yield words
        elif heading.group(1) == _LAST:
            return
        else:
            yield f"\n{heading.group(1).upper()}"
