"""Views drawn as text, at most 78 columns wide wherever a block does not fix its lines itself."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from referee.rules.views import Block, Chart, Node, Prose, Table, Verbatim, View

WIDTH: Final = 78
_PROSE: Final = 72
_GAP: Final = 2
_NARROWEST: Final = 6
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9,. ]*%?|")


def text(view: View) -> str:
    """Draw the blocks of *view* one below the other, an empty line between them."""
    return "\n\n".join(drawn for block in view if (drawn := _block(block)))


def _block(block: Block) -> str:
    match block:
        case Prose():
            lines = _prose(block.text)
        case Table():
            lines = list(_table(block))
        case Verbatim():
            lines = block.text.split("\n")
        case Chart():
            lines = list(_chart(block))
        case _:
            assert_never(block)
    title = _wrapped(block.title, WIDTH) if block.title else []
    return "\n".join((*title, *lines)).rstrip("\n")


def _prose(text: str) -> list[str]:
    """Wrap the paragraphs of *text*, which an empty line parts."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join("\n".join(_wrapped(part, _PROSE)) for part in paragraphs).split("\n")


def _table(table: Table) -> Iterator[str]:
    """Draw rows under headings; a cell that is too wide is wrapped inside its column."""
    rows = [[_one_line(cell) for cell in row] for row in (table.columns, *table.rows)]
    count = max(map(len, rows))
    if count == 0:
        return
    rows = [row + [""] * (count - len(row)) for row in rows]
    widths = _widths(rows)
    right = [
        len(rows) > 1 and all(_NUMBER.fullmatch(row[column]) for row in rows[1:])
        for column in range(count)
    ]
    for number, row in enumerate(rows):
        yield from _row(row, widths, right)
        if number == 0:
            yield (" " * _GAP).join("-" * width for width in widths)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Give every column its widest cell, and take what is too much from the widest columns."""
    widths = [max(1, *(len(row[column]) for row in rows)) for column in range(len(rows[0]))]
    room = WIDTH - _GAP * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    # So many columns that even narrow ones do not fit get one character each at the least.
    while sum(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    for number in range(max(map(len, cells))):
        pieces = [cell[number] if number < len(cell) else "" for cell in cells]
        set_out = (
            piece.rjust(width) if at_right else piece.ljust(width)
            for piece, width, at_right in zip(pieces, widths, right, strict=True)
        )
        yield (" " * _GAP).join(set_out).rstrip()


def _chart(chart: Chart) -> Iterator[str]:
    """Write a map down place by place: what stands there, and where one can go from there."""
    for node in chart.nodes:
        yield from _node(node, _neighbours(node, chart))


def _node(node: Node, neighbours: Sequence[str]) -> Iterator[str]:
    owner = f" [{node.owner}]" if node.owner else ""
    yield from _wrapped(f"{node.key}{owner}", WIDTH)
    for line in node.lines:
        yield from _indented(line)
    if neighbours:
        yield from _indented(f"to {', '.join(neighbours)}")


def _neighbours(node: Node, chart: Chart) -> list[str]:
    there = [b if a == node.key else a for a, b in chart.links if node.key in (a, b)]
    return sorted(set(there), key=_natural)


def _natural(key: str) -> tuple[tuple[int, str], ...]:
    """Sort W9 before W10."""
    return tuple(
        (int(part[:18]), "") if part.isascii() and part.isdigit() else (-1, part)
        for part in re.split(r"([0-9]+)", key)
    )


def _indented(line: str) -> list[str]:
    return [f"  {part}" for part in _wrapped(line, WIDTH - 2)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(_one_line(text), width, break_on_hyphens=False) or [""]


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
