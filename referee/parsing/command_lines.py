"""The heading of a letter, lines with commands, and lines of which nothing is read."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final, NamedTuple

from referee.domain.mail_transfer import Line
from referee.parsing.commands import (
    CONTINUED,
    command_words,
    create_reader,
    gms_reader,
    is_for_gms,
    players_reader,
)
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import (
    COURTESIES,
    MOST_CHARACTERS,
    PLEASE,
    TWO_WORDS,
    casts_doubt,
    is_empty,
    is_struck,
    plain,
    unlisted,
    unstruck,
    without_courtesies,
    words_of,
)
from referee.parsing.reader import Reader, ends_block

_HEADING = re.compile(
    r"""\s*
    (?P<gm>GM[\s,:]+)?
    (?:GAME[\s,:]+)?
    (?P<game>[A-Z]{1,5}-[1-9][0-9]{0,8})\b
    (?:[\s,]+T(?:URN\s*)?(?P<turn>-?[0-9]+)\b)?
    (?:[\s,]+\[\s*(?P<seat>[^\]\s]{1,40})\s*\])?
    (?P<rest>(?:[\s,:].*)?)$""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
_TURN_LINE = re.compile(
    r"\s*T(?:URN\s*)?(?P<turn>-?[0-9]+)\b[\s.,:;]*(?P<rest>.*)$", re.IGNORECASE | re.ASCII
)
_NAMED_TURN = re.compile(
    r"\b(?=[TN])(?<!after )(?<!since )(?<!from )(?:T(?:URN\s*)?(?P<turn>[0-9]{1,9})|NEXT\s+TURN)\b"
    r"(?!\s+(?:REPORT|RESULT|MAP))",
    re.IGNORECASE | re.ASCII,
)
_ABOUT_ORDERS = frozenset({"for", "move", "moves", "order", "orders"})
_AROUND_ORDERS = _ABOUT_ORDERS | {"are", "here", "is", "my", "the", "these", "this"}
_CODE = re.compile(r"(?:^|[,\s])([A-Z0-9]{4,16})[\s.]*$", re.IGNORECASE | re.ASCII)
_LOOKS_RANDOM = re.compile(r"(?=[A-Z]*[0-9])[A-Z0-9]{4,16}|[A-Z2-7]{8}", re.ASCII)
"""A code without an account before it has a digit or our full length, so that no name is one."""
_OF_ACCOUNT = re.compile(
    rf"#\s*[0-9]{{1,9}}\b(?:[,\s]+(?P<code>{_LOOKS_RANDOM.pattern})\b)?", re.ASCII
)
"""An account, and the code directly behind it."""

TURNS = range(1, 10_000)
"""The turns that orders can be for; a heading can name any other number by mistake."""

_PRIVATE = re.compile(r"\s*(?:PRESS|BROADCAST|DIARY)", re.IGNORECASE | re.ASCII)
"""Below such a line another person's words can follow, so no heading is read there."""


@dataclass(frozen=True, slots=True)
class Heading:
    """``SW-555 T11 [CERES] Frodo Baggins, #1234, K7QX``, or ``GM SW-555``; empty means not given.

    Game and seat are in capitals. The turn is as typed and may not exist. The code proves nothing
    until it is compared.
    """

    game: str
    seat: str = ""
    turn: int | None = None
    code: str = ""
    by_gm: bool = False


def find_heading(lines: Sequence[Line]) -> Heading | None:
    """Return the first heading among *lines*, above any message to other players."""
    for line in lines:
        if _PRIVATE.match(plain(line.text[:80])):
            return None
        if (heading := read_heading(line)) is not None:
            return heading
    return None


def read_heading(line: Line) -> Heading | None:
    """Return the heading that *line* is, or None."""
    text = plain(line.text[:200])
    # Nearly no line has a dash, and a search costs more.
    found = _HEADING.match(text) if "-" in text else None
    if found is None:
        return None
    rest = found["rest"]
    account, last = _OF_ACCOUNT.search(rest), _CODE.search(rest)
    code = last[1] if last is not None and _LOOKS_RANDOM.fullmatch(last[1]) else ""
    if account is not None:
        last = _CODE.search(rest[account.end() :])
        code = account["code"] or (last[1] if last is not None else "")
    return Heading(
        game=found["game"].upper(),
        seat=(found["seat"] or "").upper(),
        turn=int(found["turn"]) if found["turn"] else None,
        code=code.upper(),
        by_gm=found["gm"] is not None,
    )


