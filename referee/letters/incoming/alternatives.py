"""The two parts of multipart/alternative: how they differ, and which one is read.

The sender wrote the HTML part, and their program made the text part of it. So the HTML part says
where lines end and what is struck out. But it can hide words, and show others than those of the
text part. So it is read only if its words, up to the last line that the sender typed or struck out,
are those that the text part begins with: it can neither add a word nor take one away. Else what is
struck out in a line of it is known wherever the text part has the same line.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple

from referee.domain.mail_transfer import Line
from referee.letters.incoming.program_text import without_links
from referee.letters.incoming.quoting import own_text
from referee.letters.incoming.seen_lines import SeenLines
from referee.letters.incoming.sheet_edits import LAST_LINE


class Loss(Enum):
    """A loss of the text part, with the reason for the part that is read."""

    NOTHING = "every program shows the text part, and nothing in it is hidden"
    OTHER_WORDS = "one of the parts says what the other hides; text hides nothing"
    WORDS = "the text part is empty, or only says that there is HTML"
    LINES = "lines run together are other orders, or none"
    STRIKES = "what is struck out is taken back"
    TAGS = "the text part is HTML itself, in part"

    @property
    def reads_markup(self) -> bool:
        """Whether the HTML part is read."""
        return self not in (Loss.NOTHING, Loss.OTHER_WORDS)


class Program(NamedTuple):
    """A program that writes both parts: the most that its text part loses, and how it looks."""

    name: str
    loss: Loss
    habit: str


PROGRAMS: Final = (
    Program("apple_mail", Loss.STRIKES, "lists have a bullet and a tab, emphasis is lost"),
    Program("bulwark", Loss.LINES, "the content of the elements, with nothing between them"),
    Program("gmail", Loss.STRIKES, "bold text in stars, lines broken at 78 characters"),
    Program("gmail_shared", Loss.LINES, "a text that another app hands over is one line"),
    Program("k9_mail", Loss.NOTHING, "the text as typed; the HTML part is made of it"),
    Program("outlook", Loss.STRIKES, "links in angle brackets, an empty line after each line"),
    Program("proton_mail", Loss.STRIKES, "links as [x](y), quotes with >"),
    Program("samsung_email", Loss.LINES, "the content of the elements, with nothing between them"),
    Program("samsung_activesync", Loss.TAGS, "some of the tags are left"),
    Program("thunderbird", Loss.STRIKES, "bold text in stars, lists with stars or numbers"),
    Program("yahoo_mail", Loss.STRIKES, "a blank before each line, quotes without marks"),
    Program("html_only", Loss.WORDS, "asks for a program that shows HTML"),
    Program("hidden_words", Loss.OTHER_WORDS, "no program does this, so somebody wants to deceive"),
)
"""The programs that are known. Each has letters in tests/letters/corpus, alternative_*.eml."""

_STUB: Final = re.compile(
    r"\bhtml\b.{0,80}\b(view|client|browser|support|capable|compatible|reader|mail)"
    r"|\b(view|client|browser|support|enable|display)\b.{0,80}\bhtml\b|^\W*$",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_STUB: Final = 400
_TAGS: Final = re.compile(r"</?(?:div|br|p|span)\b[^<>]{0,500}>", re.IGNORECASE)
_ITEM: Final = re.compile(r"[\s>]*(?:[*•·o+-]|\d{1,3}[.)])\s")
"""The beginning of an item of a list, which a text part may have alone."""
_STRIKE: Final = "~~"
_COMPARED: Final = 300
"""The most lines of an HTML part that are looked for in the text part."""


def is_stub(text: str) -> bool:
    """Return whether a text part is empty, or only says that there is HTML."""
    return len(text) < _LONGEST_STUB and _STUB.search(text.strip()) is not None


def loss(text: str, markup: str) -> Loss:
    """Return the loss of the *text* part, compared with *markup*, the text of the HTML part."""
    if is_stub(text):
        return Loss.WORDS
    whole, shown = _Squeezed.of(_TAGS.sub("", text).split("\n")), _Squeezed.of(markup.split("\n"))
    is_struck = _STRIKE in markup and _STRIKE not in text
    has_tags = _TAGS.search(text) is not None
    if whole.words == shown.words and shown.ends <= whole.ends and not (is_struck or has_tags):
        # Most letters need no closer comparison.
        return Loss.NOTHING
    typed, lines = _typed(markup), markup.split("\n")
    # A strike in our quoted sheet is the sender's, too.
    struck = [number for number, line in enumerate(lines, 1) if is_struck and _STRIKE in line]
    last = max([line.number for line in typed[-1:]] + struck, default=0)
    # What the sender changed in our quoted sheet is theirs, too, whatever is quoted above it.
    sheet = [number for number, line in enumerate(lines, 1) if LAST_LINE in line and number > last]
    heads = (_Squeezed.of(lines[:number]) for number in (*sheet[-1:], last))
    head = next((each for each in heads if whole.words.startswith(each.words)), None)
    # A text part of one line does not say which of its words are quoted.
    hides = len(whole.ends) > 1 and _own_length(text) < _length(typed)
    if head is None or hides:
        return Loss.OTHER_WORDS
    if has_tags:
        return Loss.TAGS
    if not head.ends <= whole.ends:
        return Loss.LINES
    return Loss.STRIKES if is_struck else Loss.NOTHING


def with_strikes(text: str, markup: str) -> str:
    """Return *text* with the lines of *markup* in which words are struck out, where it has them."""
    if _STRIKE not in markup:
        return text
    shown, typed = markup.split("\n"), text.split("\n")
    struck = {
        place: line for place, line in zip(_places(shown), shown, strict=True) if _STRIKE in line
    }
    return "\n".join(map(struck.get, _places(typed), typed))


def _places(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the words of each line, and how many lines above it have the same."""
    above: Counter[str] = Counter()
    for words in map(_squeezed, lines):
        yield words, above[words]
        above[words] += 1


def added(text: str, markup: str) -> tuple[bool, bool]:
    """Return whether the text part lacks own lines of the HTML part: some, and all of them.

    Only the first different ones are compared, each with the whole text.
    """
    words = _Squeezed.of(text.split("\n")).words
    own = dict.fromkeys(_squeezed(line.text) for line in _typed(markup))
    lacks = [line not in words for line in islice(own, _COMPARED)]
    return any(lacks), bool(lacks) and all(lacks)


def _typed(text: str) -> list[Line]:
    return [line for line in own_text(SeenLines.of(text)).lines if _squeezed(line.text)]


def _own_length(text: str) -> int:
    """Return how many letters and figures of *text* the sender typed."""
    return _length(_typed(text))


def _length(lines: Sequence[Line]) -> int:
    return sum(len(_squeezed(line.text)) for line in lines)


class _Squeezed(NamedTuple):
    """The letters and figures of lines, and the places among them where lines end."""

    words: str
    ends: frozenset[int]

    @classmethod
    def of(cls, lines: Sequence[str]) -> "_Squeezed":
        pieces = [*map(_squeezed, lines)]
        return cls("".join(pieces), frozenset(_sums(pieces)))


def _squeezed(line: str) -> str:
    line = without_links(line)
    item = _ITEM.match(line)
    return "".join(filter(str.isalnum, line[item.end() if item else 0 :])).casefold()


def _sums(pieces: Sequence[str]) -> Iterator[int]:
    total = 0
    for piece in pieces:
        total += len(piece)
        yield total
