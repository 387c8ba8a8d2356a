"""Views as HTML for a letter, with the words of their text: no links, no styles of its own."""

import re
from collections.abc import Iterable
from html import escape
from typing import Final, assert_never

from referee.reports.text import footnotes, numeric, one_line, paragraphs, places, squared
from referee.rules.views import Block, Chart, Prose, Sentences, Table, Verbatim, View

_RULE: Final = re.compile(r"\W{8,}")
"""A line across the page."""
_KEY: Final = re.compile(r"[A-Z]{1,3}[0-9]+\b")
"""The name of a place or unit at the beginning of its record."""
_HYPHENATED: Final = re.compile(r"(?<![^ ,])(?=[^ ,]{1,40}(?![^ ,]))[^ ,-]*-[^ ,]*")
"""A word with a hyphen, behind which a browser would break it; one that fits on a narrow screen."""
_LONG: Final = 24
"""The characters of a cell above which its column has room for several words on any screen."""
_DEEPEST: Final = 2
_STEP: Final = 3
"""The blanks of a step of indentation."""


def html(view: View) -> str:
    """Return the blocks of *view* one below the other."""
    return "".join(map(_block, view))


def _block(block: Block) -> str:
    title = f"<h3>{_said(block.title)}</h3>" if block.title else ""
    match block:
        case Prose():
            return title + _paragraphs(paragraphs(block.text))
        case Table():
            return title + _table(block)
        case Verbatim():
            return title + (_records(block.text) if block.wraps else _fixed(block.text))
        case Sentences():
            items = "".join(f"<li>{_said(each)}</li>" for each in block.sentences)
            return f'{title}<ul class="log">{items}</ul>' if items else title
        case Chart():
            listed = places(block)
            table = _table(listed) if listed.rows else ""
            return title + table + _paragraphs(footnotes(block))
        case _:
            assert_never(block)


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{_said(each)}</p>" for each in texts)


def _table(table: Table) -> str:
    """Return a table, which scrolls sideways if the screen is narrow."""
    rows = squared(table)
    if not rows[0]:
        return ""
    longest = [max(map(len, column)) for column in zip(*rows, strict=True)]
    kinds = [
        ' class="n"' if right else ' class="l"' if most > _LONG else ""
        for right, most in zip(numeric(rows), longest, strict=True)
    ]
    head, *body = (_row(row, kinds, "td" if at else "th") for at, row in enumerate(rows))
    inside = f"<thead>{head}</thead><tbody>{''.join(body)}</tbody>"
    return f'<div class="wide"><table>{inside}</table></div>'


def _row(cells: Iterable[str], kinds: Iterable[str], tag: str) -> str:
    both = zip(cells, kinds, strict=True)
    drawn = (f"<{tag}{kind}>{escape(cell, quote=False)}</{tag}>" for cell, kind in both)
    return f"<tr>{''.join(drawn)}</tr>"


def _fixed(text: str) -> str:
    """Return lines that are never broken; they scroll sideways if the screen is narrow."""
    return f'<pre class="map">{chr(10).join(map(_printed, text.split(chr(10))))}</pre>'


def _records(text: str) -> str:
    """Return lines that can be broken between words and behind commas, and then hang."""
    return f'<div class="lines">{"".join(map(_record, text.split(chr(10))))}</div>'


def _record(line: str) -> str:
    words = line.lstrip(" ")
    if not words:
        return "<div><br></div>"
    if _RULE.fullmatch(words):
        return "<hr>"
    depth = min(_DEEPEST, -((len(words) - len(line)) // _STEP))
    said = _HYPHENATED.sub(r"<span>\g<0></span>", _printed(words)).replace(",", ",<wbr>")
    if depth:
        return f'<div class="d{depth}">{said}</div>'
    return f"<div>{_KEY.sub(_BOLD, said, count=1) if _KEY.match(said) else said}</div>"


_BOLD: Final = r"<b>\g<0></b>"


def _said(text: str) -> str:
    return escape(one_line(text), quote=False)


def _printed(line: str) -> str:
    return escape("".join(c if c.isprintable() else " " for c in line), quote=False)
