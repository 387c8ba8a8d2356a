"""The text that the sender of a letter typed, without quotes, signatures and footers.

A block of press, a standing sheet or the like, from its first line to END, is the sender's own
whatever it contains: press can quote press.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from operator import or_
from typing import Final, NamedTuple

from referee.domain.effort import FREE, Effort
from referee.domain.mail_transfer import Line
from referee.letters.incoming import phrases
from referee.letters.incoming.press_marks import (
    BrokenOff,
    broken_off,
    is_possibly_broken,
)
from referee.letters.incoming.program_text import (
    Encoded,
    has_gesture,
    quoted_by_gesture,
    squeezed,
    without_links,
)
from referee.letters.incoming.seen_lines import QUOTE, SeenLines

_HEADER_LINES: Final = 8
_BARE_SIGNATURE: Final = 10
_FOOTER: Final = 150

_QUOTES: Final = re.compile(rf"^(?:{QUOTE.pattern})+")
_ROW: Final = re.compile(r" {0,3}\|.*\|\s*$")
_NO_QUOTE: Final = re.compile(r" {0,3}(?:»[^«»]*«|›[^‹›]*‹)[\s.,;]*$|>>> [^>].{0,300} >>>\s*$")
"""A line in quotation marks, or one of GroupWise that names who wrote all that is below it."""
_OPENER: Final = re.compile(
    r"^\s*(PRESS\b|DIARY\b|SIGN\b|STANDING\b|BROADCAST\b|CORRECT\b|INVITE\b(?=.*\bSAYING\W*$))",
    re.IGNORECASE,
)
BEGINNINGS: Final = (
    phrases.ORIGINAL,
    phrases.RULE,
    phrases.FIELD,
    phrases.NAME_WROTE,
    phrases.SIGNATURE,
    phrases.FOOTER,
    phrases.DASH,
    phrases.DISCLAIMER,
)
"""The beginnings of lines that are not the sender's, with their words in small letters."""
_BEGINS: Final = re.compile(
    "|".join([f"(?i:{_OPENER.pattern})", *(each.pattern for each in BEGINNINGS)])
)
"""The beginning of such a line, or of a block, in small letters: that takes half the time."""
_END: Final = re.compile(r"^\s*END\s*$", re.IGNORECASE)
# In these blocks a quoted line would be carried out; in press it is only a quotation.
_ORDERS_WITHIN: Final = frozenset(("SIGN", "STANDING", "CORRECT"))


class Origin(Enum):
    """The origin of a line of a letter."""

    OWN = "own"
    QUOTED = "quoted"
    SIGNATURE = "signature"
    DISCLAIMER = "disclaimer"
    ENCODED = "encoded"


_SIGNED: Final = (Origin.SIGNATURE, Origin.DISCLAIMER)


@dataclass(frozen=True, slots=True)
class OwnText:
    """The sender's own lines, including empty ones, and the number of other lines.

    Only lines that are not empty are counted.
    """

    lines: tuple[Line, ...]
    quoted: int
    signature: int
    disclaimer: int
    blocks: frozenset[int] = frozenset()
    """The numbers of the own lines in blocks that END closes."""
    cut: int = 0
    """The number of the line with our marker if it separates a block from its END, or 0."""
    named: int = 0
    """The number of a line such as ``Eve wrote:`` from which on all is quoted without marks, or 0.
    """
    signed: tuple[int, ...] = ()
    """The numbers of the lines of signatures, footers and disclaimers that are not empty."""
    below_press: tuple[int, ...] = ()
    """The numbers of the lines without a quote mark that are taken for a part of quoted press."""
    encoded: tuple[Encoded, ...] = ()
    """The blocks that are for programs, such as a PGP key."""

    @property
    def is_typed(self) -> bool:
        """Whether one of the sender's own lines is not empty."""
        return any(line.text.strip() for line in self.lines)


