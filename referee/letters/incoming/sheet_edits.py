"""Edits of a quoted order sheet: the reader changed our sheet in the reply.

The first and the last line of a sheet have the seal of its letter. Nobody can know it before that
letter is sent, so nothing that it quotes can be taken for its sheet.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.domain.mail_transfer import Line
from referee.letters.incoming.press_marks import are_press
from referee.letters.incoming.quoting import press_in
from referee.letters.incoming.seen_lines import QUOTE, SeenLines

LAST_LINE: Final = "# End of orders"
"""The end of every order sheet in our letters; a comment, harmless where it is copied."""

_HEAD: Final = re.compile(r"YOUR (?P<what>ORDERS|SHEET) FOR TURN (?P<turn>[1-9][0-9]{0,8}):")
_SEALED: Final = re.compile(
    r"(?m)(?:^|(?<=>))"
    rf"(YOUR (?:ORDERS|SHEET) FOR TURN [^\n<]*| *{LAST_LINE}) \([a-z]{{8}}\)(?=$|</)"
)
_SHEET: Final = re.compile(
    rf"(?<!\n)\n*+^YOUR (?:ORDERS|SHEET) FOR TURN .* (\([a-z]{{8}}\))$(?s:.*?)^ *{LAST_LINE} \1$",
    re.MULTILINE,
)
_UNDERLINE: Final = re.compile(r"-{3,}|={3,}")
"""The line that a text part of HTML can have below a heading."""
_MOST_MARKS: Final = 5
_MARKS: Final = re.compile(rf"\n(?:{QUOTE.pattern}){{1,{_MOST_MARKS}}}")
_INDENT: Final = 2
_STRUCK_OUT: Final = re.compile(r"~~.*?~~")
"""Orders that the reader has struck out of the sheet."""


class EditState(Enum):
    """The state of a quoted order sheet."""

    CHANGED = "changed"
    """Lines between its head and its last line were changed, added or removed."""
    BROKEN = "broken"
    """The sheet has words that are not ours, but perhaps not the reader's either: its end is
    missing, or it was quoted twice, or an email program removed our comment marks, or it has no
    seal, because it is a page of a letter that answers several commands."""


@dataclass(frozen=True, slots=True)
class EditedSheet:
    """A quoted order sheet that differs from ours.

    *lines* are all its lines with their places in the reply, without quote marks; for a broken one,
    those that are not ours. *first* and *last* are its first and last line in the reply.
    """

    editing: EditState
    turn: int
    filed: bool
    """Whether our sheet showed the orders on file; otherwise it was to be filled in."""
    lines: tuple[Line, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Quoted:
    """A line of a letter without its quote marks, and the number of those marks."""

    number: int
    text: str
    marks: int

    @property
    def words(self) -> str:
        return _words(self.text)


def shows_sheet(text: str) -> bool:
    """Return whether *text* contains the head of an order sheet of ours."""
    return _HEAD.search(text) is not None


def sealed(line: str, seal: str) -> str:
    """Return the first or the last line of a sheet, with the seal of its letter, if it has one."""
    return f"{line} ({seal})" if seal else line


def resealed(text: str, seal: str) -> str:
    """Return the text of an earlier letter of ours with the seal of the letter that repeats it."""
    return _SEALED.sub(lambda found: sealed(found[1], seal), text)


def without_sheet(text: str) -> str:
    """Return the text of an earlier letter of ours without its order sheet."""
    return _SHEET.sub("", text)


def edited(
    reply: SeenLines, ours: SeenLines, seal: str, typed: Container[int] = frozenset()
) -> EditedSheet | None:
    """Return the edited order sheet of our letter, or None if it is missing or unchanged.

    *seal* is the seal of our letter. No sheet begins in the lines *typed* within a message. A sheet
    with the same words as ours, with other line breaks, is unchanged.
    """
    own = ours.at([at for at, press in enumerate(are_press(ours.whole)) if not press])
    seal = seal if any(f"({seal})" in line for line in own.whole) else ""
    head_line, found = _head(own.whole, seal)
    written = _sheet(own.lines, head_line, seal) if found is not None else None
    if found is None or written is None or not written.whole:
        return None
    quoted = _sheet(_without_press(reply, ours), head_line, seal, typed)
    if quoted is None or quoted.has_same_words(written):
        return None
    lines, head = quoted.lines, quoted.head
    nested = any(line.marks > head.marks for line in lines)
    if not seal or not quoted.whole or nested or _lost_marks(lines, written.lines):
        state, kept = EditState.BROKEN, list(_not_ours(lines, head, own.whole))
    else:
        state, kept = EditState.CHANGED, list(_without_fragments(lines, written.lines))
    return EditedSheet(
        state,
        int(found["turn"]),
        found["what"] == "SHEET",
        tuple(Line(line.number, _STRUCK_OUT.sub("", _unindented(line))) for line in kept),
        head.number,
        quoted.start + len(lines) - 1,
    )


def _without_press(reply: SeenLines, ours: SeenLines) -> Sequence[str]:
    """Return the lines of the *reply*, with an empty one for every line of press."""
    press = press_in(reply, ours).lines
    return ["" if at in press else line for at, line in enumerate(reply.lines)]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """An order sheet in a letter: its head, the lines below it, and whether its end is there.

    *mark* is the quote mark before its head; *start* is the number of the first line below.
    """

    head: _Quoted
    mark: str
    start: int
    below: Sequence[str]
    whole: bool

    @property
    def lines(self) -> tuple[_Quoted, ...]:
        return tuple(_unquoted(number, text) for number, text in enumerate(self.below, self.start))

    def has_same_words(self, written: "_Sheet") -> bool:
        """Return whether the quote has the words of the sheet that we wrote."""
        # Nearly every sheet is quoted line by line, with the same mark as its head.
        if self.below == [f"{self.mark}{line}" for line in written.below]:
            return True
        return _unmarked("\n".join(self.below)) == _unmarked("\n".join(written.below))


def _head(ours: Sequence[str], seal: str) -> tuple[str, re.Match[str] | None]:
    """Return the words of the first line of our sheet, and what it says, or None."""
    for line in ours:
        words = _words(line) if "TURN" in line else ""
        if (found := _HEAD.match(words)) is not None and words.endswith(sealed("", seal)):
            return words, found
    return "", None


def _sheet(
    lines: Sequence[str], head: str, seal: str, typed: Container[int] = frozenset()
) -> _Sheet | None:
    """Return the order sheet that begins with *head* and was quoted at most once."""
    for number, text in enumerate(lines, 1):
        # Every head contains this word, and most lines need no closer check.
        if "TURN" not in text or number in typed:
            continue
        line = _unquoted(number, text)
        if line.marks > 1 or not _HEAD.match(_heading(text)):
            continue
        # An email program can have broken the head into two lines.
        broken = _heading("\n".join(lines[number - 1 : number + 1])) == head
        if broken or _heading(text) == head:
            mark = text[: len(text) - len(line.text.lstrip())]
            number += broken
            number += any(map(_UNDERLINE.fullmatch, map(_unmarked, lines[number : number + 1])))
            return _sheet_below(line, mark, number + 1, lines[number:], seal)
    return None


def _sheet_below(head: _Quoted, mark: str, start: int, below: Sequence[str], seal: str) -> _Sheet:
    """Return the sheet below its head: up to its last line, or else all that follows."""
    end = sealed(LAST_LINE, seal)
    for count, text in enumerate(below):
        # Here, too, few lines need a closer check.
        if "End" not in text and "TURN" not in text:
            continue
        if _unmarked(text) == end:
            return _Sheet(head, mark, start, below[:count], whole=True)
        if _HEAD.match(_heading(text)):
            break
    return _Sheet(head, mark, start, below, whole=False)


def _words(text: str) -> str:
    return " ".join(text.split())


def _unmarked(text: str) -> str:
    """Return the words of *text* without the quote marks of its lines."""
    return _words(_MARKS.sub("\n", f"\n{text}"))


def _heading(text: str) -> str:
    """Return the words of a heading, without the marks of one that a text part has."""
    return _unmarked(text).strip("*_# ")


def _unindented(line: _Quoted) -> str:
    """Return the text of a line without its indentation, ours and the quote's."""
    blanks = len(line.text) - len(line.text.lstrip(" "))
    return line.text[min(blanks, _INDENT + bool(line.marks)) :]


