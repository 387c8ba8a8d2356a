"""Text set in the 78 columns of a letter; every function is total and pure."""

import textwrap
from collections.abc import Iterator
from typing import Final

from referee.letters.outgoing.notices import CommandReply, LineError, OrderResult, RuledOrder

WIDTH: Final = 78
_PROSE: Final = 72
_TYPED: Final = 11
"""Where what was typed begins, after ``  line 4``."""
_MEANING: Final = 23
"""Where the meaning of an order begins."""
_WINDOW: Final = 60
_BEFORE_CARET: Final = 30
_FAR: Final = 25
"""A caret farther right leaves no room beside it."""


def fill(text: str, indent: int = 0, hang: int = 0) -> str:
    """Set a paragraph, whatever blanks and line ends it had."""
    return _fill(" ".join(text.split()), " " * indent, " " * (indent + hang))


def fold(text: str, indent: int = 0) -> str:
    """Return *text* line by line as it is, indented; only lines that are too long are folded."""
    lines = _plain(text).split("\n")
    if indent:
        lines = [" " * indent + line if line else "" for line in lines]
    if max(map(len, lines)) > WIDTH:
        lines = [_folded(line) for line in lines]
    return "\n".join(lines)


def set_in(text: str) -> str:
    """Indent a drawn text by two blanks, unless that makes a line too long."""
    lines = _plain(text).split("\n")
    fits = max(map(len, lines)) <= WIDTH - 2
    return fold(text, 2) if fits else text


def ruled(order: RuledOrder) -> str:
    """Set an order that stands beside what it means."""
    return beside(f"  {_one_line(order.text)}", order.meaning)


def warned(order: RuledOrder) -> str:
    """Set an order that stands, but; its place in the letter first, then the warning."""
    place = f"line {order.line}" if order.line else ""
    return beside(f"  {place:<8} {_one_line(order.text)}", order.warning)


def failed(order: OrderResult) -> str:
    """Set an order that came to nothing beside the reason."""
    return beside(f"  {_one_line(order.text)}", order.outcome)


def said(answer: CommandReply) -> str:
    """Set a command and what came of it; an answer of several lines keeps them."""
    head = f"  {_place(answer.line)}{_one_line(answer.text)}".rstrip()
    body = answer.answer.strip("\n")
    if "\n" in body:
        return "\n".join(filter(None, (_folded(head), fold(body, 2))))
    return "\n".join(filter(None, (_folded(head), fill(body, 4 if head else 2))))


def fault(wrong: LineError) -> str:
    """Set a line that does not stand, a caret under the place, the reason and the way out.

    Behind a caret the reason goes on from it; else it is a sentence of its own.
    """
    advice = " ".join(f"{wrong.reason} {wrong.advice}".split())
    # An address stays as it is written.
    if wrong.caret is None and "@" not in advice.partition(" ")[0]:
        advice = advice[:1].upper() + advice[1:]
    if not wrong.text.strip():
        return _fill(advice, f"  {_place(wrong.line)}", " " * (_TYPED if wrong.line else 2))
    text, caret = _window(wrong.text, wrong.caret)
    head = f"{'  ' + _place(wrong.line):<{_TYPED}}{text}"
    if caret is None:
        return f"{_folded(head)}\n{fill(advice, _TYPED)}"
    mark = " " * (_TYPED + caret) + "^"
    if caret > _FAR:
        return f"{head}\n{mark}\n{fill(advice, _TYPED)}"
    return f"{head}\n{_fill(advice, mark + ' ', ' ' * (len(mark) + 1))}"


def _place(line: int) -> str:
    return f"line {line:<4}" if line else ""


def _window(typed: str, caret: int | None) -> tuple[str, int | None]:
    """Return the part of a long line in which the caret stands, and the caret in it."""
    text = "".join(c if c.isprintable() else " " for c in typed)
    if caret is None:
        return (text if len(text) <= _WINDOW else f"{text[: _WINDOW - 4]} ..."), None
    caret = max(0, min(caret, len(text)))
    if len(text) <= _WINDOW:
        return text, caret
    start = max(0, caret - _BEFORE_CARET + 4)
    part = text[start : start + _WINDOW - 8]
    before = "... " if start else ""
    after = " ..." if start + len(part) < len(text) else ""
    return f"{before}{part}{after}", caret - start + len(before)


def beside(left: str, right: str) -> str:
    """Set two columns side by side; what is too long for the left one stands above the right."""
    right = " ".join(right.split())
    if not right:
        return _folded(left)
    if len(left) >= _MEANING - 1:
        return f"{_folded(left)}\n{_fill(right, ' ' * _MEANING, ' ' * _MEANING)}"
    return _fill(right, f"{left:<{_MEANING}}", " " * _MEANING)


def _one_line(text: str) -> str:
    return " ".join(_plain(text).split())


def _plain(text: str) -> str:
    """Return *text* without what would break its lines; a tab is a blank."""
    if text.replace("\n", "").isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def _folded(line: str) -> str:
    if len(line) <= WIDTH:
        return line
    indent = len(line) - len(line.lstrip(" "))
    indent = min(indent, WIDTH // 2)
    return _fill(line.strip(), " " * indent, " " * (indent + 2), WIDTH)


def _fill(text: str, first: str, later: str, width: int = _PROSE) -> str:
    # A narrow column at the right edge still gets room for a few words.
    width = min(WIDTH, max(width, len(later) + 24))
    if not text.isprintable():
        text = "".join(_breakable(text)).strip()
    # Nearly all there is to set fits into a line.
    if len(first) + len(text) <= width:
        return f"{first}{text}".rstrip()
    wrapped = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_on_hyphens=False,
    )
    return "\n".join(line.rstrip() for line in wrapped) or first.rstrip()


def _breakable(text: str) -> Iterator[str]:
    for character in text:
        yield character if character.isprintable() or character == " " else " "
