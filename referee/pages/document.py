"""A page as a value: a heading and sections, which are divided when they would be too large."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from referee.rules.views import Prose, Table, Verbatim

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the pages: its *path* with slashes, relative to the folder, and its content."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another page; *note* is what is said of it."""

    path: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences, each a point of a list."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """A list of links."""

    links: tuple[Link, ...]
    compact: bool = False
    """Whether they are short, so that several go on a line."""


@dataclass(frozen=True, slots=True)
class Words:
    """A person's text, with *head* above: who wrote it, to whom and when."""

    head: str
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a file; *label* says what it shows."""

    path: str
    label: str


@dataclass(frozen=True, slots=True)
class EmailTo:
    """An email to write: to whom, and its first line."""

    address: str
    line: str
    does: str
    """The effect of the line: ``joins SW-1``."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A table that is shown when its reader opens it."""

    summary: str
    table: Table


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a story: its *weight* is how it is marked, *colour* that of its seat, or ""."""

    text: str
    weight: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """A turn of a story: the news of its reader, with *links*, and sentences about others."""

    head: str
    links: tuple[Link, ...]
    own: tuple[Told, ...]
    elsewhere: tuple[Told, ...]


Content = Prose | Table | Verbatim | Folded | Lines | Links | Words | Picture | EmailTo | Episode


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page, under a heading unless *title* is empty."""

    content: Content
    title: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A page before it is drawn; all its paths are relative to the folder of all pages."""

    path: str
    title: str
    lead: tuple[str, ...]
    """The paragraphs below the heading."""
    sections: tuple[Section, ...]
    trail: tuple[Link, ...] = ()
    """The pages above this one, the first one outermost."""
    onward: tuple[Link, ...] = ()
    """The pages before and after this one."""
    feeds: tuple[Link, ...] = ()
    """The feed and the calendar of the site."""


def halves(section: Section) -> Iterator[Section]:
    """Yield the two halves of a section that is too large; itself if it has no halves."""
    first, *others = _parts(section.content)
    yield replace(section, content=first)
    for part in others:
        # A title is above the first half only.
        bare = replace(part, title="") if isinstance(part, Prose | Table | Verbatim) else part
        yield Section(bare)


def _parts(content: Content) -> list[Content]:
    match content:
        case Table():
            return [replace(content, rows=rows) for rows in _halves(content.rows)]
        case Folded():
            tables = (replace(content.table, rows=rows) for rows in _halves(content.table.rows))
            return [replace(content, table=table) for table in tables]
        case Verbatim():
            lines = _halves(tuple(content.text.split("\n")))
            return [replace(content, text="\n".join(half)) for half in lines]
        case Prose() | Words():
            return [replace(content, text=half) for half in _split(content.text)]
        case Lines():
            return [Lines(half) for half in _halves(content.lines)]
        case Links():
            return [replace(content, links=half) for half in _halves(content.links)]
        case Picture() | EmailTo() | Episode():
            return [content]
        case _:
            assert_never(content)


def _halves(items: tuple[T, ...]) -> list[tuple[T, ...]]:
    middle = (len(items) + 1) // 2
    return [half for half in (items[:middle], items[middle:]) if half] or [()]


def _split(text: str) -> list[str]:
    """Return the halves of a text, divided between words if it has any."""
    middle = len(text) // 2
    blank = text.rfind(" ", 0, middle)
    at = blank + 1 if blank > 0 else middle
    return [half for half in (text[:at], text[at:]) if half] or [""]
