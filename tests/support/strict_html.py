"""A strict reader of our HTML: it refuses whatever a browser would have to guess."""

from html.parser import HTMLParser
from typing import Final

_VOID: Final = frozenset({"meta", "link", "img", "br", "hr", "wbr"})
_KNOWN: Final = frozenset(
    {"html", "head", "title", "style", "body", "main", "nav", "footer", "h1", "h2", "h3", "p"}
    | {
        "pre",
        "blockquote",
        "div",
        "span",
        "bdi",
        "b",
        "i",
        "code",
        "a",
        "ol",
        "ul",
        "li",
        "details",
        "summary",
    }
    | {"table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "svg", "circle"}
)
_PHRASES: Final = frozenset({"p", "h1", "h2", "h3", "summary", "figcaption", "pre", "title"})
"""What can have no block in it."""
_BLOCKS: Final = frozenset({"p", "div", "ul", "ol", "pre", "table", "h1", "h2", "h3", "figure"})


class StrictHtml(HTMLParser):
    """Reads a page. Raises AssertionError if it is not valid, or has a script or a form."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.words: list[str] = []
        self.heads: list[str] = []
        self.metas: dict[str, str] = {}
        self._ids: set[str] = set()
        assert page.startswith("<!DOCTYPE html>\n")
        self.feed(page)
        self.close()
        assert self.open == []

    @property
    def text(self) -> str:
        """All the words of the page."""
        return "".join(self.words)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check an element, and note where it leads."""
        assert tag in _KNOWN | _VOID, tag
        assert not (tag in _BLOCKS and _PHRASES & {*self.open}), (tag, self.open)
        names = [name for name, _ in attrs]
        assert len(names) == len({*names}), attrs
        assert not any(name.startswith("on") or name == "style" for name in names), attrs
        values = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(values["href"])
        elif tag == "img":
            assert values["alt"]
            self.pictures.append(values["src"])
        elif tag == "meta":
            self.metas[values.get("name") or values.get("http-equiv") or "charset"] = values.get(
                "content", values.get("charset", "")
            )
        if "id" in values:
            assert values["id"] not in self._ids
            self._ids.add(values["id"])
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Refuse an element that is closed at once, as in XML."""
        raise AssertionError(tag)

    def handle_endtag(self, tag: str) -> None:
        """Check that the element that was opened last is closed."""
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Collect the words, and those of headings."""
        if "style" in self.open:
            return
        self.words.append(data)
        if self.open and self.open[-1] == "bdi" and {"h1", "h2"} & {*self.open}:
            self.heads.append(data)

    def handle_comment(self, data: str) -> None:
        """Refuse a comment: our pages have none."""
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        """Refuse a declaration."""
        raise AssertionError(data)

    def handle_pi(self, data: str) -> None:
        """Refuse an instruction."""
        raise AssertionError(data)