def beside_heading(line: Line) -> Line | None:
    """Return the rest of *line* behind the game, the turn and the seat of its heading, or None.

    If it has a code with its account, the rest is behind that. The columns are unchanged.
    """
    found = _HEADING.match(plain(line.text[:200]))
    account = _OF_ACCOUNT.search(found["rest"]) if found is not None else None
    behind = account.end() if account is not None and account["code"] else 0
    if found is None or not found["rest"][behind:].strip(" ,:"):
        return None
    rest = found["rest"][behind:].lstrip(" \t,:")
    return Line(line.number, " " * (found.end("rest") - len(rest)) + rest)


class TurnLine(NamedTuple):
    """A line that names a turn but no game, such as ``T2: W7B5I``.

    *head* are the words that name it, and *rest* is what is behind them, with its columns.
    """

    turn: int
    head: Line
    rest: Line


def lone_turn(lines: Sequence[Line]) -> TurnLine | None:
    """Return the turn that the first line with text consists of (``T2``), or None."""
    first = next((line for line in lines if line.text.strip()), Line(0, ""))
    named = _begun_with_turn(first)
    return named if named is not None and not named.rest.text.strip() else None


def named_turn(line: Line, turn: int) -> TurnLine | None:
    """Return the turn that *line* begins with, or says the lines below it are for, or None.

    It says so of another turn than *turn* if it ends with a colon (``Next turn I will do this:``),
    or consists of a turn and words about orders (``Orders turn 2``).
    """
    text = plain(line.text[:MOST_CHARACTERS])
    last, named = "", list[int]()
    if _NAMED_TURN.search(text) is not None:
        last = re.split(r"[.!?]\s", text.rstrip())[-1]
        named = [int(found["turn"] or turn + 1) for found in _NAMED_TURN.finditer(last)]
    if named and turn not in named:
        words = {word.casefold() for word in words_of(_NAMED_TURN.sub("", text))}
        is_about_orders = words <= _AROUND_ORDERS and words & _ABOUT_ORDERS and "?" not in text
        if last.endswith(":") or is_about_orders:
            return TurnLine(named[0], line, Line(line.number, ""))
    return _begun_with_turn(line)


def _begun_with_turn(line: Line) -> TurnLine | None:
    found = _TURN_LINE.match(line.text[:MOST_CHARACTERS])
    if found is None:
        return None
    at, head = found.start("rest"), Line(line.number, line.text[: found.end("turn")])
    return TurnLine(int(found["turn"]), head, Line(line.number, " " * at + line.text[at:]))


