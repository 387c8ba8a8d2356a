"""The mark of press in our letters, and the lines that an email program broke off our lines."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

MARK: Final = ":"
"""Begins every line of press in our letters. Email programs neither quote with it nor change it."""

_QUOTES: Final = r"(?:[ \t>＞›»|]|[A-Za-z]{1,3}>)*"
_COLONS: Final = ":\uff1a\ufe55"
"""The mark, and the wide and the small colon into which other programs change it."""
_MARKED: Final = re.compile(rf"^{_QUOTES}[{_COLONS}]", re.MULTILINE)
_QUOTED_WITH: Final = re.compile(rf"^{_QUOTES}")
_SMILES: Final = re.compile(r"^[ \t]*:'?-?[)(\][DPOSpos/\\|*3]+(?!\S)")
"""A smiley at the start of a line, whose colon is no mark of press."""
_NARROWEST: Final = 19
"""No email program breaks lines that have at most so many characters."""

_Words = tuple[str, ...]


def marked(text: str) -> str:
    """Return *text* with the mark of press before every line."""
    return "\n".join(f"{MARK} {line}".rstrip() for line in text.split("\n"))


def shows_press(text: str) -> bool:
    """Return whether any line of *text* has the mark of press, quoted or not.

    The blank after the mark can be lost.
    """
    return _MARKED.search(text) is not None


def is_press(line: str) -> bool:
    """Return whether one line has the mark of press, quoted or not."""
    # Few lines have a colon, and few are not ASCII.
    return (":" in line or not line.isascii()) and _MARKED.match(line) is not None


def possibly_broken(lines: Sequence[str], quoted: Sequence[bool]) -> list[int]:
    """Return the quoted lines whose next line could be what an email program broke off them.

    Their length does not tell: blanks are lost where the line was broken.
    """
    pairs = enumerate(pairwise(quoted))
    return [at for at, (one, next_) in pairs if one and not next_ and lines[at + 1].strip()]


class BrokenOff(NamedTuple):
    """The numbers, from 0, of lines without a quote mark that belong to lines of our letter.

    The *assumed* ones are also in *lines*: they are directly below press from another letter, so
    all of them are taken for a part of it.
    """

    lines: frozenset[int]
    assumed: frozenset[int]


def broken_off(lines: Sequence[str], quoted: Sequence[bool], ours: str) -> BrokenOff:
    """Return the lines that an email program broke off lines of *ours*.

    They continue a quoted line that is the beginning of one of ours.
    """
    starts = possibly_broken(lines, quoted)
    sent = ours.split("\n") if starts else []
    of_all, of_press = _Lines.of(sent), _Lines.of([*filter(is_press, sent)])
    known, assumed = set[int](), set[int]()
    for at in starts:
        begun = _words(lines[at])
        press = is_press(lines[at])
        longest, wholes = of_press if press else of_all
        # The mark of press can be alone in its line, above a word that was too long for it.
        found = _counts(lines, at + 1, begun, wholes) if begun or press else ()
        room = _NARROWEST - _quote_width(lines[at])
        count = max((count for count, whole in found if longest[whole] > room), default=0)
        known.update(range(at + 1, at + 1 + count))
        unknown = not count and press and not _begins(begun, wholes)
        if unknown and _is_long(lines, at) and not _SMILES.match(lines[at]):
            count = _to_the_gap(lines, quoted, at + 1)
            assumed.update(range(at + 1, at + 1 + count))
    return BrokenOff(frozenset(known | assumed), frozenset(assumed))


class _Lines(NamedTuple):
    """Lines of our letter as sorted words, and the most characters that have these words."""

    longest: Mapping[_Words, int]
    wholes: Sequence[_Words]

    @classmethod
    def of(cls, lines: Sequence[str]) -> "_Lines":
        longest: dict[_Words, int] = {}
        for line in lines:
            words = _words(line)
            longest[words] = max(longest.get(words, 0), len(line))
        return cls(longest, sorted(longest))


def _quote_width(line: str) -> int:
    found = _QUOTED_WITH.match(line)
    return found.end() if found is not None else 0


def _is_long(lines: Sequence[str], at: int) -> bool:
    """Return whether the first word of the next line was too much for the line."""
    rest = lines[at + 1].split(maxsplit=1)
    return len(lines[at].rstrip()) + 1 + len(rest[0]) > _NARROWEST


def _words(line: str) -> _Words:
    """Return the words of a line without quote marks and the mark of press, which can be lost."""
    text = _QUOTED_WITH.sub("", line)
    return tuple((text[1:] if text[:1] and text[0] in _COLONS else text).split())


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


def _counts(
    lines: Sequence[str], start: int, begun: _Words, wholes: Sequence[_Words]
) -> Iterator[tuple[int, _Words]]:
    """Yield how many lines from *start* on complete one of *wholes*, which are sorted, and which.

    An empty line and one that no longer continues any of them end the search.
    """
    words = begun
    for at in range(start, len(lines)):
        words = (*words, *lines[at].split())
        place = bisect_left(wholes, words)
        if not lines[at].strip() or place == len(wholes) or wholes[place][: len(words)] != words:
            break
        if wholes[place] == words:
            yield at + 1 - start, words
