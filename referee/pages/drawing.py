"""Drawing of pages as HTML that needs no script, and of the Atom feed.

Every word goes through the escaping of the templates, whoever wrote it.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from referee.pages.document import Document, EmailTo, Link, PageFile, Section, halves
from referee.rules.views import Table

_TEMPLATES: Final = Path(__file__).parent / "templates"
MOST_OCTETS: Final = 200_000
"""The size of the largest page."""
_ROOM: Final = MOST_OCTETS - 20_000
"""The room for the sections, after the heading, the style and the links."""
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9,. ]*%?|")
_LEAST: Final = 500
"""The octets below which a section is not divided."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the feed. Its *key* is unique and the same for the same thing."""

    key: str
    title: str
    path: str
    at: datetime
    summary: str


@dataclass(frozen=True, slots=True)
class Feed:
    """The feed of a site: *domain* is part of its ids, *url* the address of its pages."""

    title: str
    domain: str
    url: str
    entries: tuple[Entry, ...]


def draw(document: Document, site: str) -> Iterator[PageFile]:
    """Yield the page, and the pages that continue it where it is too large for one.

    *site* is the name below every page.
    """
    sheets = list(_packed(document.sections, _depth(document.path)))
    paths = [_continued(document.path, number) for number in range(1, len(sheets) + 1)]
    for number, (path, sheet) in enumerate(zip(paths, sheets, strict=True), start=1):
        html = _template("page.html.j2").render(
            document=document,
            site=site,
            sheet=sheet,
            number=number,
            count=len(sheets),
            before=paths[number - 2] if number > 1 else "",
            after=paths[number] if number < len(sheets) else "",
            root=_depth(path),
            style=_style(),
            style_hash=_style_hash(),
        )
        yield PageFile(path, html.encode("utf-8", "replace"))


def draw_feed(feed: Feed, path: str) -> PageFile:
    """Return the feed as Atom (RFC 4287). The same entries give the same bytes."""
    updated = max((entry.at for entry in feed.entries), default=datetime(2000, 1, 1, tzinfo=UTC))
    xml = _template("feed.xml.j2").render(feed=feed, path=path, updated=updated)
    return PageFile(path, xml.encode("utf-8", "replace"))


@cache
def version() -> str:
    """Return a digest of program and templates: pages drawn with others have to be drawn again."""
    drawn = b"".join(file.read_bytes() for file in sorted(_TEMPLATES.iterdir()))
    return hashlib.sha256(metadata.version("referee").encode() + drawn).hexdigest()[:16]


def _packed(sections: Sequence[Section], root: str) -> Iterator[str]:
    """Yield the sections of each page, as many as fit; at least one page, if it is empty."""
    sheet, room = "", _ROOM
    for section in sections:
        for drawn in _fitting(section, root):
            size = len(drawn.encode("utf-8", "replace"))
            if sheet and size > room:
                yield sheet
                sheet, room = "", _ROOM
            sheet += drawn
            room -= size
    yield sheet


def _fitting(section: Section, root: str) -> Iterator[str]:
    """Yield the section as HTML, in parts if it is larger than a page."""
    drawn = _template("_section.html.j2").render(section=section, root=root)
    size = len(drawn.encode("utf-8", "replace"))
    parts = [*halves(section)] if size > _ROOM and size > _LEAST else []
    if len(parts) < 2:
        yield drawn
    for part in parts if len(parts) > 1 else ():
        yield from _fitting(part, root)


def _continued(path: str, number: int) -> str:
    if number == 1:
        return path
    page = PurePosixPath(path)
    return str(page.with_name(f"{page.stem}-page-{number}.html"))


def _depth(path: str) -> str:
    """Return the way from a page to the folder of all pages: ``../``."""
    return "../" * path.count("/")


def _template(name: str) -> Template:
    return _environment_of(str(_TEMPLATES)).get_template(name)


@cache
def _environment_of(folder: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    environment.filters["paragraphs"] = _paragraphs
    environment.filters["moment"] = _moment
    environment.filters["mailto"] = _mailto
    environment.filters["href"] = _href
    environment.filters["number_columns"] = _number_columns
    environment.globals["kind"] = lambda content: type(content).__name__
    return environment


def _seen(value: object) -> object:
    """Return a value for a page: a text without characters that cannot be seen or be in XML.

    What a template has drawn already stays as it is.
    """
    if not isinstance(value, str) or value.isprintable() or hasattr(value, "__html__"):
        return value
    return "".join(c if c.isprintable() or c == "\n" else " " for c in value)


def _paragraphs(text: str) -> list[str]:
    return [part for part in re.split(r"\n[ \t]*\n", text.strip("\n")) if part.strip()]


def _moment(at: datetime) -> str:
    """Return a moment as RFC 3339 wants it."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _mailto(email: EmailTo) -> str:
    """Return the address with the line as its text (RFC 6068)."""
    return f"mailto:{quote(email.address, safe='@')}?body={quote(email.line, safe='')}"


def _href(link: Link, root: str) -> str:
    return f"{root}{quote(link.path)}"


def _number_columns(table: Table) -> frozenset[int]:
    """Return the columns of a table in which all cells are numbers or empty."""
    return frozenset(
        column
        for column in range(len(table.columns))
        if any(cells := [row[column] for row in table.rows if column < len(row)])
        and all(map(_NUMBER.fullmatch, cells))
    )


@cache
def _style() -> str:
    return (_TEMPLATES / "style.css").read_text(encoding="utf-8").strip()


@cache
def _style_hash() -> str:
    """Return the digest by which the policy of a page allows its style, and no other."""
    return b64encode(hashlib.sha256(_style().encode()).digest()).decode()