def own_text(seen: SeenLines, ours: SeenLines | None = None, effort: Effort = FREE) -> OwnText:
    """Return the lines that the sender typed, in linear time.

    *ours* are those of our letter that is answered: what an email program broke off its lines is
    not the sender's. Raises LetterTooCostly if *effort* is used up.
    """
    lines = seen.whole
    # A line of a block can look like one of press.
    others, assumed = _others_words(seen.outside, ours)
    # Whatever press says, the rest is read as if it were not there.
    rest = [at for at in range(len(lines)) if at not in others] if others else range(len(lines))
    classifier = _Classifier(seen.at(rest) if others else seen)
    origins = [Origin.QUOTED] * len(lines)
    blocks, messages, encoded = set[int](), set[int](), list[Encoded]()
    for stretch in classifier.stretches():
        effort.check()
        numbers = rest[stretch.start : stretch.end]
        if stretch.origin is Origin.ENCODED:
            block = classifier.encoded[stretch.start]
            encoded.append(replace(block, first=numbers[0] + 1, last=numbers[-1] + 1))
        if stretch.block:
            # What is quoted in a message that the sender types is part of it.
            numbers = range(numbers[0], numbers[-1] + 1)
            blocks.update(number + 1 for number in numbers if stretch.origin is Origin.OWN)
            messages.update(numbers[1:])
        for number in numbers:
            origins[number] = stretch.origin
    words = {rest[at]: seen.lines[rest[at]][:size] for at, size in classifier.shared.items()}
    filled = [origin for line, origin in zip(lines, origins, strict=True) if line.strip()]
    return OwnText(
        tuple(
            Line(at + 1, lines[at] if at in messages else words.get(at, without_links(lines[at])))
            for at, origin in enumerate(origins)
            if origin is Origin.OWN
        ),
        filled.count(Origin.QUOTED),
        filled.count(Origin.SIGNATURE),
        filled.count(Origin.DISCLAIMER),
        frozenset(blocks),
        rest[classifier.cut - 1] + 1 if classifier.cut else 0,
        rest[classifier.named - 1] + 1 if classifier.named else 0,
        tuple(
            at + 1 for at, origin in enumerate(origins) if origin in _SIGNED and lines[at].strip()
        ),
        tuple(
            at + 1 for at in sorted(assumed) if origins[at] is Origin.QUOTED and not seen.quoted[at]
        ),
        tuple(encoded),
    )


def press_in(seen: SeenLines, ours: SeenLines | None) -> BrokenOff:
    """Return the numbers, from 0, of the lines of press, and of what was broken off them.

    *ours* are the lines of our letter that is answered.
    """
    marked = frozenset(at for at, each in enumerate(seen.press) if each)
    if not marked:
        return BrokenOff(marked, marked)
    rest = broken_off(seen.lines, seen.press, ours.lines if ours is not None else ())
    return rest._replace(lines=marked | rest.lines)


def _others_words(seen: SeenLines, ours: SeenLines | None) -> BrokenOff:
    """Return the lines of press and of gestures, and what was broken off any line of *ours*."""
    press = press_in(seen, ours)
    sent = seen.lines if ours is None else ours.lines
    press = press._replace(lines=press.lines | quoted_by_gesture(seen.lines, sent))
    if ours is None:
        return press
    quoted = [at in press.lines or each for at, each in enumerate(seen.quoted)]
    rest = broken_off(seen.lines, quoted, ours.lines)
    return BrokenOff(press.lines | rest.lines, press.assumed | rest.assumed)


def needs_ours(seen: SeenLines) -> bool:
    """Return whether own_text can do more if it is given our letter that is answered."""
    quoted = [*map(or_, seen.quoted, seen.press)]
    return has_gesture(seen.lines) or is_possibly_broken(seen.lines, quoted)


def announces_quote(lines: Sequence[str]) -> bool:
    """Return whether the last of *lines* that is not empty says who wrote what is below it."""
    near = [line for line in lines[-_HEADER_LINES:] if line.strip()]
    last = near[-1] if near else ""
    return bool(
        _is_dated(last)
        or phrases.ADDRESS.search(last)
        or phrases.NAME_WROTE.match(last)
        or phrases.WROTE.search(last)
        or any(map(phrases.ORIGINAL.match, near))
        or _is_header(near, named=False)
    )


