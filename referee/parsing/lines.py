"""Lines as a player typed them: without the changes of typography, and the layouts of orders.

In a layout, such as a list, a label, a table or a comment, whatever is not an order is replaced by
blanks, so every character keeps its column.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, islice
from typing import Final, Protocol

from referee.domain.mail_transfer import Line

MOST_CHARACTERS = 1000
"""A longer line has no orders: it is prose, or a joke."""

TWO_WORDS: Final = {"FORGET": "ME", "MY": "DATA"}
"""Words of commands that are so common that they count only before their second word."""
_WORD: Final = re.compile(r"[^\W_]+(?:['_-][^\W_]+)*")
_ASCII = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f", '"'),
    **dict.fromkeys("\t\n\r\x0b\x0c\x85\u2028\u2029", " "),
}

_LOOKS_LIKE = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι",
        "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXovi",
        strict=True,
    )
)
"""Characters of other alphabets that look exactly like a Latin letter."""

_DOUBTS = "\u2717\u2718\u274c\u274e\u26d4\U0001f6ab\u2753\u2754\U0001f44e\U0001f914\U0001f6d1"
"""Crosses, question marks and the like: behind an order, they ask about it or take it back."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A line in ASCII where possible, and the typed column of each of its characters.

    *columns* count from 1 and have one more entry than *text*: the column after the last character.
    """

    text: str
    columns: Sequence[int]


@dataclass(frozen=True, slots=True)
class Foreign:
    """A character of another alphabet: its position, itself, and the Latin letter it resembles."""

    at: int
    name: str
    latin: str


def words_of(text: str) -> list[str]:
    """Return the words of *text*: letters and digits, without the marks around them."""
    return _WORD.findall(text)


def first_of_words(text: str) -> str:
    """Return the first of the words of *text*, or ""."""
    return (_WORD.search(text) or [""])[0]


def bare_words(text: str) -> list[str]:
    """Return the parts of *text* between blanks, without the marks around them."""
    return [bare for word in _BLANKS.split(text) if (bare := word.strip(_AROUND_WORDS))]


def is_empty(line: Line) -> bool:
    """Return whether a line has nothing but blanks."""
    return not line.text.strip()


def numbered(text: str) -> tuple[Line, ...]:
    """Return the lines of *text*, numbered from 1."""
    return tuple(Line(n, line) for n, line in enumerate(text.splitlines(), 1))


def plain(typed: str) -> str:
    """Return the folded text of *typed*."""
    return typed if typed.isascii() and typed.isprintable() else fold(typed).text


def fold(typed: str) -> Folded:
    """Fold blanks, dashes, quotes and full-width characters to ASCII, with their columns.

    A blank remains a blank; zero-width, bidirectional and control characters are removed.
    Characters of other alphabets do not change.
    """
    if typed.isascii() and typed.isprintable():
        return Folded(typed, range(1, len(typed) + 2))
    characters, columns = [], []
    for column, character in enumerate(typed, 1):
        for folded in _folded(character):
            characters.append(folded)
            columns.append(column)
    return Folded("".join(characters), (*columns, len(typed) + 1))


def foreign(text: str) -> Foreign | None:
    """Return the first character that is not Latin, or None."""
    if text.isascii():
        return None
    for at, character in enumerate(text):
        if character.isalpha() and not unicodedata.name(character, "LATIN").startswith("LATIN"):
            script, *_, name = unicodedata.name(character).split()
            called = f"{script.capitalize()} letter {name.capitalize()}"
            return Foreign(at, called, _LOOKS_LIKE.get(character, ""))
    return None


def without_emoji(text: str) -> str:
    """Return *text* without the emoji and blanks at its end, unless an emoji casts doubt on it."""
    end = len(text)
    while end and (text[end - 1].isspace() or _is_emoji(text[end - 1])):
        end -= 1
    return text.rstrip() if casts_doubt(text[end:]) else text[:end]


def casts_doubt(text: str) -> bool:
    """Return whether *text* has a cross, a question mark or the like among its emoji."""
    return not text.isascii() and any(doubt in text for doubt in _DOUBTS)


def latinised(text: str) -> str:
    """Return *text* with every look-alike of another alphabet as the Latin letter it resembles."""
    return "".join(_LOOKS_LIKE.get(character, character) for character in text)


def _folded(character: str) -> str:
    if character in _ASCII:
        return _ASCII[character]
    if " " <= character <= "~":
        return character
    kind = unicodedata.category(character)
    if kind == "Zs":
        return " "
    # A variation selector is a mark, but invisible as the format characters are; so is the key
    # around a digit.
    if kind in ("Cc", "Cf") or "\ufe00" <= character <= "\ufe0f" or character == "\u20e3":
        return ""
    # Superscripts and fractions stay: F3 with a footnote 2 must not become F32.
    if unicodedata.decomposition(character).startswith(("<wide>", "<font>")):
        return unicodedata.normalize("NFKC", character)
    return character


def _is_emoji(character: str) -> bool:
    if character.isascii():
        return False
    return unicodedata.category(character) in ("So", "Sk", "Cf") or not _folded(character)


_MOST_COMMENTS: Final = 6
"""The most places of a line where a comment is looked for."""
_MOST_CELLS: Final = 60
_MOST_LEADS: Final = 4
_MARKS: Final = "\"'`*_<>()[]{}~‹›"
_LETTER: Final = r"[^\W_]"
_LEAD: Final = re.compile(
    rf"""(?: (?P<marks> (?: (?!{_LETTER}) [^#@] )+ )
    | (?: no\.? | nr\.? )? \s* \d{{1,3}} (?: \.\d{{1,2}} )* (?: st | nd | rd | th | [°º] )?
      (?: \s* [.:,;/)\]|-]+ | \s+ )
    | [\u2460-\u249b\u2776-\u2793] \s*
    | o (?: \t | \s{{2,}} )
    | [IVX]{{1,4}} [.)] \s+
    | X \] \s*
    | (?: [a-h] | [ivx]{{1,4}} | x ) (?: [.)] \s+ | [.)\]]+ \s* (?={_LETTER}) ) )""",
    re.VERBOSE,
)
"""The beginning of an item of a list: marks, a number, a letter or a box.