MOST_WRAPPED = 20
"""The most lines of one command."""
_PARTS: Final = frozenset().union(*CONTINUED.values())
"""The words with which the next line of a command can begin."""
_BLOCK_WORDS = frozenset({"PRESS", "DIARY", "STANDING", "BROADCAST", "CORRECT", "INVITE", "ORDERS"})
GM_BLOCK_WORDS = frozenset({"BROADCAST", "CORRECT"})
_RECEIPT_WORDS = frozenset(
    {"ACCEPT", "ALLOW", "APPROVE", "CANCEL", "EXCLUDE", "OBSERVERS", "REFUSE", "REPLACE", "UNDO"}
)
_RECEIPT = re.compile(r"#(?= *[0-9])")
"""After such a word, a # begins the number of a receipt and not a comment."""
_STOPS = " .,;:!"
_FIRST_WORD: Final = re.compile(r"<(?= *[0-9]+ *>)|[A-Za-z]+(?![A-Za-z0-9=])|\S+")
GIVES_UP: Final = frozenset({"CANCEL", "CLEAR", "DECLINE", "ELIMINATE", "RESIGN", "VACATE"})
"""The commands that give something up: next to them only *please* says nothing."""
_NO_RECEIPT = re.compile(r"#(?! *[0-9])")
_NUMBERED: Final = re.compile(r"\s*(?P<mark># ?[0-9]{1,3})(?:[.):]\s*|\s+)(?P<rest>\S.*)")
"""A note that can be meant for an order with its number: ``#1 F3W75``."""


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command, as typed and as parsed."""

    line: int
    text: str
    command: Any


def plainer(line: Line) -> Iterator[str]:
    """Yield the text of a line as it can be meant, if it is a command: plainer and plainer.

    Marks, lists and polite words do not matter. ``Clear, thanks!`` is no CLEAR: a command that
    gives something up must stand alone, but for *please*.
    """
    typed = unstruck(plain(line.text[:MOST_CHARACTERS]))
    if "?" in typed or typed.lstrip().startswith("#") or casts_doubt(typed) or is_struck(typed):
        return
    texts = [typed.rstrip(_STOPS)]
    if not typed.lstrip()[:1].isalpha():
        texts += [text.rstrip(_STOPS) for text in unlisted(typed)]
    yield from texts
    for words in (PLEASE, COURTESIES):
        for text in texts:
            for bare in without_courtesies(text, words):
                if words is PLEASE or first_word(Line(1, bare)) not in GIVES_UP:
                    yield bare


def is_command(line: Line, word: str, *, headed: bool) -> bool:
    """Return whether *line*, which begins with *word*, is read as a command."""
    return _reader(line, headed).is_whole(Line(line.number, _without_receipt(line.text, word)))


def begins_block(line: Line, *, headed: bool) -> bool:
    """Return whether *line* is the first line of a block, without a mistake."""
    word = first_word(line)
    if not opens_block(line, word, headed=headed):
        return False
    return is_command(line, word, headed=headed)


def head_in_diary(below: Sequence[Line], *, headed: bool) -> Line | None:
    """Return the first line of another block between a DIARY and the END *below* it, or None.

    It can be part of the entry, so it must not be carried out. Another DIARY is private, too.
    """
    inside = takewhile(lambda line: not ends_block(line), below)
    head = next((line for line in inside if begins_block(line, headed=headed)), None)
    return None if head is None or first_word(head) == "DIARY" else head


def opens_block(line: Line, word: str, *, headed: bool) -> bool:
    """Return whether *line*, which begins with *word*, begins a block that ends with END."""
    if word not in _BLOCK_WORDS:
        return False
    text = plain(line.text[:MOST_CHARACTERS]).upper()
    if text.split()[:2] == ["DIARY", "DELETE"]:
        return False
    if text.split() in (["STANDING", "NONE"], ["STANDING", "NOW"]):
        return False
    if word == "ORDERS":
        return is_for_gms(line, headed=headed) and text.split()[3:] != ["UNDO"]
    if word == "INVITE":
        return text.rstrip(_STOPS).endswith(" SAYING")
    return word in GM_BLOCK_WORDS or not is_for_gms(line)


# Each line is asked for it again and again.
@lru_cache(maxsize=16)
def first_word(line: Line) -> str:
    """Return the word that decides the kind of a line, in capitals; ``<`` for a count."""
    text = plain(line.text[:MOST_CHARACTERS]).lstrip()
    found = _FIRST_WORD.match(text)
    word = found[0].upper() if found else ""
    if word not in TWO_WORDS:
        return word
    following = re.match(r"\s+([A-Za-z]+)\b", text[len(word) :])
    is_command = following is not None and following[1].upper() == TWO_WORDS[word]
    return word if is_command else ""


def read_command(
    lines: Sequence[Line], word: str, *, headed: bool = False
) -> Iterator[ParsedCommand | Unparsed]:
    """Read one command; wrapped lines count as one, and keep their positions."""
    typed = " ".join(line.text for line in lines)
    bare = _without_receipt(typed, word)
    for item in _reader(lines[0], headed).read_lines([Line(lines[0].number, bare)]):
        if bare != typed:
            item = item._replace(text=plain(typed).strip())
        if isinstance(item, Parsed):
            yield ParsedCommand(item.line, item.text, item.order)
        else:
            yield _with_typed_position(item, lines)._replace(is_command=True)


def _reader(line: Line, headed: bool) -> Reader:
    return gms_reader() if is_for_gms(line, headed=headed) else players_reader()


def _without_receipt(typed: str, word: str) -> str:
    """Return a command without the receipt that it can have; one of UNDO must be right."""
    bare = _RECEIPT.sub(" ", typed) if word in _RECEIPT_WORDS else typed
    # A typo in a receipt must not take back the last letter.
    return _NO_RECEIPT.sub("?", bare) if word == "UNDO" else bare


def _with_typed_position(item: Unparsed, lines: Sequence[Line]) -> Unparsed:
    """Move the position of a mistake to the player's own line, if lines were wrapped."""
    column = item.column
    for line in lines:
        if column <= len(line.text) + 1:
            return item._replace(line=line.number, column=column)
        column -= len(line.text) + 1
    return item