def foreign_quotes(
    seen: SeenLines, own: OwnText, ours: SeenLines | None, least: int = 1
) -> list[Line]:
    """Return the quoted lines that are not in *ours*, our letter, without quote marks.

    A line with fewer letters and figures than *least* is ours only if it is a whole line of ours.

    *own* is what the sender typed. Left out are press, and what is quoted of a letter that is
    announced, if most of it is not ours. Email programs break lines and change blanks and marks, so
    only letters and figures are compared.
    """
    others, sent = _others(own), ours.whole if ours is not None else ()
    quoted = [
        (number, line, _QUOTES.sub("", line))
        for number, (line, press) in enumerate(zip(seen.lines, seen.press, strict=True), 1)
        if not press and number not in others
    ]
    # Nearly every quote has nothing but whole lines of ours below the name of its writer.
    known = {line.replace(" ", "") for line in (*sent, "")}
    if all(_announces(line) for _, line, words in quoted if words.replace(" ", "") not in known):
        return []
    whole = {*map(squeezed, sent)}
    text = "".join(map(squeezed, sent))
    found, letter = list[Line](), list[Line]()
    balance, is_announced = 0, False
    for number, line, words in quoted:
        if _announces(line):
            found += letter if balance >= 0 or not is_announced else []
            letter, balance, is_announced = [], 0, True
        elif bare := squeezed(words):
            is_ours = bare in whole or (len(bare) >= least and bare in text)
            balance += 1 if is_ours else -1
            letter += [] if is_ours else [Line(number, words.strip())]
    return found + (letter if balance >= 0 or not is_announced else [])


def _announces(line: str) -> bool:
    return bool(_is_end(line) or phrases.ORIGINAL.match(line) or phrases.HEADER_LINE.match(line))


def _others(own: OwnText) -> frozenset[int]:
    """Return the numbers of the lines that are not quoted, or are named as below press."""
    typed = (line.number for line in own.lines)
    encoded = (at for block in own.encoded for at in range(block.first, block.last + 1))
    return frozenset((*typed, *own.signed, *own.below_press, *encoded))


class _Stretch(NamedTuple):
    """Lines of one origin, from *start* up to *end*."""

    origin: Origin
    start: int
    end: int
    block: bool = False
    """Whether the lines are a block, or one line of a block with orders."""