An *o* and several blanks are the second bullet of a word processor."""
_BLANKS: Final = re.compile(r"[\s,;|]+")
_AROUND_WORDS: Final = ".,:;!?\"'()[]{}*_`<>"
CODE: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]+[0-9=][\w=+-]*")
"""A code of letters and figures, as orders have."""
_STOPS: Final = " \t.,;:!…。、"
_AROUND: Final = re.compile(
    rf"(?<!{_LETTER})[{re.escape(_MARKS)}]+|[{re.escape(_MARKS)}]+(?!{_LETTER})"
)
_BETWEEN: Final = re.compile(
    r"(?<!\S)(?:(?:[/&+-]|[(\[]?[a-h][.:)\]])(?=\s)|[(\[]?\d{1,3}[.:)\]](?=[\sA-Za-z]))"
    r"|(?<=\w)\.(?=\s+(?:\d{1,3}[.)]\s*)?[A-Za-z]{1,2}\d)"
)
"""Marks between the items of a list that is on one line, and the full stop of a code."""
PLEASE: Final = frozenset({"please", "pls", "plz", "bitte"})
"""Words that say nothing about what is next to them."""
COURTESIES: Final = PLEASE | {
    *("ok", "okay", "yes", "ja", "just", "only", "sorry", "cheers"),
    *("thanks", "thx", "thank", "you", "danke", "merci", "gracias"),
}
"""Words around a command that say nothing about it, unless it gives something up."""
_SMILE: Final = re.compile(r"[:;=]-?[DPO()]|<3|xD", re.IGNORECASE)
NEXT: Final = "and|und|then"
"""Words between an order and the next one."""
_POLITE: Final = re.compile(
    rf"(?<!\S)(?:{'|'.join(sorted(PLEASE))}|{NEXT})(?!\w)[,.!]*", re.IGNORECASE
)
"""Words between or around orders that say nothing about them."""
_STRUCK: Final = re.compile(r"~~[^~]+~~|(?<!\w)~[^~\s](?:[^~]*[^~\s])?~(?!\w)")
"""Words that are struck out."""
_CROSSED: Final = re.compile(r"~~|[\u2717\u2718\u274c\u274e\u26d4\U0001f6ab]")
"""Marks of a line that is crossed out."""
_SMILEY: Final = re.compile(r"(?<!\S)[:;=][-']?[()DP](?!\S)")
_CELL: Final = re.compile("[;|│┃¦\t]")
_STOP: Final = re.compile(r"(?<![\s.])\.(?=\s)")
_COMMENT: Final = re.compile(
    r"(?P<strong>(?<=\s)--|//|/\*)|(?P<weak>:(?=\s)|(?<=\s)[-*](?=\s)|(?:->|=>|→)"
    r"|(?<=\s)<[-=])"
)
"""Marks that begin a comment behind an order. A weak one can also be between two orders."""
_ASIDE: Final = re.compile(
    r"(?<=\s)(?:\((?=[^()]*+\))[^()]*?[^\W\d_][^()]*\)"
    r"|\[(?=[^\[\]]*+\])[^\[\]]*?[^\W\d_][^\[\]]*\]"
    r"|\{(?=[^{}]*+\})[^{}]*?[^\W\d_][^{}]*\})"
)
"""Words in brackets, behind an order."""
_LABEL: Final = re.compile(
    r"\s*(?:\d{1,3}[.)]\s+)?[^\w\s]*(?P<label>\w[\w #]{0,40}?)[^\w\s:]*:[^\w\s(]*\s*"
)
_OF_ORDERS: Final = frozenset(
    """order orders move moves befehl befehle zug züge ordre ordres orden órden órdenes ordine
    ordini rozkaz rozkazy zet zetten opdracht build builds production transfer transfers
    first second third fourth fifth sixth then next last lastly finally""".split()  # noqa: SIM905 - so many are easier to read without marks
)
"""Words that say which of the orders follows. A name, or another word, may say whose it is."""
_TITLE: Final = re.compile(r"[^\w#]*orders?[^\w#]*:[^\w#]*", re.IGNORECASE)


_Undone = Callable[[str], Iterator[str]]


class Judge(Protocol):
    """The knowledge of the orders of a language."""

    def reads(self, text: str, /) -> bool:
        """Return whether *text* has orders and nothing else."""

    def begins(self, text: str) -> bool:
        """Return whether *text* begins with the first word of an order, in capitals."""


def unlisted(text: str) -> Iterator[str]:
    """Yield *text* with less and less of the list and the marks that it is typed in."""
    yield from _without_lead(text)
    yield _blank(_AROUND, text)


def arranged(text: str, judge: Judge) -> tuple[str, ...]:
    """Return the parts of *text* with its orders, or none if they cannot be told from the rest."""
    asides = _ASIDE.findall(text)
    are_words = all(is_comment(each, judge, among=True) for each in asides)
    without = _blank(_ASIDE, text) if asides and are_words else text
    listed = [bare for each in (text, without) for bare in _without_lead(each)]
    labelled = (*listed[:1], without, *map(unlabelled, listed))
    for undone in (_lightly, _fully):
        for typed in dict.fromkeys(labelled):
            for part_of in (_in_cells, _in_sentences, _commented):
                if found := part_of(typed, judge, undone):
                    return found
    return ()


def without_courtesies(text: str, words: frozenset[str]) -> Iterator[str]:
    """Yield *text* without those of the *words* that begin it, and fewer and fewer that end it."""

    def is_polite(token: re.Match[str]) -> bool:
        return token[0].strip(_MARKS + _STOPS + "-").casefold() in words

    def says_nothing(token: re.Match[str]) -> bool:
        is_emoji = not (token[0].isascii() or any(map(str.isalnum, token[0])))
        if casts_doubt(token[0]):
            return False
        return is_emoji or is_polite(token) or _SMILE.fullmatch(token[0].strip("!.,")) is not None

    rest = [*dropwhile(is_polite, re.finditer(r"\S+", text))]
    while rest:
        start, end = rest[0].start(), rest[-1].end()
        yield " " * start + text[start:end].rstrip(_STOPS)
        if not says_nothing(rest.pop()):
            return


def is_comment(text: str, judge: Judge, *, among: bool = False) -> bool:
    """Return whether *text*, next to orders, is words: more words than codes such as F3W75.

    With *among*, one word is enough, as behind a clear mark of a comment. The command FINAL is
    never lost in a comment.
    """
    words = bare_words(text)
    if is_final(text) or judge.reads(text) or judge.begins(text):
        return False
    codes = sum(CODE.fullmatch(word) is not None for word in words)
    others = sum(any(map(str.isalpha, word)) for word in words) - codes
    return others > 0 if among else others > codes or not (others or codes)


def _commented(text: str, judge: Judge, undone: _Undone) -> tuple[str, ...]:
    """Return the parts with orders before the mark of a comment."""
    for mark in islice(_COMMENT.finditer(text), _MOST_COMMENTS):
        if is_comment(text[mark.end() :], judge, among=mark["strong"] is not None):
            before = text[: mark.start()].ljust(len(text))
            if found := _in_cells(before, judge, undone):
                return found
    return ()


def _in_cells(text: str, judge: Judge, undone: _Undone) -> tuple[str, ...]:
    """Return the parts with orders among the cells of a table, or in the only one."""
    if whole := next(filter(judge.reads, undone(text)), None):
        return (whole,)
    if not 0 < len(_CELL.findall(text)) < _MOST_CELLS:
        return ()
    read = {cell: next(filter(judge.reads, undone(cell)), "") for cell in _cells(_CELL, text)}
    found = tuple(filter(None, read.values()))
    typed, others = " ".join(found).upper(), (cell.strip() for cell in read if not read[cell])
    fits = all(is_comment(each, judge) or each.upper() in typed for each in others)
    return found if fits else ()


def _in_sentences(text: str, judge: Judge, undone: _Undone) -> tuple[str, ...]:
    """Return the parts with orders between full stops, if one comes first and the rest is polite.

    ``R. Smith`` is a name.
    """
    found: list[str] = []
    for cell in _cells(_STOP, text):
        if part := next(filter(judge.reads, undone(cell)), None):
            found.append(part)
        elif not found or any(without_courtesies(cell, COURTESIES)):
            return ()
    return () if all(part.strip().isalpha() for part in found) else tuple(found)


def _lightly(text: str) -> Iterator[str]:
    """Yield *text* with less and less of its list and its last full stop."""
    for bare in _without_lead(text):
        yield bare
        yield _without_stops(bare)


def _fully(text: str) -> Iterator[str]:
    """Yield *text* also without the marks around its words."""
    *_, bare = _without_lead(text)
    bare = _blank(_SMILEY, bare)
    # The marks can be part of an order: p* names a class of ships.
    yield _without_stops(bare)
    yield _without_stops(_blank(_POLITE, bare))
    yield from (each.ljust(len(text)) for each in without_courtesies(bare, COURTESIES))
    for listed in (bare, _blank(_BETWEEN, bare)):
        bare = _blank(_AROUND, listed)
        yield from (bare, _without_stops(bare))
    yield _without_stops(_blank(_POLITE, bare))


def _cells(mark: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield each cell between the marks that is not empty, as long as *text*."""
    start = 0
    for end in (*(found.start() for found in mark.finditer(text)), len(text)):
        if text[start:end].strip():
            yield (" " * start + text[start:end]).ljust(len(text))
        start = end + 1