def command_length(lines: Sequence[Line], at: int, word: str) -> int:
    """Return the number of lines of a command, which a mail program may have wrapped."""
    length = 1
    while word in CONTINUED and length < MOST_WRAPPED:
        typed = " ".join(line.text for line in lines[at : at + length])
        in_quotes = plain(typed).count('"') % 2 == 1
        gap = sum(1 for _ in takewhile(is_empty, lines[at + length : at + MOST_WRAPPED]))
        following = next(iter(lines[at + length + gap :][:1]), None)
        if following is None or (gap and not in_quotes and not is_part(following, apart=True)):
            break
        is_its_word = first_word(following) in CONTINUED[word]
        if not in_quotes and (not is_its_word or _is_apart(following)):
            break
        length += gap + 1
    return length


def _is_apart(line: Line) -> bool:
    """Return whether *line* is a GM's command that is no part of a CREATE above it."""
    is_whole = is_command(line, first_word(line), headed=True)
    return is_whole and not create_reader().is_whole(line)


def is_part(line: Line, *, apart: bool = False) -> bool:
    """Return whether *line* is a part of a command without its name, such as ``AS Pirate``.

    Without capitals it is words if it ends with a comma (``As discussed,``), or if it is *apart*
    from the command, with an empty line between them.
    """
    word = first_word(line)
    if word not in _PARTS or word in command_words():
        return False
    text = plain(line.text[:MOST_CHARACTERS]).strip()
    return text.startswith(word) or not (apart or text.endswith(","))


def not_read(line: Line, reason: str, advice: str = "", lost: int = 0) -> Unparsed:
    """Return an answer about a line that was not read: the *reason*, and *lost* lines in all."""
    text = plain(line.text[:MOST_CHARACTERS]).strip()
    column = len(line.text) - len(line.text.lstrip()) + 1
    return Unparsed(text, line.number, column, reason, advice, is_command=True, lost=lost)


def no_end(word: str, other: Line | None) -> tuple[str, str]:
    """Return reason and advice for a block that begins with *word* and has no END.

    *other* is the first line of another block, which comes before the END of a DIARY.
    """
    left_out = f"so {word} and all lines below it were left out."
    if other is not None:
        inner = first_word(other)
        reason = f"{inner} in line {other.number} comes before the END of {word}, {left_out}"
        return reason, (
            f"If {inner} is part of your entry, put a dash before it, and before its own END if "
            f"it has one. If not, write {word} below everything else. Then send these lines again."
        )
    advice = " To read your diary, write nothing below DIARY." if word == "DIARY" else ""
    return f"Expected END below {word}, {left_out}", f"Send it again with END.{advice}"


def in_heading(line: Line, orders: Reader | None) -> Iterator[ParsedCommand | Unparsed]:
    """Yield the command behind the heading in *line*, or an answer to orders there.

    Other words can be the name of the sender.
    """
    heading, beside = read_heading(line), beside_heading(line)
    if heading is None or beside is None:
        return
    typed = beside.text.strip(_STOPS + "-")
    word, alone = first_word(beside), Line(line.number, typed)
    if not opens_block(alone, word, headed=heading.by_gm) and is_command(
        alone, word, headed=heading.by_gm
    ):
        yield from read_command([alone], word, headed=heading.by_gm)
        return
    among = orders.orders_among(plain(typed[:MOST_CHARACTERS])) if orders is not None else ()
    if found := [order for order in among if len(order) > 1]:
        reason = "This line names the game, so the order on it was not read."
        advice = f"Write {' '.join(found)} on a line of its own below it."
        item = not_read(beside, reason, advice)
        yield item._replace(is_command=False, others=len(found))


def hidden_in_note(line: Line, orders_in: Callable[[Line], int]) -> Unparsed | None:
    """Return an answer to a note that is meant for orders with their number, else None."""
    note = _NUMBERED.fullmatch(plain(line.text[:MOST_CHARACTERS]))
    orders = orders_in(Line(line.number, note["rest"])) if note is not None else 0
    if note is None or not orders:
        return None
    reason = "A line that begins with # is a note, so it was not read."
    item = not_read(line, reason, f"Write the order without {note['mark']}.")
    return item._replace(is_command=False, others=orders)