@dataclass
class _Classifier:
    """Classifier of lines by origin: one pass, with a lookahead of a few lines."""

    seen: SeenLines
    cut: int = 0
    """The number of the line with our marker that separates a block from its END, or 0."""
    named: int = 0
    """The number of a line such as ``Eve wrote:`` above a quote without marks, or 0."""

    def __post_init__(self) -> None:
        """Take the lines."""
        self.lines, self.encoded = self.seen.lines, self.seen.encoded

    def stretches(self) -> Iterator[_Stretch]:
        """Yield the lines, stretch by stretch."""
        at, is_open = 0, False
        while at < len(self.lines):
            # In most letters, most lines are quoted.
            if self.quoted[at]:
                count, origin = self.quoted.index(False, at) - at, Origin.QUOTED
            elif not self.special[at]:
                end = self.special.index(True, at)
                yield _Stretch(Origin.OWN, at, end)
                at = end
                continue
            else:
                count, origin = self._next(at)
            if origin is Origin.OWN and count > 1:
                yield from self._block(at, at + count)
            else:
                if is_open and not self.quoted[at]:
                    self.cut = self.cut or self._marker_within(at, at + count)
                is_open = is_open or (
                    origin is Origin.OWN and _OPENER.match(self.lines[at]) is not None
                )
                yield _Stretch(origin, at, at + count)
            at += count

    def _marker_within(self, start: int, end: int) -> int:
        """Return the number of the first line with our marker and an END below it, or 0."""
        cuts = (at + 1 for at in range(start, end) if self.ends[at] >= 0)
        return next((number for number in cuts if number - 1 in self.seen.markers), 0)

    @cached_property
    def quoted(self) -> list[bool]:
        """For each line, and for the end of the letter, whether it has a quote mark."""
        quoted = [*self.seen.quoted]
        for at in _not_quotes(self.lines):
            quoted[at] = False
        return [*quoted, False]

    @cached_property
    def special(self) -> list[bool]:
        """For each line, and for the end of the letter, whether it can be more than own words."""
        lines = zip(self.lines, self.quoted, strict=False)
        begins = _BEGINS.match
        special = [is_quoted or begins(line.lower()) is not None for line, is_quoted in lines]
        below = (at + 1 for at in self.shared)
        for at in (*self.seen.markers, *self.attributions, *self.encoded, *below, len(special)):
            special[at : at + 1] = [True]
        return special

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
            elif _OPENER.match(line) or at in self.seen.markers:
                end = -1
        return ends

    @cached_property
    def attributions(self) -> Mapping[int, int]:
        """How many lines each attribution has, by its first line."""
        found, above = {}, -1
        for end, line in enumerate(self.lines):
            if self.quoted[end] or not line.strip():
                continue
            if (needed := _ended(self.lines, self.quoted, end)) < 0:
                continue
            begins = _start(self.lines, self.quoted, needed, end)
            if above < begins and not any(self.quoted[begins:end]):
                found[begins] = end + 1 - begins
            above = end
        return found

    @cached_property
    def shared(self) -> Mapping[int, int]:
        """For each line with words and then an attribution, where the words end."""
        # In most letters, most lines are quoted, and those below them, too.
        near = [at for at in range(len(self.lines)) if not all(self.quoted[at : at + 2])]
        ends = (at for at in near if _is_end(self.lines[at]))
        return {at: length for at in ends if (length := _own_part(self.lines[at]))}

    @cached_property
    def marker(self) -> int:
        """The last line with our marker, or -1."""
        return max(self.seen.markers, default=-1)

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
        if _OPENER.match(line) and self.ends[at] >= 0:
            return self.ends[at] - at + 1, Origin.OWN
        if (block := self.encoded.get(at)) is not None:
            return block.last - at, Origin.ENCODED
        if quoted := self._quote(at):
            return quoted, Origin.QUOTED
        if phrases.SIGNATURE.match(line) and (length := self._signature(at)):
            return length, Origin.SIGNATURE
        if footer := self._footer(at):
            return footer, Origin.SIGNATURE
        if phrases.DISCLAIMER.match(line):
            return self._disclaimer(at), Origin.DISCLAIMER
        return 1, Origin.OWN

    def _quote(self, at: int) -> int:
        """Return the lines of what announces a quote at *at*, and all that follows if unmarked."""
        rest = len(self.lines) - at
        if at in self.seen.markers:
            return rest
        if at in self.shared:
            return 0
        if at - 1 in self.shared and not self.quoted[self._text_after(at)]:
            return rest
        if quoted := self._attribution(at) or self._header(at):
            # An unmarked quote of a letter of ours has our marker.
            is_ours = self.marker > at
            self.named = at + 1 if quoted == rest and not is_ours else self.named
        elif quoted := self._name(at):
            self.named = at + 1 if quoted == rest else self.named
        return quoted

    def _block(self, start: int, end: int) -> Iterator[_Stretch]:
        word = (_OPENER.match(self.lines[start]) or [""])[0].strip().upper()
        if word not in _ORDERS_WITHIN:
            yield _Stretch(Origin.OWN, start, end, block=True)
            return
        for at in range(start, end):
            origin = Origin.QUOTED if self.quoted[at] else Origin.OWN
            yield _Stretch(origin, at, at + 1, block=True)

    def _attribution(self, at: int) -> int:
        """Return the lines of "On Monday, somebody wrote:", and all that follows if unmarked."""
        count = self.attributions.get(at)
        if count is None:
            return 0
        after = self._text_after(at + count)
        if self.quoted[after]:
            return after - at
        alone = stands_alone(" ".join(self.lines[at : at + count]))
        return len(self.lines) - at if alone else 0

    def _name(self, at: int) -> int:
        """Return the lines of "Eve wrote:" above a quote, and all that follows if it is unmarked.

        Nothing shows where such a quote ends.
        """
        if not phrases.NAME_WROTE.match(self.lines[at]):
            return 0
        after = self._text_after(at + 1)
        if after == len(self.lines):
            return 0
        return (after if self.quoted[after] else len(self.lines)) - at

    def _header(self, at: int) -> int:
        """Return the lines from Outlook's header, or a line that announces one, to what ends it."""
        line = self.lines[at]
        start, is_original = at, phrases.ORIGINAL.match(line) is not None
        if is_original or phrases.RULE.match(line):
            start = self._text_after(at + 1)
        elif not phrases.FIELD.match(line):
            return 0
        end = start
        while end < min(len(self.lines), start + _HEADER_LINES) and self._in_header(start, end):
            end += 1
        if start > at and self.quoted[start]:
            return start - at
        head = self.lines[start:end]
        named = self._attribution(end) if start < end < len(self.lines) else 0
        is_known = start > at or phrases.HEADER_LINE.match(line) is not None
        is_header = is_known and _is_header(head, named=bool(named))
        if not (is_original or is_header or _is_foreign_header(head)):
            return 0
        if named:
            return end + named - at
        after = self._text_after(end)
        if self.quoted[after]:
            return after - at
        return len(self.lines) - at

    def _in_header(self, start: int, at: int) -> bool:
        """Return whether a line is of a header, or empty or the rest of a broken one within it."""
        if phrases.FIELD.match(self.lines[at]):
            return True
        if not start < at < len(self.lines) - 1:
            return False
        rest = phrases.FIELD.match(self.lines[at + 1]) is not None
        return rest and not is_order(self.lines[at])

    def _footer(self, at: int) -> int:
        """Return the lines of a footer, with the dash or the rule above it, or 0."""
        line, after = self.lines[at], self._text_after(at + 1)
        if len(line) < _FOOTER and phrases.FOOTER.match(line):
            return 1
        if after == len(self.lines):
            return 0
        if phrases.DASH.match(line) and phrases.FOOTER.match(self.lines[after]):
            return 1
        if phrases.RULE.match(line) and phrases.LIST.search(self.lines[after]):
            return self._paragraph(after) - at
        return 0

    def _paragraph(self, at: int) -> int:
        """Return the line after the paragraph at *at*."""
        while at < len(self.lines) and self.lines[at].strip() and not self.quoted[at]:
            at += 1
        return at

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
            or at in self.seen.markers
            or (_OPENER.match(line) and self.ends[at] >= 0)
            or self._attribution(at)
            or self._header(at)
            or self._name(at)
            or at in self.encoded
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
        if "|" in line and line.lstrip(" ").startswith("|"):
            drawn.append(at)
            complete = complete and _ROW.match(line) is not None
        elif drawn:
            yield from drawn if complete else ()
            drawn, complete = [], True
        if _NO_QUOTE.match(line):
            yield at


