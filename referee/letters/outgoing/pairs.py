"""Parts of a letter that are drawn in two ways, as text and as HTML.

A pair travels through a template as one string. The marks between its halves have a number drawn
when the program starts, which no letter shows, so no value can forge them. Pairs are never stored.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

_NUMBER: Final = secrets.token_hex(12)
_BEGIN, _BETWEEN, _END = (f"\0{_NUMBER}{sign}" for sign in "<|>")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A part of a letter that is drawn already, as text and as HTML; false without a text."""

    text: str
    html: str

    def __bool__(self) -> bool:
        """Return whether there is anything to show."""
        return bool(self.text)


NOTHING: Final = Drawn("", "")
PICTURES: Final = "<!--pictures-->"
"""The place in the HTML of a letter where its pictures are shown; in its text there is nothing."""


def pair(text: str, html: str) -> str:
    """Return a part of a letter, drawn in both ways; nothing without a text."""
    return f"{_BEGIN}{text}{_BETWEEN}{html}{_END}" if text else ""


def around(both: str, tag: str, kind: str = "") -> str:
    """Return pairs with an HTML element around them, of a *kind* that its style knows."""
    begin = f'<{tag} class="{kind}">' if kind else f"<{tag}>"
    return f"{alone(begin)}{both}{alone(f'</{tag}>')}" if both else ""


def alone(html: str) -> str:
    """Return a part of a letter that only its HTML has."""
    return f"{_BEGIN}{_BETWEEN}{html}{_END}"


def text_of(both: str) -> str:
    """Return the text of a string of pairs, with what is outside of them."""
    return "".join(text + after for text, _, after in _halves(both))


def html_of(both: str) -> str:
    """Return the HTML of a string of pairs; what is outside of them is lines as they are."""
    return "".join(html + (after and _lines(after)) for _, html, after in _halves(both))


def _halves(both: str) -> Iterator[tuple[str, str, str]]:
    """Yield the text before the first pair, and each pair with the text below it."""
    before, *pairs = both.split(_BEGIN)
    yield "", "", before
    for each in pairs:
        text, _, rest = each.partition(_BETWEEN)
        html, _, after = rest.partition(_END)
        yield text, html, after


def _lines(text: str) -> str:
    lines = (markup(line.strip()) for line in text.strip().split("\n"))
    return f"<p>{'<br>'.join(lines)}</p>" if text.strip() else ""


def as_lines(text: str) -> Drawn:
    """Return lines that are drawn only as text."""
    return Drawn(text, f"<pre>{markup(text)}</pre>")


def markup(text: str) -> str:
    """Return *text* as HTML, with blanks for what cannot be printed."""
    # A line end is not printable, but stays.
    if not text.replace("\n", "").isprintable():
        text = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    return escape(text, quote=False)