def _without_lead(text: str) -> Iterator[str]:
    """Yield *text* without more and more of what can begin an item of a list."""
    at = 0
    yield text
    for _ in range(_MOST_LEADS):
        lead = _LEAD.match(text, at)
        if lead is None:
            return
        at = lead.end()
        text = " " * at + text[at:]
        around = re.search(r"(?<!\S)\S*$", lead["marks"] or "")
        if around and around[0]:
            yield _without_marks(text, len(around[0]))
        yield text


def _without_marks(text: str, count: int) -> str:
    """Return *text* without the marks at its end that close *count* marks before it."""
    typed = _without_stops(text).rstrip()
    marks = len(typed) - len(typed.rstrip(_MARKS + "»«"))
    return typed[: len(typed) - min(count, marks)].ljust(len(text))


def _without_stops(text: str) -> str:
    return without_emoji(text).rstrip(_STOPS).ljust(len(text))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: " " * len(found[0]), text)


def unstruck(text: str) -> str:
    """Return *text* without the words that are struck out, or the same text if all of them are."""
    if "~" not in text:
        return text
    rest = _STRUCK.sub("", text)
    return rest if words_of(rest) else text


def is_struck(text: str) -> bool:
    """Return whether all words of *text* are struck out, or it is crossed out."""
    if text.isascii() and "~" not in text:
        return False
    return bool(_CROSSED.search(text) or _STRUCK.search(text))


