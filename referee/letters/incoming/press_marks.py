"""The mark of press in our letters, and the lines that an email program broke off our lines."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

MARK: Final = ":"
"""Begins every line of press in our letters. Email programs neither quote with it nor change it."""

_QUOTES: Final = r"(?:[ \t>＞›»|]|[A-Za-z]{1,3}>)*"
_NO_WORDS: Final = re.compile(r"[\s>＞›»|]+")
_WORD: Final = re.compile(r"[^\s>＞›»|]")
_COLONS: Final = ":\uff1a\ufe55"
"""The mark, and the wide and the small colon into which other programs change it."""
_MARKED: Final = re.compile(rf"^{_QUOTES}[{_COLONS}]", re.MULTILINE)
_QUOTED_WITH: Final = re.compile(rf"^{_QUOTES}")
_BEFORE_WORDS: Final = re.compile(rf"^{_QUOTES}(?:[{_COLONS}]{_QUOTES})?")
"""The quote marks and the mark of press before the words of a line. Both can be lost."""
_SMILES: Final = re.compile(r"^[ \t]*:'?-?[)(\][DPOSpos/\\|*3]+(?!\S)")
"""A smiley at the start of a line, whose colon is no mark of press."""
_NARROWEST: Final = 19
"""No email program breaks lines that have at most so many characters."""
_USUAL: Final = 60
"""Most email programs break no line that has at most so many characters."""
_WIDEST: Final = 78
"""The most characters of a line in our letters."""


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
    return _MARKED.match(line) is not None


def are_press(lines: Iterable[str]) -> list[bool]:
    """Return for each line whether it has the mark of press; few lines have a colon."""
    colon, wide, small = tuple(_COLONS)
    return [
        (colon in line or wide in line or small in line) and _MARKED.match(line) is not None
        for line in lines
    ]


def is_possibly_broken(lines: Sequence[str], quoted: Sequence[bool]) -> bool:
    """Return whether below a quoted line, over empty lines, could be what was broken off it.

    Its length does not tell: blanks are lost where the line was broken.
    """
    below: bool | None = None
    for line, each in zip(reversed(lines), reversed(quoted), strict=True):
        if each and below is False:
            return True
        # Most lines are like those below them.
        if each is not below and _WORD.search(line):
            below = each
    return False


class BrokenOff(NamedTuple):
    """The numbers, from 0, of lines without a quote mark that belong to lines of our letter.

    The *assumed* ones are also in *lines*: they are below press from another letter, so they are
    taken for a part of it.
    """

    lines: frozenset[int]
    assumed: frozenset[int]


def broken_off(lines: Sequence[str], quoted: Sequence[bool], ours: Sequence[str]) -> BrokenOff:
    """Return the lines that an email program broke off lines of *ours*, empty ones among them.

    Together with the quoted line above them they are a line of ours, and nothing else.
    """
    reply = _Reply(lines, quoted, _texts_below(lines))
    starts = [(at, is_press(lines[at])) for at in reply.starts()]
    like = {
        press: _Lines.of([*filter(is_press, ours)] if press else ours)
        for press in {press for _, press in starts}
    }
    known, assumed = set[int](), set[int]()
    for at, press in starts:
        end = reply.end_of_rest(at, like[press])
        known.update(range(at + 1, end))
        if end == at + 1 and press and not like[press].has(_words(lines[at])):
            assumed.update(reply.assumed_rest(at))
    return BrokenOff(frozenset(known | assumed), frozenset(assumed))


class _Lines(NamedTuple):
    """The sorted words of lines of our letter, and the most characters that have these words.

    Words are without blanks: an email program also breaks a word that is too long for a line.
    """

    longest: Mapping[str, int]
    wholes: Sequence[str]

    @classmethod
    def of(cls, lines: Sequence[str]) -> "_Lines":
        longest: dict[str, int] = {}
        for line in lines:
            words = _words(line)
            longest[words] = max(longest.get(words, 0), len(line))
        return cls(longest, sorted(longest))

    def has(self, begun: str) -> bool:
        """Return whether one of the lines begins with these words."""
        place = bisect_left(self.wholes, begun)
        return place < len(self.wholes) and self.wholes[place].startswith(begun)


class _Reply(NamedTuple):
    """The lines of a reply, which of them are quoted, and the next line with text below each."""

    lines: Sequence[str]
    quoted: Sequence[bool]
    below: Sequence[int]

    def starts(self) -> list[int]:
        """Return the quoted lines with text below, which can look quoted although it is a rest."""
        return [
            at for at, below in enumerate(self.below) if self.quoted[at] and below < len(self.lines)
        ]

    def end_of_rest(self, at: int, ours: _Lines) -> int:
        """Return the line after what was broken off the line *at*, or the next line if nothing was.

        The mark of press can be alone in its line, above a word that was too long for it.
        """
        begun, end = _words(self.lines[at]), at + 1
        if not begun and not (is_press(self.lines[at]) and self._is_full(at, _NARROWEST)):
            return end
        room = _NARROWEST - _quote_width(self.lines[at])
        for after, whole in self._wholes(self.below[at], begun, ours):
            end = after if ours.longest[whole] > room else end
        return end

    def _wholes(self, start: int, begun: str, ours: _Lines) -> Iterator[tuple[int, str]]:
        """Yield each line after lines from *start* on that complete one of ours, and which."""
        words, at = begun, start
        while at < len(self.lines):
            # Of press too, initials that begin it count as a quote mark: AB> hello.
            words += _bare(self.lines[at] if words else _QUOTED_WITH.sub("", self.lines[at]))
            if not ours.has(words):
                return
            if words in ours.longest:
                yield at + 1, words
            at = self.below[at]

    def assumed_rest(self, at: int) -> range:
        """Return the lines that are taken for what was broken off the line *at* of another letter.

        Directly below it all lines are, up to the next one that is empty or quoted. Below an empty
        line only one line is, if the quote goes on below it, and if both fit a line of ours.
        """
        start = self.below[at]
        end = start
        while end < len(self.lines) and not self.quoted[end] and self.lines[end].strip():
            end += 1
        if _SMILES.match(self.lines[at]):
            return range(0)
        if start == at + 1:
            return range(start, end if self._is_full(at, _NARROWEST) else start)
        after = self.below[start]
        goes_on = end == start + 1 and after < len(self.lines) and self.quoted[after]
        quote = _quote_width(self.lines[at])
        joined = len(self.lines[at].rstrip()) - quote + 1 + len(self.lines[start].strip())
        is_one = goes_on and joined <= _WIDEST and self._is_full(at, _USUAL)
        return range(start, end if is_one else start)

    def _is_full(self, at: int, width: int) -> bool:
        """Return whether the first word of the text below was too much for a line of this width."""
        first = self.lines[self.below[at]].split(maxsplit=1)[0]
        return len(self.lines[at].rstrip()) + 1 + len(first) > width


def _texts_below(lines: Sequence[str]) -> list[int]:
    """Return the next line below each that has more than quote marks, or the number of lines."""
    below, after = [len(lines)] * len(lines), len(lines)
    for at in range(len(lines) - 1, -1, -1):
        below[at] = after
        if _WORD.search(lines[at]):
            after = at
    return below


def _quote_width(line: str) -> int:
    found = _QUOTED_WITH.match(line)
    return found.end() if found is not None else 0


def _words(line: str) -> str:
    """Return the words of a line, without blanks, quote marks and the mark of press."""
    return _bare(_BEFORE_WORDS.sub("", line))


def _bare(line: str) -> str:
    return _NO_WORDS.sub("", line)


MARKER: Final = "--- Reply above this line ---"

_WORDS: Final = "reply above this line"
_LETTERS: Final = re.compile(r"[a-z]+")


def is_marker(line: str) -> bool:
    """Return whether *line* is our marker, quoted or not, with or without its dashes."""
    return len(line) < 200 and " ".join(_LETTERS.findall(line.lower())) == _WORDS
