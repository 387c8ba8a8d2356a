"""The corpora of remarks and of letters with orders, which show how people type."""

import re
from base64 import encodebytes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from quopri import encodestring
from typing import Final

from referee.domain.mail_transfer import Line
from referee.letters.incoming.decode import decode
from referee.parsing.body import Body, Heading, read_body
from referee.parsing.reader import reader_of
from referee.rules.ruleset import Grammar
from referee.rulesets.fistful import language as fistful
from referee.rulesets.singularity import language as singularity
from referee.rulesets.star_empires import language as star_empires
from referee.rulesets.starfarers import language as starfarers
from referee.rulesets.starweb import language as starweb
from tests.support.seen import own_text

GRAMMARS: Final[dict[str, Grammar]] = {
    "starweb": starweb.GRAMMAR,
    "fistful": fistful.GRAMMAR,
    "singularity": singularity.GRAMMAR,
    "star_empires": star_empires.GRAMMAR,
    "starfarers": starfarers.GRAMMAR,
}
ABOUT: Final = Heading("SW-1", turn=3)
"""The game and turn of every letter of the corpora."""
_EVERY: Final = "every game"
_READS: Final = "\n=> "
_HEAD: Final = (
    "From: frodo@shire.example\nTo: games@referee.example\nSubject: Re: [SW-1 T3 FRODO] report\n"
    "MIME-Version: 1.0\n"
)
_CODE: Final = re.compile(r"\\u([0-9a-f]{4})")
_PLACE: Final = re.compile(r"\{([abc])(?:\.(\w+))?\}")
_CORPUS: Final = Path(__file__).parents[1] / "parsing" / "corpus"
_LAYOUTS: Final = _CORPUS / "letters" / "layouts.txt"


@dataclass(frozen=True, slots=True)
class Remark:
    """A text that a player of *game*, or of every game, writes without an order in it."""

    game: str
    language: str
    text: str

    @property
    def raw(self) -> bytes:
        """The remark as a letter."""
        return as_letter(self.text)


@dataclass(frozen=True, slots=True)
class OrderLetter:
    """A letter in a layout, and the orders that it states, in canonical form."""

    game: str
    name: str
    raw: bytes
    orders: tuple[str, ...]


@cache
def remarks(game: str) -> tuple[Remark, ...]:
    """Return the remarks that a player of *game* can write, of every language."""
    return tuple(remark for remark in all_remarks() if remark.game in (game, _EVERY))


@cache
def all_remarks() -> tuple[Remark, ...]:
    """Return all remarks."""
    files = sorted((_CORPUS / "remarks").glob("*.txt"))
    return tuple(remark for file in files for remark in _remarks_in(file))


def _remarks_in(file: Path) -> Iterator[Remark]:
    for title, text in _sections(file):
        game = title.partition(":")[0]
        for remark in text.split("\n\n"):
            yield Remark(game, file.stem, remark)


@cache
def layouts() -> tuple[str, ...]:
    """Return the names of all layouts."""
    return tuple(title.partition(";")[0] for title, _ in _sections(_LAYOUTS))


@cache
def order_letters(game: str) -> tuple[OrderLetter, ...]:
    """Return the letters with orders for *game*: those of every layout, and those by hand."""
    return (*_composed(game), *_written(game))


def sheets(game: str) -> list[list[str]]:
    """Return the sheets of orders from which the letters are composed."""
    (text,) = (
        text for title, text in _sections(_CORPUS / "letters" / "orders.txt") if title == game
    )
    return [line.split(" | ") for line in text.splitlines()]


def _composed(game: str) -> Iterator[OrderLetter]:
    for number, (title, layout) in enumerate(_sections(_LAYOUTS)):
        name, _, conditions = title.partition(";")
        words = conditions.split()
        if not _fits(game, words):
            continue
        typed = [
            sheet for sheet in sheets(game) if not ("commas" in words and "," in "".join(sheet))
        ]
        if not typed:
            continue
        orders = typed[number % len(typed)]
        raw = as_letter(_filled(layout, orders), next(iter(_FORMS.keys() & {*words}), "plain"))
        yield OrderLetter(game, name, raw, tuple(orders))


def _fits(game: str, words: Sequence[str]) -> bool:
    """Return whether a layout with the conditions ``not A B`` or ``only A`` is for *game*."""
    if "only" in words:
        return game in words
    return "not" not in words or game not in words


def _written(game: str) -> Iterator[OrderLetter]:
    for title, text in _sections(_CORPUS / "letters" / "written.txt"):
        body, _, orders = text.partition(_READS)
        if title.partition(":")[0] == game:
            yield OrderLetter(game, title, as_letter(body), tuple(orders.split(" | ")))


def _sections(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each section, which begins with ``== title``."""
    for section in re.split("^== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        yield title, _CODE.sub(lambda code: chr(int(code[1], 16)), text.strip("\n"))


def _filled(layout: str, orders: Sequence[str]) -> str:
    """Return the layout with the orders at ``{a}``, ``{b}`` and ``{c}``, typed as it says."""
    return _PLACE.sub(lambda at: _typed(orders["abc".index(at[1])], at[2] or ""), layout)


def _typed(order: str, how: str) -> str:
    word, blank, rest = order.partition(" ")
    return {
        "": order,
        "lower": order.lower(),
        "wide": "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in order),
        "nbsp": order.replace(" ", "\u00a0"),
        "double": order.replace(" ", "  "),
        "command": word.lower() + blank + rest,
        "unit": unit_of(order),
        "entity": order.replace(" ", "&nbsp;"),
    }[how]


def unit_of(order: str) -> str:
    """Return the unit that an order is about: ``F3`` of ``F3W75``, ``p1`` of ``MOVE p1 TO ...``."""
    if " " in order:
        return next(word for word in (*order.split()[1:], order.split()[0]) if not word.isdigit())
    code = re.match(r"[A-Z]+[0-9]+|F[A-Z]|[A-Z0-9]+", order)
    return code[0] if code is not None else order


def as_letter(text: str, form: str = "plain") -> bytes:
    """Return *text* as a letter, with the line ends and the encoding of *form*."""
    head, encode = _FORMS[form]
    return f"{_HEAD}{head}\n\n".encode() + encode(text + "\n")


def _base64(text: str) -> bytes:
    return encodebytes(text.replace("\n", "\r\n").encode())


_UTF8: Final = "Content-Transfer-Encoding: 8bit\nContent-Type: text/plain; charset=utf-8"
_FORMS: Final[dict[str, tuple[str, Callable[[str], bytes]]]] = {
    "plain": (_UTF8, str.encode),
    "crlf": (_UTF8, lambda text: text.replace("\n", "\r\n").encode()),
    "cr": (_UTF8, lambda text: text.replace("\n", "\r").encode()),
    "flowed": (f"{_UTF8}; format=flowed", str.encode),
    "html": (_UTF8.replace("plain", "html"), str.encode),
    "base64": (_UTF8.replace("8bit", "base64"), _base64),
    "utf16": (
        "Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-16",
        lambda text: encodebytes(text.encode("utf-16")),
    ),
    "quoted-printable": (
        _UTF8.replace("8bit", "quoted-printable"),
        lambda text: encodestring(text.encode()),
    ),
}


def read_letter(raw: bytes, game: str) -> Body:
    """Read a letter as the desk does: decoded, without quotes, for turn 3 of the game."""
    own = own_text(decode(raw).text)
    lines = [Line(line.number, line.text) for line in own.lines]
    return read_body(lines, reader_of(GRAMMARS[game]), ABOUT)
