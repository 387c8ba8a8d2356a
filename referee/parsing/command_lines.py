"""Lines with commands, wrapped ones joined, and lines of which nothing is read."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from referee.parsing.commands import CONTINUED, gms_reader, is_for_gms, players_reader
from referee.parsing.heading import beside_heading, read_heading
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.layout import COURTESIES, PLEASE, is_struck, unlisted, without_courtesies
from referee.parsing.lines import MOST_CHARACTERS, TWO_WORDS, Line, casts_doubt, plain
from referee.parsing.reader import Reader, ends_block

MOST_WRAPPED = 20
"""The most lines of one command."""
_BLOCK_WORDS = frozenset({"PRESS", "DIARY", "STANDING", "BROADCAST", "CORRECT", "INVITE", "ORDERS"})
GM_BLOCK_WORDS = frozenset({"BROADCAST", "CORRECT"})
_RECEIPT_WORDS = frozenset(
    {"ACCEPT", "ALLOW", "APPROVE", "CANCEL", "EXCLUDE", "OBSERVERS", "REFUSE", "UNDO"}
)
_RECEIPT = re.compile(r"#(?= *[0-9])")
"""After such a word, a # begins the number of a receipt and not a comment."""
_STOPS = " .,;:!"
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
    typed = plain(line.text[:MOST_CHARACTERS])
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
    items = read_command([line], word, headed=headed)
    return any(isinstance(item, ParsedCommand) for item in items)


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


def first_word(line: Line) -> str:
    """Return the word that decides the kind of a line, in capitals; ``<`` for a count."""
    text = plain(line.text[:MOST_CHARACTERS]).lstrip()
    found = re.match(r"<(?= *[0-9]+ *>)|[A-Za-z]+(?![A-Za-z0-9=])|\S+", text)
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
    reader = gms_reader() if is_for_gms(lines[0], headed=headed) else players_reader()
    typed = " ".join(line.text for line in lines)
    bare = _RECEIPT.sub(" ", typed) if word in _RECEIPT_WORDS else typed
    if word == "UNDO":
        # A typo in a receipt must not take back the last letter.
        bare = _NO_RECEIPT.sub("?", bare)
    for item in reader.read_lines([Line(lines[0].number, bare)]):
        if bare != typed:
            item = item._replace(text=plain(typed).strip())
        if isinstance(item, Parsed):
            yield ParsedCommand(item.line, item.text, item.order)
        else:
            yield _with_typed_position(item, lines)._replace(is_command=True)


def _with_typed_position(item: Unparsed, lines: Sequence[Line]) -> Unparsed:
    """Move the position of a mistake to the player's own line, if lines were wrapped."""
    column = item.column
    for line in lines:
        if column <= len(line.text) + 1:
            return item._replace(line=line.number, column=column)
        column -= len(line.text) + 1
    return item


def _continues(line: Line, word: str) -> bool:
    """Return whether *line* is one more line of the command *word*."""
    # START alone is a command itself, START BY GM below CREATE is a part of it.
    begins = first_word(line)
    return begins in CONTINUED[word] and plain(line.text).strip(_STOPS).upper() != "START"


def command_length(lines: Sequence[Line], at: int, word: str) -> int:
    """Return the number of lines of a command, which a mail program may have wrapped."""
    length = 1
    while word in CONTINUED and length < MOST_WRAPPED and at + length < len(lines):
        typed = " ".join(line.text for line in lines[at : at + length])
        in_quotes = plain(typed).count('"') % 2 == 1
        if not in_quotes and not _continues(lines[at + length], word):
            break
        length += 1
    return length


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
