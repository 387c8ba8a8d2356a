"""The mark of press in our letters, and the lines that an email program broke off our lines."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

MARK: Final = ":"
"""Begins every line of press in our letters. Email programs neither quote with it nor change it."""

_QUOTES: Final = r"(?:[ \t>＞›»|]|[A-Za-z]{1,3}>)*"
_MARKED: Final = re.compile(rf"^{_QUOTES}:(?:[ \t\u00a0]|$)", re.MULTILINE)
_QUOTED_WITH: Final = re.compile(rf"^{_QUOTES}")
_NARROWEST: Final = 19
"""No email program breaks lines that have at most so many characters."""

_Words = tuple[str, ...]


def marked(text: str) -> str:
    """Return *text* with the mark of press before every line."""
    return "\n".join(f"{MARK} {line}".rstrip() for line in text.split("\n"))


def shows_press(text: str) -> bool:
    """Return whether any line of *text* has the mark of press, quoted or not."""
    return _MARKED.search(text) is not None


def may_be_broken(lines: Sequence[str], quoted: Sequence[bool], at: int) -> bool:
    """Return whether the next line could be what an email program broke off the quoted line."""
    if not quoted[at] or at + 1 >= len(lines) or quoted[at + 1]:
        return False
    rest = lines[at + 1].split(maxsplit=1)
    return bool(rest) and len(lines[at].rstrip()) + 1 + len(rest[0]) > _NARROWEST


def broken_off(lines: Sequence[str], quoted: Sequence[bool], ours: str) -> Iterator[int]:
    """Yield the numbers, from 0, of the lines that an email program broke off lines of *ours*.

    They have no quote mark, and continue a quoted line that is the beginning of one of ours. If
    press is from another letter, everything directly below it is taken for a part of it.
    """
    starts = [at for at in range(len(lines)) if may_be_broken(lines, quoted, at)]
    wholes = sorted({_words(line) for line in ours.split("\n")} if starts else ())
    for at in starts:
        begun = _words(lines[at])
        press = shows_press(lines[at])
        # The mark of press can be alone in its line, above a word that was too long for it.
        count = _count(lines, at + 1, begun, wholes) if begun or press else 0
        if not count and press and not _begins(begun, wholes):
            count = _to_the_gap(lines, quoted, at + 1)
        yield from range(at + 1, at + 1 + count)


def _words(line: str) -> _Words:
    """Return the words of a line without quote marks and the mark of press, which can be lost."""
    words = tuple(_QUOTED_WITH.sub("", line).split())
    return words[1:] if words[:1] == (MARK,) else words


def _begins(begun: _Words, wholes: Sequence[_Words]) -> bool:
    """Return whether one of *wholes*, which are sorted, begins with these words."""
    place = bisect_left(wholes, begun)
    return place < len(wholes) and wholes[place][: len(begun)] == begun


def _to_the_gap(lines: Sequence[str], quoted: Sequence[bool], start: int) -> int:
    """Return the number of lines from *start* to the next line that is empty or quoted."""
    count = 0
    for at in range(start, len(lines)):
        if quoted[at] or not lines[at].strip():
            break
        count += 1
    return count


def _count(lines: Sequence[str], start: int, begun: _Words, wholes: Sequence[_Words]) -> int:
    """Return how many lines from *start* on complete one of *wholes*, which are sorted, or 0."""
    words, count = begun, 0
    for at in range(start, len(lines)):
        words = (*words, *lines[at].split())
        place = bisect_left(wholes, words)
        if not lines[at].strip() or place == len(wholes) or wholes[place][: len(words)] != words:
            break
        if wholes[place] == words:
            count = at + 1 - start
    return count
