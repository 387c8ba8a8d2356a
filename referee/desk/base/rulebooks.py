"""The rulebooks of the rulesets, as chapters and as plain text for letters."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from referee.resources import folder, rulebook_file
from referee.rules.extras import extras_of
from referee.rules.ruleset import Ruleset

WIDTH: Final = 78
_LEAST_ROOM: Final = 24
"""The width that the last column of a table needs."""
_MOST_ABOUT: Final = 600
"""The most characters that say what a game is."""
_FENCE: Final = "```"
_MARKS: Final = re.compile(r"`|\*\*|\[(?=[^\[\]]*\]\()|(?<=\w)\]\([^()]*\)")
_HEADING: Final = re.compile(r"^## (?P<title>(?:[0-9]+\. )?(?P<word>[A-Za-z]+).*)$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"^(?:- |[0-9]+\.[0-9]+ |[0-9]{1,2}\. )")
_ITEM: Final = re.compile(r"- |[0-9]{1,2}\. ")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: the word that selects it, its title, and its Markdown text."""

    word: str
    title: str
    text: str

    @property
    def number(self) -> str:
        """The number before the title, or ""."""
        number, dot, _ = self.title.partition(". ")
        return number if dot and number.isdigit() else ""

    @property
    def about(self) -> str:
        """The subject of the chapter: its title after the colon."""
        return self.title.partition(": ")[2] or self.title


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A ruleset's rulebook: the overview and the chapters in their sequence."""

    overview: str
    chapters: tuple[Chapter, ...]

    def chapter(self, word: str) -> Chapter | None:
        """Return the chapter that *word*, or the number before its title, selects, or None."""
        wanted = word.upper()
        return next((each for each in self.chapters if wanted in (each.word, each.number)), None)


def players_guide() -> Rulebook:
    """Return the guide for players about the referee itself, the same for all games."""
    return parted((folder("docs") / "players.md").read_text(encoding="utf-8"))


def rulebook(ruleset: Ruleset[Any, Any]) -> Rulebook | None:
    """Return the rulebook of a ruleset, or None."""
    place = extras_of(ruleset).rulebook
    return parted(rulebook_file(place).read_text(encoding="utf-8")) if place else None


def about(ruleset: Ruleset[Any, Any]) -> str:
    """Return the first paragraph of the rulebook, which says what the game is, or ""."""
    book = rulebook(ruleset)
    text = [part for part in _blocks(book.overview) if not part[0].startswith("#")] if book else []
    first = _MARKS.sub("", " ".join(text[0])) if text else ""
    return textwrap.shorten(first, _MOST_ABOUT, placeholder=" ...")


def ruleset_word(key: str, title: str) -> str:
    """Return the name under which HELP lists a ruleset: the shorter one of its key and title."""
    return title.upper() if "_" in key else min(key.upper(), title.upper(), key=len)


def parted(text: str) -> Rulebook:
    """Split a rulebook into chapters: a line ``## 3. Moving: how`` begins the chapter MOVING."""
    overview, *rest = _HEADING.split(text)
    # The split yields for each heading the title, the word and the text below it.
    chapters = zip(rest[::3], rest[1::3], rest[2::3], strict=True)
    return Rulebook(
        overview.strip(),
        tuple(Chapter(word.upper(), title, text) for title, word, text in chapters),
    )


def plain(text: str) -> str:
    """Return Markdown as plain text of 78 columns.

    Paragraphs are filled, with a hanging indent after a list mark or number; tables become columns;
    fenced text is indented and otherwise unchanged.
    """
    return "\n\n".join(filter(None, ("\n".join(_plain(block)) for block in _blocks(text))))


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the paragraphs, tables and fenced parts, each as its lines."""
    block: list[str] = []
    for line in text.strip().splitlines():
        fenced = bool(block) and block[0].startswith(_FENCE)
        if line.strip() or fenced:
            block.append(line)
        if (fenced and line.startswith(_FENCE)) or not (line.strip() or fenced):
            yield block
            block = []
    yield block


def _plain(block: list[str]) -> Iterator[str]:
    first = block[0] if block else ""
    if first.startswith(_FENCE):
        yield from (f"    {line}".rstrip() for line in block[1:-1])
    elif first.startswith("|"):
        yield from _columns(block)
    elif first.startswith("#"):
        yield first.lstrip("# ").upper()
    else:
        for item in _items(block):
            yield from _filled(" ".join(item))


def _items(lines: list[str]) -> Iterator[list[str]]:
    """Yield the items of a list, each as its lines, or a paragraph as one item."""
    item: list[str] = []
    for line in lines:
        if item and _ITEM.match(line):
            yield item
            item = []
        item.append(line)
    if item:
        yield item


def _filled(paragraph: str) -> list[str]:
    words = " ".join(_MARKS.sub("", paragraph).split())
    number = _NUMBERED.match(words)
    hanging = " " * len(number[0]) if number else ""
    return textwrap.wrap(words, WIDTH, subsequent_indent=hanging, break_on_hyphens=False)


def _columns(lines: list[str]) -> Iterator[str]:
    """Yield a Markdown table as columns, with the last column filled.

    If the others leave it too little room, each row is a paragraph, with a line for each cell.
    """
    rows = [_cells(line) for line in (lines[0], *lines[2:])]
    wide = [max(len(row[place]) for row in rows) + 2 for place in range(len(rows[0]) - 1)]
    if sum(wide) > WIDTH - _LEAST_ROOM:
        yield from _paragraphs(rows)
        return
    for row in rows:
        left = "".join(cell.ljust(width) for cell, width in zip(row, wide, strict=False))
        indent = " " * (sum(wide) + 2)
        yield from textwrap.wrap(
            row[-1] or "-", WIDTH, initial_indent=f"  {left}", subsequent_indent=indent
        )


def _paragraphs(rows: list[list[str]]) -> Iterator[str]:
    """Yield each row after the first as a paragraph: its first cell, and the others by title."""
    titles, *others = rows
    for place, row in enumerate(others):
        if place:
            yield ""
        yield from textwrap.wrap(row[0], WIDTH, initial_indent="  ", subsequent_indent="  ")
        for title, cell in zip(titles[1:], row[1:], strict=False):
            yield from textwrap.wrap(
                f"{title}: {cell or '-'}" if title else cell or "-",
                WIDTH,
                initial_indent=" " * 4,
                subsequent_indent=" " * 6,
            )


def _cells(line: str) -> list[str]:
    return [_MARKS.sub("", cell).strip() for cell in line.strip().strip("|").split("|")]
