"""Views as HTML for a letter, with the words of their text: no links, no styles of its own."""

import re
from collections.abc import Iterable
from html import escape
from math import inf
from typing import Final, assert_never

from referee.reports.text import footnotes, numeric, one_line, paragraphs, places, printed, squared
from referee.rules.views import Block, Chart, News, Prose, Sentences, Table, Verbatim, View

_RULE: Final = re.compile(r"\W{8,}")
"""A line across the page."""
_KEY: Final = re.compile(r"[A-Z]{1,3}[0-9]+\b")
"""The name of a place or unit at the beginning of its record."""
_HYPHENATED: Final = re.compile(r"(?<![^ ,])(?=[^ ,]{1,40}(?![^ ,]))[^ ,-]*-[^ ,]*")
"""A word with a hyphen, behind which a browser would break it; one that fits on a narrow screen."""
_LONG: Final = 24
"""The characters of a cell above which its column has room for several words on any screen."""
_ROOM: Final = 9
"""The characters that fit into this room."""
_NARROW: Final = {46: "", 57: ' class="many"', inf: ' class="most"'}
"""The kinds of tables, by the most characters in a row of each."""
_FITS: Final = 46
_HALF: Final = 61
"""The longest lines of a map that fit on a narrow screen in their size, and in a small one."""
_CONTINUES: Final = re.compile(r"(?:(?<=,)\n +|\n {6,})(?! )")
"""The line end within a record that is set in several lines: the next is indented twice."""


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
        case News():
            both = zip(block.weights, block.sentences, strict=True)
            told = (f'<li class="{weight}"><p>{_said(each)}</p></li>' for weight, each in both)
            return f"{title}<ul>{''.join(told)}</ul>"
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
    """Return a table; a narrow screen sets one of many columns small, or rows in several lines."""
    rows = squared(table)
    if not rows[0]:
        return ""
    longest = [max(map(len, column)) for column in zip(*rows, strict=True)]
    kinds = [
        ' class="n"' if right else ' class="l"' if most > _LONG else ""
        for right, most in zip(numeric(rows), longest, strict=True)
    ]
    beside = sum(
        max(*map(_widest, column), _ROOM if most > _LONG else 0) + 1
        for column, most in zip(zip(*rows, strict=True), longest, strict=True)
    )
    kind = next(kind for room, kind in _NARROW.items() if beside <= room)
    head, *body = (_row(row, kinds, "td" if at else "th") for at, row in enumerate(rows))
    inside = f"<thead>{head}</thead><tbody>{''.join(body)}</tbody>"
    return f"<table{kind}>{inside}</table>"


def _widest(cell: str) -> float:
    """Return the width of the widest word of a cell, in characters; capitals are wider."""
    return max((len(word) + sum(map(str.isupper, word)) * 0.2 for word in cell.split()), default=0)


def _row(cells: Iterable[str], kinds: Iterable[str], tag: str) -> str:
    both = zip(cells, kinds, strict=True)
    drawn = (f"<{tag}{kind}>{escape(cell, quote=False)}</{tag}>" for cell, kind in both)
    return f"<tr>{''.join(drawn)}</tr>"


def _fixed(text: str) -> str:
    """Return lines that are never broken; on a narrow screen they are small, or scroll sideways."""
    longest = max(map(len, text.split("\n")))
    size = "" if longest <= _FITS else " half" if longest <= _HALF else " far"
    return f'<pre class="map{size}">{chr(10).join(map(_printed, text.split(chr(10))))}</pre>'


def _records(text: str) -> str:
    """Return lines that can be broken between words and behind commas, and then hang."""
    whole = _CONTINUES.sub(" ", text)
    return f'<div class="lines">{"".join(map(_record, whole.split(chr(10))))}</div>'


def _record(line: str) -> str:
    words = line.lstrip(" ")
    if not words:
        return "<div><br></div>"
    if _RULE.fullmatch(words):
        return "<hr>"
    said = _HYPHENATED.sub(r"<span>\g<0></span>", _printed(words)).replace(",", ",<wbr>")
    if line != words:
        return f'<div class="d">{said}</div>'
    key = _KEY.match(said)
    return f"<div><b>{key[0]}</b>{said[key.end() :]}</div>" if key else f"<div>{said}</div>"


def _said(text: str) -> str:
    return escape(one_line(text), quote=False)


def _printed(line: str) -> str:
    return escape(printed(line), quote=False)
