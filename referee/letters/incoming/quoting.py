"""The text that the sender of a letter typed, without quotes, signatures and footers.

A block of press, a standing sheet or the like, from its first line to END, is the sender's own
whatever it contains: press can quote press.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from referee.letters.incoming import phrases
from referee.letters.incoming.reply_marker import is_marker

_MOST_CHARACTERS: Final = 400
"""Patterns check so many characters of a line; email programs write no longer ones themselves."""
_ATTRIBUTION_LINES: Final = 5
_HEADER_LINES: Final = 8
_BARE_SIGNATURE: Final = 10
_FOOTER: Final = 100

QUOTE: Final = re.compile(r" {0,3}(?:[A-Za-z]{1,3})?[>＞›»]| {0,3}\| ")
_ROW: Final = re.compile(r" {0,3}\|.*\|\s*$")
_IN_QUOTES: Final = re.compile(r" {0,3}(?:»[^«»]*«|›[^‹›]*‹)[\s.,;]*$")
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_OPENER: Final = re.compile(r"^\s*(PRESS|SIGN|STANDING|BROADCAST|CORRECT)\b", re.IGNORECASE)
_END: Final = re.compile(r"^\s*END\s*$", re.IGNORECASE)
# In these blocks a quoted line would be carried out; in press it is only a quotation.
_ORDERS_WITHIN: Final = frozenset(("SIGN", "STANDING", "CORRECT"))


class Origin(Enum):
    """The origin of a line of a letter."""

    OWN = "own"
    QUOTED = "quoted"
    SIGNATURE = "signature"
    DISCLAIMER = "disclaimer"


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A line that the sender typed, with its number in the letter's text, from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class OwnText:
    """The sender's own lines, including empty ones, and the number of other lines.

    Only lines that are not empty are counted.
    """

    lines: tuple[OwnLine, ...]
    quoted: int
    signature: int
    disclaimer: int
    blocks: frozenset[int] = frozenset()
    """The numbers of the own lines in blocks that END closes."""
    cut: int = 0
    """The number of the line with our marker if it separates a block from its END, or 0."""


@lru_cache(maxsize=1)
def own_text(text: str) -> OwnText:
    """Return the lines that the sender typed, in linear time; never raises.

    The result for the last text is cached, because several callers ask for it in turn.
    """
    lines = text.split("\n")
    classifier = _Classifier(seen_lines(text))
    stretches = [*classifier.stretches()]
    own = [
        OwnLine(number, line)
        for stretch in stretches
        if stretch.origin is Origin.OWN
        for number, line in enumerate(lines[stretch.start : stretch.end], stretch.start + 1)
    ]

    def left_out(origin: Origin) -> int:
        found = [lines[s.start : s.end] for s in stretches if s.origin is origin]
        return sum(map(bool, map(str.strip, chain.from_iterable(found))))

    blocks = frozenset(s.end for s in stretches if s.origin is Origin.OWN and s.block)
    quoted, signature, disclaimer = map(
        left_out, (Origin.QUOTED, Origin.SIGNATURE, Origin.DISCLAIMER)
    )
    return OwnText(tuple(own), quoted, signature, disclaimer, blocks, classifier.cut)


def seen_lines(text: str) -> list[str]:
    """Return the part of every line of *text* that patterns check.

    It lacks invisible characters, and ends at the length that email programs write themselves.
    """
    lines = [line[:_MOST_CHARACTERS] for line in text.replace("\t", " ").split("\n")]
    # Most letters are ASCII.
    return lines if text.isascii() else [*map(_visible, lines)]


def _visible(line: str) -> str:
    return line if line.isascii() else _INVISIBLE.sub("", line).replace("\u00a0", " ")


class _Stretch(NamedTuple):
    """Lines of one origin, from *start* up to *end*."""

    origin: Origin
    start: int
    end: int
    block: bool = False
    """Whether it is one line of a block."""


@dataclass
class _Classifier:
    """Classifier of lines by origin: one pass, with a lookahead of a few lines."""

    lines: list[str]
    cut: int = 0
    """The number of the line with our marker that separates a block from its END, or 0."""

    def stretches(self) -> Iterator[_Stretch]:
        """Yield the lines, stretch by stretch."""
        at, is_open = 0, False
        while at < len(self.lines):
            # In most letters, most lines are quoted.
            if self.quoted[at]:
                count, origin = self.quoted.index(False, at) - at, Origin.QUOTED
            else:
                count, origin = self._next(at)
            if origin is Origin.OWN and count > 1:
                numbers = range(at, at + count)
                yield from (_Stretch(self._within(at, n), n, n + 1, block=True) for n in numbers)
            else:
                if is_open and self.ends[at] >= 0 and is_marker(self.lines[at]):
                    self.cut = at + 1
                is_open = is_open or (
                    origin is Origin.OWN and _OPENER.match(self.lines[at]) is not None
                )
                yield _Stretch(origin, at, at + count)
            at += count

    @cached_property
    def quoted(self) -> list[bool]:
        """For each line, and for the end of the letter, whether it has a quote mark."""
        quoted = [line[:1] == ">" or QUOTE.match(line) is not None for line in self.lines]
        for at in _not_quotes(self.lines):
            quoted[at] = False
        return [*quoted, False]

    @cached_property
    def ends(self) -> list[int]:
        """For each line the END that closes a block opened there, or -1."""
        # An opener before the END begins another block, so the first one is not closed. Our own
        # marker before it means that a whole letter of ours is quoted in between.
        ends, end = [-1] * (len(self.lines) + 1), -1
        for at in range(len(self.lines) - 1, -1, -1):
            ends[at] = end
            line = self.lines[at]
            if _END.match(line):
                end = at
            elif _OPENER.match(line) or is_marker(line):
                end = -1
        return ends

    @cached_property
    def filled(self) -> list[int]:
        """For each line the next line that is not empty, itself included."""
        filled, at = [len(self.lines)] * len(self.lines), len(self.lines)
        for number in range(len(self.lines) - 1, -1, -1):
            at = number if self.lines[number].strip() else at
            filled[number] = at
        return filled

    def _next(self, at: int) -> tuple[int, Origin]:
        """Return how many unquoted lines from *at* on belong together, and their origin."""
        line = self.lines[at]
        rest = len(self.lines) - at
        if is_marker(line):
            return rest, Origin.QUOTED
        if _OPENER.match(line) and self.ends[at] >= 0:
            return self.ends[at] - at + 1, Origin.OWN
        quoted = self._attribution(at) or self._header(at)
        if quoted:
            return quoted, Origin.QUOTED
        if phrases.SIGNATURE.match(line) and (length := self._signature(at)):
            return length, Origin.SIGNATURE
        if len(line) < _FOOTER and phrases.FOOTER.match(line):
            return 1, Origin.SIGNATURE
        if phrases.DISCLAIMER.match(line):
            return self._disclaimer(at), Origin.DISCLAIMER
        return 1, Origin.OWN

    def _within(self, opener: int, at: int) -> Origin:
        word = (_OPENER.match(self.lines[opener]) or [""])[0].strip().upper()
        return Origin.QUOTED if word in _ORDERS_WITHIN and self.quoted[at] else Origin.OWN

    def _attribution(self, at: int) -> int:
        """Return the lines of "On Monday, somebody wrote:", and all that follows if unmarked.

        If no quote marks follow, it counts only with an address, a time or a year in it.
        """
        if not phrases.ATTRIBUTES.match(self.lines[at]) and not _ends_attribution(self.lines[at]):
            return 0
        for count in range(1, _ATTRIBUTION_LINES + 1):
            words = self.lines[at : at + count]
            if len(words) < count or not words[-1].strip() or self.quoted[at + count - 1]:
                return 0
            if _ends_attribution(" ".join(words[-2:])):
                return self._attributed(at, count)
        return 0

    def _attributed(self, at: int, count: int) -> int:
        after = self._text_after(at + count)
        if self.quoted[after]:
            return after - at
        words = " ".join(self.lines[at : at + count])
        opens = phrases.ATTRIBUTES.match(words) and phrases.STRONG.search(words)
        return len(self.lines) - at if opens or phrases.ADDRESS.search(words) else 0

    def _header(self, at: int) -> int:
        """Return the lines from Outlook's header, or a line that announces one, to what ends it."""
        line = self.lines[at]
        start = at
        if phrases.ORIGINAL.match(line) or phrases.RULE.match(line):
            start = self._text_after(at + 1)
        end = start
        while end < min(len(self.lines), start + _HEADER_LINES):
            if not phrases.HEADER_LINE.match(self.lines[end]):
                break
            end += 1
        if end - start < 3 and not phrases.ORIGINAL.match(line):
            return 0
        after = self._text_after(end)
        if self.quoted[after]:
            return after - at
        return len(self.lines) - at

    def _signature(self, at: int) -> int:
        """Return the lines of a signature, up to a quote; 0 if it is rather a ruled line."""
        bare = self.lines[at] == "--"
        end, filled = self._text_after(at + 1), 0
        while end < len(self.lines) and not self._begins_quote(end):
            filled += 1
            if bare and filled > _BARE_SIGNATURE:
                return 0
            end = self._text_after(end + 1)
        return end - at

    def _begins_quote(self, at: int) -> bool:
        line = self.lines[at]
        return bool(
            self.quoted[at]
            or is_marker(line)
            or (_OPENER.match(line) and self.ends[at] >= 0)
            or self._attribution(at)
            or self._header(at)
        )

    def _disclaimer(self, at: int) -> int:
        """Return the paragraph at *at*, and the paragraphs of prose after it."""
        end = at
        while end < len(self.lines) and not self._begins_quote(end):
            if not self.lines[end].strip():
                after = self._text_after(end)
                if after == len(self.lines) or not _is_prose(self.lines[after]):
                    break
            end += 1
        return max(end - at, 1)

    def _text_after(self, at: int) -> int:
        """Return the first line from *at* on that is not empty."""
        if at >= len(self.lines):
            return len(self.lines)
        return at if self.lines[at].strip() else self.filled[at]


def _not_quotes(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines in quotation marks, and the rows of tables, which look like quotes.

    All rows of a table end with a bar. Where only some lines do, a table was quoted.
    """
    drawn: list[int] = []
    complete = True
    for at, line in enumerate((*lines, "")):
        if line.lstrip(" ").startswith("|"):
            drawn.append(at)
            complete = complete and _ROW.match(line) is not None
        else:
            yield from drawn if complete else ()
            drawn, complete = [], True
        if _IN_QUOTES.match(line):
            yield at


def _ends_attribution(words: str) -> bool:
    return words.rstrip().endswith((":", "：")) and phrases.WROTE.search(words) is not None


def _is_prose(line: str) -> bool:
    return len(re.findall(r"\b[^\W\d_A-Z][^\W\d_]{2,}\b", line)) >= 5
