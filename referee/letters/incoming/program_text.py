"""Text that programs write: encoded blocks, the lines of gestures, and the targets of links.

Nothing of it is the sender's, whatever it looks like.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from referee.letters.incoming import unreadable
from referee.letters.incoming.phrases import GESTURES, REACTED

A_REACTION: Final = "a reaction"
"""A line that a telephone writes, such as ``Liked "F3W5"``; it can have several lines of ours."""
_DASHES: Final = "[-\u2010-\u2015\u2212]{1,6}"
_HEADER: Final = re.compile(r"[A-Z][A-Za-z-]{0,30}: ")
"""A field of an armour, such as ``Version: GnuPG v2``."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of blocks: its name, and the patterns of its first and its last line.

    The group *label* is the same in both lines. The group *file* is the name of a file.
    """

    name: str
    first: re.Pattern[str]
    last: re.Pattern[str]
    reason: str = ""


def _armour(name: str, label: str, reason: str = "") -> _Kind:
    """Return a kind that has the marks of RFC 7468 and RFC 9580, also with other dashes."""
    first, last = (
        re.compile(rf"\s*{_DASHES} ?{word} (?P<label>{label}) ?{_DASHES}$")
        for word in ("BEGIN", "END")
    )
    return _Kind(name, first, last, reason)


_KINDS: Final = (
    _armour(
        "encrypted text",
        r"PGP (?:ENCRYPTED )?MESSAGE(?:, PART [0-9/]{1,9})?|PGP ARMORED FILE"
        r"|PRIVACY-ENHANCED MESSAGE|(?:AGE )?ENCRYPTED (?:FILE|MESSAGE|DATA)|CMS",
        unreadable.ENCRYPTED,
    ),
    _armour("a PGP key", r"PGP (?:PUBLIC|PRIVATE|SECRET) KEY BLOCK"),
    _armour("a PGP signature", r"(?:PGP |SSH )?SIGNATURE"),
    _armour(
        "a certificate", r"[A-Z0-9 ]{0,30}CERTIFICATE[A-Z ]{0,20}|PKCS ?#?7[A-Z ]{0,20}|X509 CRL"
    ),
    _armour("a key", r"[A-Z0-9 ]{0,30}KEY|[A-Z0-9]{1,10} PARAMETERS"),
    _armour("a code about its writer", r"GEEK CODE BLOCK"),
    _Kind(
        "encrypted text",
        re.compile(r"\s*BEGIN (?P<label>[A-Z0-9]{0,20} ?SALTPACK [A-Z ]{1,30})\."),
        re.compile(r".*\bEND (?P<label>[A-Z0-9]{0,20} ?SALTPACK [A-Z ]{1,30})\.$"),
        unreadable.ENCRYPTED,
    ),
    _Kind(
        "an encoded file",
        re.compile(r"begin(?:-base64)? [0-7]{3,4} (?P<file>\S.{0,120})$"),
        re.compile(r"(?:end|====)$"),
        unreadable.IN_TEXT,
    ),
    _Kind(
        "an encoded file",
        re.compile(r"=ybegin (?:.{0,80} )?(?:line|size)=\d+(?:.{0,80}? name=(?P<file>.{1,120}))?"),
        re.compile(r"=yend\b"),
        unreadable.IN_TEXT,
    ),
    _Kind(
        "an encoded file",
        re.compile(r"\(This file must be converted with BinHex"),
        re.compile(r":?\S{1,80}:$"),
        unreadable.IN_TEXT,
    ),
    _Kind(
        "an encoded file",
        re.compile(r"<~\S{10,100}$"),
        re.compile(r".*~>$"),
        unreadable.IN_TEXT,
    ),
    _Kind(
        A_REACTION,
        re.compile(
            rf"\W{{0,4}}(?:{REACTED}|(?<=[^\x00-\x7f] )to) ?[\"“”„«»]",
            re.IGNORECASE,
        ),
        re.compile(r".*[^\s\"“„«][^\"“„«]{0,3}[\"”“»«](?: (?:leuk|geweldig|grappig))?\W{0,2}$"),
    ),
    _Kind(
        "a card or an appointment",
        re.compile(r"BEGIN:(?P<label>VCARD|VCALENDAR)$"),
        re.compile(r"END:(?P<label>VCARD|VCALENDAR)$"),
    ),
)
_MARK: Final = re.compile('BEGIN|END|begin|end|=y|====|["“”„«»]|BinHex|~|:$')
"""In the first or the last line of every kind."""
_FIRST_MARKS: Final = ("BEGIN", "begin", "BinHex", "<~", *'"“”„«»')
"""One of these is in the first line of every kind."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A block, with the numbers of its first and last line, and why it is not read.

    *reason* is empty if no orders can be in it. One that is not *closed* lacks its last line.
    """

    name: str
    reason: str
    first: int
    last: int
    closed: bool

    def __str__(self) -> str:
        missing = "" if self.closed else "; its last line is missing"
        one = self.first == self.last
        lines = f"line {self.first}" if one else f"lines {self.first} to {self.last}"
        return f"{self.name} ({lines}{missing})"


def find_blocks(lines: Sequence[str]) -> Mapping[int, Encoded]:
    """Return the blocks by the index of their first line, in linear time.

    A block without its last line ends at the first empty line below its content.
    """
    text = "\n".join(lines)
    if not any(mark in text for mark in _FIRST_MARKS):
        return {}
    marked = [*map(_MARK.search, lines)]
    ends: dict[tuple[_Kind, str], int] = {}
    found: dict[int, Encoded] = {}
    empty, emptied = len(lines), [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].rstrip()
        empty = empty if line else at
        emptied[at] = empty
        for kind in _KINDS if marked[at] else ():
            if (mark := kind.first.match(line)) is not None:
                end = at if kind.last.match(line) else ends.pop((kind, _group(mark, "label")), None)
                last = end if end is not None else emptied[_content(lines, at + 1)] - 1
                file = _group(mark, "file")
                name = f"{kind.name}, {file}" if file else kind.name
                found[at] = Encoded(name, kind.reason, at + 1, last + 1, end is not None)
            elif (mark := kind.last.match(line)) is not None:
                ends[kind, _group(mark, "label")] = at
    return found


def _content(lines: Sequence[str], at: int) -> int:
    """Return the first line of a block from *at* on that is neither empty nor of its header."""
    while at < len(lines) and (not lines[at].strip() or _HEADER.match(lines[at])):
        at += 1
    return at


def _group(mark: re.Match[str], name: str) -> str:
    return mark.groupdict().get(name) or ""


_NEAR_GESTURE: Final = 12
_MOST_OF_GESTURE: Final = 400
"""The line of a gesture is among so many first ones, and this is as much of it as is looked at."""


def first_lines(lines: Sequence[str]) -> list[str]:
    """Return the beginning of each of the first lines: that of a gesture is one of them."""
    filled = (line[:_MOST_OF_GESTURE] for line in lines if line.strip())
    return [*islice(filled, _NEAR_GESTURE)]


def has_gesture(lines: Sequence[str]) -> bool:
    """Return whether one of the first lines is that of a gesture which quotes our letter."""
    return any(map(_quotes, first_lines(lines)))


def quoted_by_gesture(lines: Sequence[str], sent: Sequence[str]) -> frozenset[int]:
    """Return the numbers, from 0, of the lines below that of a gesture that our letter *sent* has.

    Email programs change blanks and marks, so only letters and figures are compared.
    """
    if not has_gesture(lines):
        return frozenset()
    known, first = {*map(squeezed, sent)}, next(filter(_quotes, lines))
    below = range(lines.index(first) + 1, len(lines))
    return frozenset(at for at in below if squeezed(lines[at]) in known)


def _quotes(line: str) -> bool:
    return any(each.quotes.match(line) for each in GESTURES)


def squeezed(text: str) -> str:
    """Return the letters and figures of *text*, without case."""
    return "".join(filter(str.isalnum, text)).casefold()


_TARGET: Final = (
    r"(?:https?|ftp|mailto|tel|sms|callto|skype|cid|data|file|geo|webcal|message|maps|facetime"
    r"|x-apple-[a-z-]{1,30}|applewebdata|outlook|about|blob):"
)
_SCHEME: Final = re.compile(r":(?<=[^\W\d_]:|-:)")
"""The end of every such word. A search that begins with one character is much faster."""
_LINKED: Final = re.compile(
    rf"""<(?={_TARGET})(?:mailto:(?P<address>[^<>|\s?@]{{1,64}}@[^<>|\s?]{{1,255}}))?[^<>|]{{0,2000}}>
    | !\[[^\[\]]{{0,400}}\]\({_TARGET}[^()]{{0,2000}}\)
    | <{_TARGET}[^<>|]{{0,2000}}\|(?P<label>[^<>|]{{0,400}})>
    | \[(?P<words>[^\[\]]{{0,400}})\]\({_TARGET}[^()]{{0,2000}}\)
    | \[\s*{_TARGET}[^\[\]|]{{0,2000}}\|(?P<shown>[^\[\]|]{{0,400}})\]
    | \[(?:{_TARGET}|(?:inline\ )?image:\ )[^\[\]]{{0,2000}}\]
    | (?<=\s)\(\s?{_TARGET}[^()\s]{{0,2000}}\s?\)""",
    re.VERBOSE | re.IGNORECASE,
)
"""The targets of links as programs write HTML in plain text, with the words that they show, if
these are inside: ``x <tel:x>``, ``<tel:x|x>``, ``[x](tel:x)``, ``[ tel:x | x ]``, ``[cid:x]``,
``x (tel:x)``."""


_LONGEST: Final = 5_000
"""A longer line is read by nobody."""


def without_links(line: str) -> str:
    """Return *line* without the targets of its links.

    That of an address stays if the line shows no address before it: ``DEPUTY Sam <mailto:s@x>``.
    """
    if _SCHEME.search(line) is None or len(line) > _LONGEST or _LINKED.search(line) is None:
        return line

    def shown(found: re.Match[str]) -> str:
        address = found["address"]
        if address and "@" not in line[: found.start()]:
            return f"<{address}>"
        return found["label"] or found["words"] or found["shown"] or ""

    return _LINKED.sub(shown, line).rstrip()