def _unquoted(number: int, text: str) -> _Quoted:
    marks = 0
    while marks < _MOST_MARKS and (mark := QUOTE.match(text)) is not None:
        text, marks = text[mark.end() :], marks + 1
    return _Quoted(number, text, marks)


def _lost_marks(lines: Sequence[_Quoted], written: Sequence[_Quoted]) -> bool:
    """Return whether our first line, a comment, has lost its comment mark."""
    first = written[0].words if written else ""
    bare = first.removeprefix("#").strip()
    return bare != first and any(line.words == bare for line in lines)


def _not_ours(lines: Sequence[_Quoted], head: _Quoted, ours: Sequence[str]) -> Iterator[_Quoted]:
    """Return the quoted lines that are not in our letter, or are there only as a comment."""
    our_words = _words("\n".join(ours))
    for line in lines:
        is_ours = line.words in our_words and f"# {line.words}" not in our_words
        if line.words and not is_ours and line.marks >= head.marks:
            yield line


def _without_fragments(lines: Sequence[_Quoted], written: Sequence[_Quoted]) -> Iterator[_Quoted]:
    """Return the lines without comment fragments that an email program wrapped."""
    remarks = [_remark(line) for line in written if "#" in line.words]
    for line in lines:
        broken_off = any(remark.endswith(f" {line.words}") for remark in remarks)
        if line.words and not (broken_off and "#" not in line.words):
            yield line


def _remark(line: _Quoted) -> str:
    """Return the last comment of a line, with its mark if it is the second one."""
    *before, last = line.words.split("#")
    return f"# {last}" if len(before) > 1 else last.strip()