def _is_header(lines: Sequence[str], *, named: bool) -> bool:
    """Return whether lines are the header of a letter; *named* means an attribution is below.

    Three of its fields are enough, or two with an address, a year and a time.
    """
    fields = [line for line in lines if phrases.HEADER_LINE.match(line)]
    words = " ".join(fields)
    is_sure = named or bool(_is_dated(words) and phrases.ADDRESS.search(words))
    return len(fields) >= (2 if is_sure else 3)


def _is_foreign_header(lines: Sequence[str]) -> bool:
    """Return whether lines are four like fields, or three with an address: the second is dated."""
    filled = [line for line in lines if line.strip()]
    some = 3 if phrases.ADDRESS.search(" ".join(filled[:1])) else 4
    like = [line for line in filled[:some] if phrases.FIELD.match(line)]
    return len(like) == some and _is_dated(like[1])


def _is_dated(words: str) -> bool:
    return bool(phrases.YEAR.search(words) and phrases.TIME.search(words))


def _is_prose(line: str) -> bool:
    return len(re.findall(r"\b[^\W\d_A-Z][^\W\d_]{2,}\b", line)) >= 5


_MOST_LINES: Final = 5
_ENDS: Final = (":", "：", ">", "-")
_VERB: Final = 120
"""The verb and what comes after it are among so many characters at the end."""
_SENTENCE: Final = re.compile(r"[.!?]\s*$")
_WORDS: Final = re.compile(r"@|[^\W\d_A-Z][^\W\d_]{2}|[^\W\d_]{2}[^\W\d_A-Z]|[^\x00-\x7f]")
"""In attributions, but not in orders: an address, a word in small letters, another alphabet."""


