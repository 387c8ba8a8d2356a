"""The text of an HTML letter, with its quotes marked as in a plain-text letter."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.letters.incoming.quoting import announces_quote

MOST_MARKUP: Final = 200_000
"""The most characters of HTML that are read of one letter: its sender may be anybody."""
_NODES: Final = 200_000
_QUOTE_DEPTH: Final = 5
_OPEN: Final = 500
_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})")
_ATTRIBUTED: Final = re.compile(
    r"<[A-Za-z][^\s/><]{0,100}+"
    r"(?:[\s/]++(?:[^\s/>][^\s/>=]{0,100}+"
    r"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]{0,100}+))?+)++){100}"
)
"""The beginning of a tag with more attributes than any email program gives to one."""
_FOREIGN: Final = re.compile(
    r"<(?:svg|math)\b(?:[^<>]*/>|.*?(?:</(?:svg|math)\b[^<>]*>?|\Z))", re.I | re.S
)
"""Pictures and formulas, which are not read. Any element can be nested in them."""
_PAGE: Final = re.compile(r"<(?=(?:html|body)(?![^\s/>]))", re.I)
"""The start tags whose attributes are all added to one element."""
# Elements without an end tag, or whose end tag is optional.
_UNCLOSED: Final = re.compile(
    "area|base|br|col|embed|hr|img|input|link|meta|source|wbr|p|tr|td|th|tbody|thead|tfoot|option"
    "|head"
)
_ITEMS: Final = {"li": "li", "dd": "dd", "dt": "dd"}
"""Elements that end the one before them only if it is of the same kind."""

_SILENT: Final = re.compile(
    "head|title|style|script|template|noscript|object|iframe|svg|math|select|textarea"
)
_BLOCKS: Final = re.compile(
    "address|article|aside|blockquote|body|center|dd|div|dl|dt|fieldset|figure|footer|form|header"
    "|hr|li|main|nav|pre|section|table|tr"
)
_CELLS: Final = re.compile("td|th")
# Paragraphs are separated by an empty line, as their reader saw them.
_SPACED: Final = re.compile("p|h[1-6]|ul|ol")
_HIDDEN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|max-height|opacity)\s*:\s*0(?:px|pt|em|\.0+)?\s*(?:;|$)",
    re.I,
)
_LINE_THROUGH: Final = re.compile(r"text-decoration[-a-z]*\s*:[^;]*line-through", re.I)
_BORDERED: Final = re.compile(r"border-left\s*:[^;]*solid", re.I)
"""The style of a quote by Outlook."""
_QUOTING: Final = re.compile(
    r"quote|cite|RplyFwd|reply|appendonsend|forward|history|original", re.I
)
"""In the class or the name of an element around the letter that is answered."""
_RULED: Final = re.compile(r"border(?:-left)?(?:-style)?\s*:(?!\s*(?:none|0|medium none)\b)", re.I)
_MARKER: Final = re.compile(r"reply\s+above\s+this\s+line", re.I)
_STRUCK: Final = re.compile("s|strike|del")
_WORDS: Final = re.compile(r"\S(?:[^\n]*\S)?")
_STRUCK_OUT: Final = r"~~\g<0>~~"
"""Words that are struck out, with the marks of plain text. Each line has its own."""
_PROPERTIES: Final = frozenset(
    {
        *("display", "visibility", "mso-hide", "font-size", "max-height", "opacity"),
        *("text-decoration", "text-decoration-line"),
        *("border", "border-style", "border-left", "border-left-style"),
    }
)
"""The properties that hide an element, strike it out or frame it."""
_LONGEST_VALUE: Final = 40
_SELECTOR: Final = re.compile(r"[a-z][a-z0-9]*|[a-z]*\.[\w-]+", re.I)
"""The selectors that email programs use: of a tag, of a class, or of both."""
# The no-break space is text and stays; a browser folds these into one blank.
_BLANKS: Final = re.compile(r"[ \t\n\f\r]+")


def text_of_markup(markup: str) -> str:
    """Return the lines that a reader of *markup* sees; quotes begin with ``>``. Never raises."""
    markup = _PAGE.sub("</", _FOREIGN.sub(" ", markup[:MOST_MARKUP]))
    if _ATTRIBUTED.search(markup) is not None or _is_too_nested(markup):
        return _without_tags(markup)
    parser = LexborHTMLParser(markup)
    sheet = _StyleSheet.of("".join(node.text() for node in parser.css("style")))
    page = _Page()
    for step in _steps(parser.root, sheet) if parser.root is not None else ():
        step.draw(page)
    page.end_line()
    return "\n".join(page.lines)


def _is_too_nested(markup: str) -> bool:
    """Return whether more elements stay open than any email program leaves open.

    The parser's time grows with the square of their number.
    """
    left_open: Counter[str] = Counter()
    item = ""
    for tag in _TAG.finditer(markup):
        name = tag[2].lower()
        name = _ITEMS.get(name, name)
        if _UNCLOSED.fullmatch(name) or (not tag[1] and name == item):
            continue
        if not tag[1]:
            item = name if name in _ITEMS else item
            left_open[name] += 1
            if left_open[name] > _OPEN:
                return True
        elif left_open[name]:
            left_open[name] -= 1
    return left_open.total() > _OPEN


def _without_tags(markup: str) -> str:
    """Return the text of *markup* without parsing its structure."""
    lines = re.sub(r"<(?:br|/?(?:p|div|tr|li|blockquote))\b[^<>]{0,500}>", "\n", markup, flags=re.I)
    return unescape(re.sub(r"<[^<>]{0,2000}>", "", lines))


@dataclass(slots=True)
class _Page:
    """The finished lines, and the line in progress."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    has_text: bool = False
    """Whether the line in progress has more than blanks."""
    quotes: int = 0
    struck: int = 0
    verbatim: int = 0
    is_reply: bool = False
    """Whether an element was met that email programs put around the letter that is answered."""
    indented: list[bool] = field(default_factory=list)
    """For each open ``blockquote`` whether it is only indented, and no quote."""

    def write(self, text: str) -> None:
        """Add text, folding blanks as a browser does unless it is preformatted."""
        if self.verbatim:
            first, *others = text.split("\n")
            self._add(first)
            for line in others:
                self.break_line()
                self._add(line)
            return
        text = _BLANKS.sub(" ", text)
        if not self.words or self.words[-1].endswith((" ", "\t")):
            text = text.removeprefix(" ")
        if text:
            self._add(text)

    def end_cell(self) -> None:
        """End a cell of a table with a tab, which text in HTML never has."""
        if self.has_text:
            self.words.append("\t")

    def break_line(self) -> None:
        """End the line, even if it is empty."""
        line = "".join(self.words)
        # Only on the signature line does the trailing blank have a meaning.
        line = line if line in ("-- ", "--\xa0") else line.rstrip()
        marks = ">" * min(self.quotes, _QUOTE_DEPTH)
        self.lines.append(f"{marks} {line}".rstrip() if marks else line.replace("--\xa0", "-- "))
        self._begin_line()

    def end_line(self) -> None:
        """End the line if it has text."""
        if "".join(self.words).strip(" \t"):
            self.break_line()
        self._begin_line()

    def space(self) -> None:
        """Make sure that an empty line precedes the next text."""
        self.end_line()
        if self.lines and self.lines[-1].strip("> "):
            self.break_line()

    def _add(self, text: str) -> None:
        self.words.append(text)
        self.has_text = self.has_text or bool(text.strip())

    def _begin_line(self) -> None:
        self.words, self.has_text = [], False


