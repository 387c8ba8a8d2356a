"""The differences between two reports: the parts that are new or have changed."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.rules.views import Block, Chart, Prose, Sentences, Table, Verbatim, View

_RULE: Final = re.compile(r"={10,}")
_CODE: Final = re.compile(r"[A-Za-z]{1,3}[0-9]+")
_SAYS: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A part of a text that stays together; *key* is its first word if that is a code, ``W12``."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class _Change:
    """The changed part of a block, or None, and the keys that are gone from it."""

    block: Block | None
    gone: tuple[str, ...] = ()


def changes(before: View, after: View) -> View:
    """Return the blocks of *after* that are not the same in *before*, and what is gone.

    A line of verbatim text stays with the indented lines below it, and rows with their headings, so
    every part can be read separately. A part that only moved has not changed.
    """
    older = list(before)
    found = [_change(_counterpart(older, block), block) for block in after]
    blocks = [change.block for change in found if change.block is not None]
    gone = [name for change in found for name in change.gone]
    if gone:
        blocks.append(Prose(f"No longer here: {', '.join(dict.fromkeys(gone))}."))
    return tuple(blocks) or (Prose("Nothing differs from the report before."),)


def _counterpart(older: list[Block], block: Block) -> Block | None:
    """Remove the first block of the same kind and title from *older* and return it."""
    for other in older:
        if type(other) is type(block) and other.title == block.title:
            older.remove(other)
            return other
    return None


def _change(before: Block | None, after: Block) -> _Change:
    match before, after:
        case Verbatim(), Verbatim():
            fresh, gone = _texts([before.text], [after.text])
            return _Change(replace(after, text="\n".join(fresh)) if fresh else None, gone)
        case Sentences(), Sentences():
            fresh, gone = _texts(before.sentences, after.sentences)
            return _Change(replace(after, sentences=tuple(fresh)) if fresh else None, gone)
        case Table(), Table() if before.columns == after.columns:
            return _rows(before, after)
        case Chart(), Chart():
            return _places(before, after)
    return _Change(None if before == after else after)


def _texts(before: Iterable[str], after: Iterable[str]) -> tuple[list[str], tuple[str, ...]]:
    """Return the parts of the texts that are new, and the keys that are gone."""
    old, new = ([part for text in texts for part in entries(text)] for texts in (before, after))
    left = Counter(entry.text for entry in old)
    fresh = []
    for entry in new:
        if left[entry.text]:
            left[entry.text] -= 1
        else:
            fresh.append(entry.text)
    return fresh, _missing([entry.key for entry in old], [entry.key for entry in new])


def _rows(before: Table, after: Table) -> _Change:
    rows = tuple(row for row in after.rows if row not in before.rows)
    # A row of one cell is a remark and names nothing.
    names = [[row[0] for row in table.rows if len(row) > 1] for table in (before, after)]
    gone = _missing(*names)
    return _Change(replace(after, rows=rows) if rows else None, gone)


def _places(before: Chart, after: Chart) -> _Change:
    def place(chart: Chart, key: str) -> object:
        return next(n for n in chart.nodes if n.key == key), chart.neighbours(key)

    known = {node.key for node in before.nodes}
    nodes = tuple(
        node
        for node in after.nodes
        if node.key not in known or place(before, node.key) != place(after, node.key)
    )
    keys = {node.key for node in nodes}
    links = tuple(link for link in after.links if {link.one, link.other} & keys)
    gone = _missing([node.key for node in before.nodes], [node.key for node in after.nodes])
    return _Change(replace(after, nodes=nodes, links=links) if nodes else None, gone)


def _missing(before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    return tuple(key for key in dict.fromkeys(before) if key and key not in set(after))


def entries(text: str) -> Iterator[Entry]:
    """Yield the parts of a text: a line with its indented lines, or the text between rules.

    The line above a rule belongs to the rule; a last rule without a partner is none. Lines without
    a letter or digit only separate others.
    """
    part: list[str] = []
    rules = 0
    lines = text.split("\n")
    ruled = [at for at, line in enumerate(lines) if _RULE.fullmatch(line)]
    paired = {*ruled[: len(ruled) // 2 * 2]}
    for at, line in enumerate(lines):
        is_rule = at in paired
        begins = not line.startswith(" ") and not is_rule and rules != 1
        if part and (begins or rules > 1):
            yield _one_entry(part)
            part, rules = [], 0
        rules += is_rule
        if is_rule or _SAYS.search(line):
            part.append(line)
    if part:
        yield _one_entry(part)


def _one_entry(lines: Sequence[str]) -> Entry:
    is_ruled = any(_RULE.fullmatch(line) for line in lines)
    word = lines[0].split()[0]
    return Entry(word if _CODE.fullmatch(word) and not is_ruled else "", "\n".join(lines))