def stands_alone(words: str) -> bool:
    """Return whether all below an attribution is quoted, although nothing marks it as a quote."""
    if phrases.POSTED.search(words):
        return True
    if not words.rstrip().endswith(_ENDS) or phrases.I_WROTE.search(words):
        return False
    if phrases.ADDRESS.search(words):
        return True
    opens = phrases.ATTRIBUTES.match(words) or phrases.WROTE_ON.search(words)
    return bool(opens and phrases.STRONG.search(words))


def is_order(line: str) -> bool:
    """Return whether a line has letters, but no word of an attribution."""
    return _WORDS.search(line) is None and any(map(str.isalpha, line))


def _ended(lines: Sequence[str], quoted: Sequence[bool], end: int) -> int:
    """Return the first line that an attribution needs that ends at *end*, or -1 if none does."""
    if _is_end(lines[end]):
        return end
    below = end + 1 < len(lines) and lines[end + 1].strip() and not quoted[end + 1]
    if not below and _is_end_without_colon(lines[end]):
        return end
    # Programs break long lines, also within the verb and the address.
    if end and lines[end].rstrip().endswith(_ENDS) and lines[end - 1].strip():
        is_broken = not is_order(lines[end - 1]) and _is_end(f"{lines[end - 1]} {lines[end]}")
        return end - 1 if is_broken else -1
    return -1


def _is_end(words: str) -> bool:
    words = words.rstrip()
    if not words.endswith(_ENDS):
        return phrases.POSTED.search(words) is not None
    return phrases.WROTE.search(words[-_VERB:]) is not None or _names_sender(words)


def _names_sender(words: str) -> bool:
    """Return whether the words are a date, an address and a colon: no verb, but an attribution."""
    if not phrases.ADDRESS.search(words) or words.endswith("-"):
        return False
    if phrases.ISO_DATE.match(words):
        return True
    dated = _is_dated(words) or phrases.QUOTING.match(words) is not None
    return dated and not words.endswith(">")


def _own_part(line: str) -> int:
    """Return how many characters of a line that ends an attribution are words before it, or 0."""
    if phrases.STRONG.search(line) is None or _opens(line):
        return 0
    for mark in phrases.SHARED.finditer(line):
        before, after = line[: mark.start()], line[mark.end() :]
        if not phrases.STRONG.search(before) and _is_end(after) and stands_alone(after):
            return mark.start()
    return 0


def _is_end_without_colon(words: str) -> bool:
    """Return whether the line is "On 5 May 2026 at 10:00 somebody wrote" above a quote."""
    return bool(
        phrases.ATTRIBUTES.match(words)
        and phrases.TIME.search(words)
        and phrases.WROTE_WITHOUT_COLON.search(words[-_VERB:])
    )


def _start(lines: Sequence[str], quoted: Sequence[bool], needed: int, end: int) -> int:
    """Return the line at which the attribution begins that needs the lines from *needed* on."""
    opens = _opens(lines[needed])
    if opens and not phrases.LATE_OPENING.match(lines[needed]):
        return needed
    # A broken date has its other half in the line above; otherwise, the date is on one line.
    last = needed - 1 if opens else end + 1 - _MOST_LINES
    for at in range(needed - 1, max(last, 0) - 1, -1):
        line = lines[at]
        if quoted[at] or not line.strip() or _SENTENCE.search(line) or is_order(line):
            break
        is_broken = at > 0 and lines[at - 1].rstrip().endswith("<")
        if not is_broken and _opens(line) and (opens or "," in line or phrases.STRONG.search(line)):
            return at
    return needed


def _opens(line: str) -> bool:
    """Return whether a line begins like an attribution and names a day."""
    return any(map(str.isdigit, line)) and phrases.ATTRIBUTES.match(line) is not None