@dataclass(frozen=True, slots=True)
class _StyleSheet:
    """The styles that the letter gives to tags and to classes, by their selectors."""

    rules: Mapping[str, str]

    @classmethod
    def of(cls, css: str) -> "_StyleSheet":
        """Return the styles that *css* has for a tag or a class, on every screen.

        Each has few and short properties, however long the sheet is: every element is asked.
        """
        found: dict[str, dict[str, str]] = {}
        for selectors, style in _rules(css):
            read = dict(_properties(style))
            for selector in filter(_SELECTOR.fullmatch, map(str.strip, selectors.split(","))):
                found.setdefault(selector.lower(), {}).update(read)
        return cls(
            {
                selector: ";".join(f"{name}:{value}" for name, value in read.items())
                for selector, read in found.items()
            }
        )

    def style(self, node: LexborNode, tag: str) -> str:
        """Return the style of an element, its own one last."""
        if tag.startswith("-"):
            return ""
        attributes = node.attributes or {}
        own = attributes.get("style") or ""
        if not self.rules:
            return own
        classes = [f".{each}" for each in (attributes.get("class") or "").lower().split()]
        names = (tag, *classes, *(f"{tag}{each}" for each in classes))
        return ";".join((*filter(None, map(self.rules.get, dict.fromkeys(names))), own))


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the style of each rule of a sheet that is for every screen."""
    first, *others = css.split("/*")
    parts = re.split(r"([{}])", first + "".join(each.partition("*/")[2] for each in others))
    within: list[str] = []
    for text, brace in zip(parts[::2], parts[1::2], strict=False):
        if brace == "{":
            within.append(text.rpartition(";")[2].strip())
        elif within:
            selectors = within.pop()
            if not (within or selectors.startswith("@")):
                yield selectors, text


def _properties(style: str) -> Iterator[tuple[str, str]]:
    """Yield the properties of a style that are read, with the beginnings of their values."""
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        if (name := name.strip().lower()) in _PROPERTIES:
            yield name, value.strip()[:_LONGEST_VALUE]


@dataclass(frozen=True, slots=True)
class _Step:
    """The visit of a node with its style, on the way in or out."""

    node: LexborNode
    tag: str
    style: str
    leaving: bool

    def draw(self, page: _Page) -> None:
        style = self.style
        page.is_reply = page.is_reply or _QUOTING.search(_names(self.node, self.tag)) is not None
        change = -1 if self.leaving else 1
        if _STRUCK.fullmatch(self.tag) or _LINE_THROUGH.search(style):
            page.struck += change
        if self.tag == "-text":
            words = self.node.text_content or ""
            page.write(_WORDS.sub(_STRUCK_OUT, words) if page.struck else words)
        elif self.tag == "br":
            page.break_line() if not self.leaving else None
        elif _CELLS.fullmatch(self.tag) and self.leaving:
            page.end_cell()
        elif _SPACED.fullmatch(self.tag):
            page.space()
        elif _BLOCKS.fullmatch(self.tag):
            page.end_line()
        if self.tag == "blockquote":
            page.quotes += change * (not self._is_indented(page, style))
        elif self.tag == "div" and _BORDERED.search(style):
            page.quotes += change
        elif self.tag == "pre":
            page.verbatim += change

    def _is_indented(self, page: _Page, style: str) -> bool:
        """Return whether the sender indented or framed their own words by this ``blockquote``.

        It is a quote if a program says so: by its attributes, an element around it, or a line above
        that names who wrote it. It also is one if our letter is in it.
        """
        if self.leaving:
            return page.indented.pop()
        attributes = self.node.attributes or {}
        own = not (page.is_reply or page.quotes or "type" in attributes or "cite" in attributes)
        own = own and not (_RULED.search(style) or announces_quote(page.lines))
        if own and not any(page.indented):
            own = _MARKER.search(self.node.text()) is None
        page.indented.append(own)
        return own


def _steps(root: LexborNode, sheet: _StyleSheet) -> Iterator[_Step]:
    """Yield the steps through the tree, without recursion; hidden and silent nodes are skipped."""
    pending = [_Step(root, root.tag or "", "", leaving=False)]
    seen = 0
    while pending and seen < _NODES:
        step = pending.pop()
        seen += 1
        yield step
        if step.leaving:
            continue
        pending += [replace(step, leaving=True)] if step.tag != "-text" else []
        children: list[_Step] = []
        child = step.node.child
        while child is not None and len(children) < _NODES:
            tag = child.tag or ""
            style = sheet.style(child, tag)
            if not _SILENT.fullmatch(tag) and not _is_hidden(child, tag, style):
                children.append(_Step(child, tag, style, leaving=False))
            child = child.next
        pending += reversed(children)


def _is_hidden(node: LexborNode, tag: str, style: str) -> bool:
    if tag.startswith("-"):
        return tag != "-text"
    return "hidden" in (node.attributes or {}) or _HIDDEN.search(style) is not None


def _names(node: LexborNode, tag: str) -> str:
    """Return the class and the name of an element."""
    attributes = {} if tag.startswith("-") else node.attributes or {}
    return f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
