"""Views as text, at most 78 columns wide unless a block fixes its own lines."""

import re
import textwrap
from collections.abc import Container, Iterator, Sequence
from typing import Final, assert_never

from referee.reports.placing import natural
from referee.rules.views import (
    Block,
    Chart,
    Mark,
    Node,
    Prose,
    Sentences,
    Sighting,
    Table,
    Verbatim,
    View,
)

WIDTH: Final = 78
_PROSE: Final = 72
_SENTENCE: Final = 76
_GAP: Final = 2
_NARROWEST: Final = 6
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9,. ]*%?|")


def text(view: View) -> str:
    """Return the blocks of *view* one below the other, separated by empty lines."""
    return "\n\n".join(drawn for block in view if (drawn := _block(block)))


def _block(block: Block) -> str:
    match block:
        case Prose():
            lines = _prose(block.text)
        case Table():
            lines = list(_table(block))
        case Verbatim():
            lines = block.text.split("\n")
        case Sentences():
            lines = [_hanging(sentence) for sentence in block.sentences]
        case Chart():
            lines = list(_chart(block))
        case _:
            assert_never(block)
    title = _wrapped(block.title, WIDTH) if block.title else []
    return "\n".join((*title, *lines)).rstrip("\n")


def _prose(text: str) -> list[str]:
    """Wrap the paragraphs of *text*."""
    wrapped = ("\n".join(_wrapped(part, _PROSE)) for part in paragraphs(text))
    return "\n\n".join(wrapped).split("\n")


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of *text*, which are separated by empty lines."""
    return re.split(r"\n[ \t]*\n", text.strip("\n"))


def _hanging(sentence: str) -> str:
    """Wrap a sentence between words; further lines are indented by two."""
    if len(sentence) <= _SENTENCE and sentence.isprintable():
        return sentence.rstrip()
    return textwrap.fill(
        sentence, _SENTENCE, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _table(table: Table) -> Iterator[str]:
    """Yield rows under headings; a cell that is too wide is wrapped inside its column."""
    rows = squared(table)
    if not rows[0]:
        return
    widths, right = _widths(rows), numeric(rows)
    for number, row in enumerate(rows):
        yield from _row(row, widths, right)
        if number == 0:
            yield (" " * _GAP).join("-" * width for width in widths)


def squared(table: Table) -> list[list[str]]:
    """Return the headings and the rows of a table, each with as many cells, of one line each."""
    rows = [[one_line(cell) for cell in row] for row in (table.columns, *table.rows)]
    count = max(map(len, rows))
    return [row + [""] * (count - len(row)) for row in rows]


def numeric(rows: Sequence[Sequence[str]]) -> list[bool]:
    """Return for each column of squared rows whether all its cells are numbers."""
    return [
        len(rows) > 1 and all(_NUMBER.fullmatch(row[column]) for row in rows[1:])
        for column in range(len(rows[0]))
    ]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of the widest cell of every column, cut at the widest columns to fit."""
    widths = [max(1, *(len(row[column]) for row in rows)) for column in range(len(rows[0]))]
    room = WIDTH - _GAP * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    # Even if there are too many columns to fit, each keeps at least one character.
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
    """Yield a map as a table of its places, where one can go from each, and the other links."""
    listed = places(chart)
    if listed.rows:
        yield from _table(listed)
    for note in footnotes(chart):
        yield from ("", *_wrapped(note, WIDTH))


def footnotes(chart: Chart) -> Iterator[str]:
    """Yield the notes below the table of a map's places."""
    unexplored = _unexplored(chart)
    if any(node.sighting is Sighting.REMEMBERED for node in chart.nodes):
        yield "* not seen this turn"
    if unexplored:
        yield f"? unexplored: {' '.join(sorted(unexplored, key=natural))}"


def places(chart: Chart) -> Table:
    """Return the explored places of a map, with where one can go from each."""
    nodes = sorted(chart.nodes, key=lambda node: natural(node.key))
    unexplored = _unexplored(chart)
    rows = (_place(chart, node, unexplored) for node in nodes if node.key not in unexplored)
    return Table(("Place", "Owner", "There", "Ways"), tuple(rows))


def _unexplored(chart: Chart) -> frozenset[str]:
    return frozenset(n.key for n in chart.nodes if n.sighting is Sighting.UNEXPLORED)


def _place(chart: Chart, node: Node, unexplored: Container[str]) -> tuple[str, ...]:
    mark = "*" if node.sighting is Sighting.REMEMBERED else ""
    ways = sorted(chart.neighbours(node.key), key=natural)
    marked = (f"{key}?" if key in unexplored else key for key in ways)
    there = ", ".join((*_marks(node), *node.lines, *_units(node)))
    return node.key + mark, node.owner, there, " ".join(marked)


def _marks(node: Node) -> Iterator[str]:
    """Yield the marks of a place that its lines do not name."""
    said = " ".join(node.lines)
    yield from (m.value for m in node.marks if m is not Mark.PRODUCTION and m.value not in said)


def _units(node: Node) -> Iterator[str]:
    """Yield the units at a place, by owner; those of the owner of the place come without a name."""
    owners = dict.fromkeys(unit.owner for unit in node.units)
    for owner in sorted(owners, key=lambda owner: owner != node.owner):
        units = [unit for unit in node.units if unit.owner == owner]
        between = ", " if any(unit.force for unit in units) else " "
        keys = between.join(f"{unit.key} {unit.force}".rstrip() for unit in units)
        yield keys if owner in ("", node.owner) else f"{owner}: {keys}"


def _wrapped(text: str, width: int) -> list[str]:
    line = one_line(text)
    return [line] if len(line) <= width else textwrap.wrap(line, width, break_on_hyphens=False)


def one_line(text: str) -> str:
    """Return *text* with one blank for each group of blanks and characters that do not print."""
    return " ".join(printed(text).split())


def printed(text: str) -> str:
    """Return *text* with a blank for each character that does not print."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