def is_final(text: str) -> bool:
    """Return whether *text* is the command FINAL, which is never lost as a comment."""
    return text.strip().strip(_AROUND_WORDS).strip().upper() == "FINAL"


def is_title(text: str) -> bool:
    """Return whether *text* is only the word ``Orders:``, as people write it above their orders."""
    return _TITLE.fullmatch(text) is not None


def is_ordinal(label: str) -> bool:
    """Return whether the words before a colon say which of the orders follows."""
    words = {word for word in words_of(label.casefold()) if not word.isdigit()} - {"my", "the"}
    return bool(words) and words <= _OF_ORDERS


def unlabelled(text: str) -> str:
    """Return *text* with blanks for the label that begins it, if it has one.

    A label is the first unit or word of what it precedes, or words such as *my first order*.
    """
    found = _LABEL.match(text)
    if found is None:
        return text
    label, rest = found["label"], text[found.end() :]
    if not (is_ordinal(label) or _begins(rest, label)):
        return text
    return " " * found.end() + rest


def _begins(rest: str, label: str) -> bool:
    """Return whether the orders *rest* are about the unit that *label* names."""
    first = re.match(rf"\W*{re.escape(label)}(?!\d)", rest, re.IGNORECASE)
    return first is not None or (not label.isdigit() and label in rest.split())
