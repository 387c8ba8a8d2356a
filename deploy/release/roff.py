"""Manual pages in the macros of man(7), which every ``man`` reads."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

_ESCAPES: Final = {
    "\\": "\\e",
    "-": "\\-",
    "'": "\\(aq",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
}
_LITERAL: Final = re.compile("\\A\b\n")
"""What click has before a paragraph that is not wrapped."""
_END: Final = re.compile(r"""([.?!]["')\]]*)(?=\n)""")
"""The end of a sentence at the end of a line."""


def escaped(text: str) -> str:
    """Return *text* so that it is shown as it is, also at the beginning of a line."""
    shown = "".join(_ESCAPES.get(character, character) for character in text)
    # Only a full stop begins a request now: the other character, an apostrophe, is escaped.
    return re.sub(r"^\.", r"\\&.", shown, flags=re.M)


def title(name: str, section: int, date: str, source: str, manual: str) -> str:
    """Return the beginning of a page, whose words are never broken."""
    return f'.TH {name.upper()} {section} {date} "{source}" "{manual}"\n.nh\n.ad l'


def heading(text: str) -> str:
    """Return a heading."""
    return f'.SH "{escaped(text.upper())}"'


def subheading(text: str) -> str:
    """Return a heading below another one."""
    return f'.SS "{escaped(text)}"'


def bold(text: str) -> str:
    """Return words in bold type."""
    return f"\\fB{escaped(text)}\\fR"


def paragraphs(text: str) -> Iterator[str]:
    """Yield the lines of paragraphs, which empty lines separate; the first follows a heading."""
    for number, paragraph in enumerate(re.split(r"\n{2,}", text.strip("\n"))):
        if number:
            yield ".PP"
        if _LITERAL.match(paragraph):
            yield from (".nf", escaped(_LITERAL.sub("", paragraph)), ".fi")
        else:
            yield _filled(paragraph)


def definitions(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of terms, each with its explanation."""
    for term, words in rows:
        yield ".TP"
        yield bold(term)
        yield _filled(words) if words else "\\&"


def _filled(text: str) -> str:
    # Lines of this length can be read in the source, too; mandoc asks for that.
    wrapped = "\n".join(map(escaped, textwrap.wrap(text, 72, break_on_hyphens=False)))
    # A sentence that ends with a line would be followed by two blanks, and all others by one.
    return _END.sub(r"\1\\&", wrapped)
