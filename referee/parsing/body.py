"""A player's own text: its heading, and its orders, commands and messages as typed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final

from referee.domain.commands import Broadcast, Command, CountOrders, ShowStanding
from referee.domain.gm_commands import Correct
from referee.parsing.commands import (
    COMMAND_WORDS,
    CONTINUED,
    GMS_READER,
    PLAYERS_READER,
    PLAYERS_WORDS,
    PressHead,
    is_for_gms,
)
from referee.parsing.gm_commands import BroadcastHead, CorrectHead
from referee.parsing.heading import TURNS, Heading, find_heading, read_heading, read_turn_line
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import MOST_CHARACTERS, Line, fold, plain
from referee.parsing.reader import Reader, ends_block
from referee.parsing.typos import is_typo
from referee.rules.wording import counted

__all__ = [
    "Body",
    "Heading",
    "ParsedCommand",
    "PressBlock",
    "StandingBlock",
    "find_heading",
    "read_body",
    "read_heading",
]

MOST_ITEMS = 3000
MOST_WRAPPED = 20
"""The most lines of one command."""
_BLOCK_WORDS = frozenset({"PRESS", "STANDING", "BROADCAST", "CORRECT"})
_GM_BLOCK_WORDS = frozenset({"BROADCAST", "CORRECT"})
_GM_WRITES = _GM_BLOCK_WORDS | {"PRESS"}
"""The blocks of a GM. If the first line of one is mistyped, the lines below it are not read."""
_DRASTIC = frozenset({"CANCEL", "CLEAR", "DECLINE", "ELIMINATE", "RESIGN", "UNDO", "VACATE"})
"""The commands that give something up; they are suggested only for a typo of one letter."""
_RECEIPT_WORDS = frozenset({"ACCEPT", "CANCEL", "OBSERVERS", "UNDO"})
_RECEIPT = re.compile(r"#(?= *[0-9])")
"""After such a word, a # begins the number of a receipt and not a comment."""
_NO_RECEIPT = re.compile(r"#(?! *[0-9])")
_OWN_COUNT = re.compile(r"(?<=[^\s<>])\s+<\s*([1-9][0-9]{0,4})\s*>\s*$")

NO_COMMAND: Final = "This is not a command. There is no running game, so it cannot be an order."


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command, as typed and as parsed."""

    line: int
    text: str
    command: Any


@dataclass(frozen=True, slots=True)
class PressBlock:
    """A message to other players; *text* is as typed.

    *receipt* asks for a delivery receipt.
    """

    line: int
    recipients: tuple[str, ...]
    anonymous: bool
    text: str
    receipt: bool = False

    @property
    def head(self) -> str:
        """The shortest form of its first line."""
        word = "PRESS ANONYMOUS TO" if self.anonymous else "PRESS TO"
        return f"{word} {', '.join(self.recipients)}"


@dataclass(frozen=True, slots=True)
class StandingBlock:
    """Orders for every turn without a sheet, parsed or not; none withdraws the present ones."""

    line: int
    items: tuple[Parsed | Unparsed, ...]


Item = Parsed | Unparsed | ParsedCommand | PressBlock | StandingBlock


@dataclass(frozen=True)
class Body:
    """The content of a player's own text, with every line accounted for.

    The items of each kind are needed many times, so each list is computed once.
    """

    heading: Heading | None = None
    items: tuple[Item, ...] = ()

    @cached_property
    def orders(self) -> tuple[Parsed | Unparsed, ...]:
        """The orders for the current turn, and all lines that could not be read as anything."""
        return tuple(item for item in self.items if isinstance(item, Parsed | Unparsed))

    @cached_property
    def sheet_lines(self) -> tuple[Parsed | Unparsed, ...]:
        """The orders, and the lines that could not be read and are no command."""
        return tuple(
            item for item in self.orders if isinstance(item, Parsed) or not item.is_command
        )

    @cached_property
    def mistyped(self) -> tuple[Unparsed, ...]:
        """The commands and messages that could not be read."""
        return tuple(item for item in self.orders if isinstance(item, Unparsed) and item.is_command)

    @cached_property
    def press(self) -> tuple[PressBlock, ...]:
        """The messages to other players."""
        return tuple(item for item in self.items if isinstance(item, PressBlock))

    @cached_property
    def commands(self) -> tuple[ParsedCommand, ...]:
        """All commands."""
        return tuple(item for item in self.items if isinstance(item, ParsedCommand))

    def commanded(self, *kinds: type[Command]) -> tuple[ParsedCommand, ...]:
        """Return the commands of these kinds."""
        return tuple(item for item in self.commands if isinstance(item.command, kinds))

    def has(self, *kinds: type[Command]) -> bool:
        """Return whether there is a command of one of these kinds."""
        return bool(self.commanded(*kinds))


def read_body(lines: Sequence[Line], orders: Reader | None, about: Heading | None = None) -> Body:
    """Read the lines a player typed; *orders* reads the order lines, if a game is known.

    *about* is the game and turn that the orders are for if the lines have no heading.
    The first word of a line decides whether it is a command or an order. A block without an END,
    such as a PRESS, is one Unparsed item. Never raises.
    """
    heading = find_heading(lines)
    reading = _BodyReader(lines, orders, heading, about)
    while reading.at < len(lines) and len(reading.items) + len(reading.sheet) < MOST_ITEMS:
        reading.step()
    reading.file_orders()
    if reading.at < len(lines):
        rest = lines[reading.at]
        reading.items.append(
            _not_read(rest, "Your email is too long. Nothing was read from this line on.")
        )
    return Body(heading, tuple(reading.items))


@dataclass(slots=True)
class _BodyReader:
    """The state of the reading of one text."""

    lines: Sequence[Line]
    orders: Reader | None
    heading: Heading | None
    about: Heading | None = None
    at: int = 0
    items: list[Item] = field(default_factory=list)
    sheet: list[Line] = field(default_factory=list)
    """Order lines that are not read yet: a block of orders can have several."""

    def step(self) -> None:
        """Read the next line, or the block that begins with it."""
        line = self.lines[self.at]
        word = first_word(line)
        if (named := read_heading(line)) is not None:
            self._name(line, named)
        elif word == "END" and ends_block(line):
            self._end(line)
        elif _opens_block(line, word):
            self._block(word)
        elif word in COMMAND_WORDS:
            self._command(word)
        elif not self._turn(line):
            self._order(line, word)

    def file_orders(self) -> None:
        """Read the order lines found so far."""
        if self.sheet and self.orders is not None:
            self.items.extend(self.orders.read_lines(self.sheet))
        elif self.sheet:
            reason = NO_COMMAND
            self.items.append(_not_read(self.sheet[0], reason)._replace(is_command=False))
        self.sheet = []

    def _name(self, line: Line, named: Heading) -> None:
        self.at += 1
        if self.heading is None:
            return
        reason = ""
        if named.game != self.heading.game:
            reason = (
                f"An email is about one game, so nothing was read from here on for {named.game}."
            )
        elif named.turn not in (None, self.heading.turn):
            reason = (
                f"An email is about one turn, so nothing was read from here on for T{named.turn}."
            )
        if reason:
            self._stop(line, reason, "Send it in an email of its own.")

    def _turn(self, line: Line) -> bool:
        """Read a line that begins with a turn and has only orders; return whether it is one.

        Orders for another turn than the email's must not be filed for the email's turn.
        """
        named = read_turn_line(line)
        if self.about is None or named is None or self._has_order(Line(line.number, named.head)):
            return False
        if named.rest.text.strip() and not self._has_order(named.rest):
            return False
        if named.turn == self._sheet_turn:
            self.sheet.append(named.rest)
            self.at += 1
            return True
        here = f"The orders of this email are for turn {self._sheet_turn}"
        reason = f"{here}, so nothing was read from here on."
        self._stop(line, reason, self._sent_for(named.turn))
        return True

    @property
    def _sheet_turn(self) -> int | None:
        """The turn that the orders are for."""
        named = self.heading.turn if self.heading is not None else None
        return named if named is not None or self.about is None else self.about.turn

    def _sent_for(self, turn: int) -> str:
        """Return how orders for another turn are sent."""
        if self.about is None or turn not in TURNS:
            return f"There is no turn {turn}."
        return (
            f"For turn {turn}, write {self.about.game} T{turn} on the first line of another email, "
            "and the orders below it."
        )

    def _stop(self, line: Line, reason: str, advice: str) -> None:
        """Read nothing from this line on."""
        self.file_orders()
        self.items.append(_not_read(line, reason, advice))
        self.at = len(self.lines)

    def _end(self, line: Line) -> None:
        self.file_orders()
        below = sum(bool(line.text.strip()) for line in self.lines[self.at + 1 :])
        if below:
            reason = f"END ends the email. Not read below it: {counted(below, 'line')}."
            self.items.append(_not_read(line, reason))
        self.at = len(self.lines)

    def _order(self, line: Line, word: str) -> None:
        length = self.orders.block_length(self.lines, self.at) if self.orders is not None else 0
        if not length and (intended := self._intended_word(line, word)):
            self.file_orders()
            length = self._mistyped_block_length(intended)
            self.items.append(_mistyped(line, word, intended, block=length > 0))
        elif not length and (count := _OWN_COUNT.search(plain(line.text))) is not None:
            self._count_orders(line, count)
        elif line.text.strip():
            self.sheet.extend(self.lines[self.at : self.at + max(length, 1)])
        self.at += max(length, 1)

    def _count_orders(self, line: Line, count: re.Match[str]) -> None:
        """Remove the player's own count from the end of a line of orders."""
        column = fold(line.text).columns[count.start()]
        self.sheet.append(replace(line, text=line.text[: column - 1]))
        self.file_orders()
        command = CountOrders(int(count[1]))
        self.items.append(ParsedCommand(line.number, count[0].strip(), command))

    def _intended_word(self, line: Line, word: str) -> str:
        """Return the command word that a line nearly begins with, or "" for other text."""
        if len(word) < 3 or not word.isalpha():
            return ""
        known = PLAYERS_WORDS if self._by_player else COMMAND_WORDS
        words = [each for each in known if each not in _DRASTIC or _is_slip(word, each)]
        near = get_close_matches(word, words, n=1, cutoff=0.75)
        of_game = self.orders is not None and self.orders.knows(word)
        if not near or of_game or self._has_order(line):
            return ""
        return near[0]

    @property
    def _by_player(self) -> bool:
        """Whether the letter has no heading of a GM and is not from the GM of its game."""
        return not (self._headed or (self.about is not None and self.about.by_gm))

    def _mistyped_block_length(self, intended: str) -> int:
        """Return the length of the block that a GM began with a mistyped word; 0 means no block.

        Players end their letters with END, too, and lose no orders because of a word of greeting.
        """
        if intended not in _GM_WRITES or not self._headed:
            return 0
        end = self._end_of_block(intended)
        return end + 1 - self.at if end is not None else 0

    @property
    def _headed(self) -> bool:
        return self.heading is not None and self.heading.by_gm

    def _has_order(self, line: Line) -> bool:
        return self.orders is not None and any(
            isinstance(item, Parsed) for item in self.orders.read_lines([line])
        )

    def _command(self, word: str) -> None:
        self.file_orders()
        length = _command_length(self.lines, self.at, word)
        lines = self.lines[self.at : self.at + length]
        self.at += length
        self.items.extend(_read_command(lines, word, headed=self._headed))

    def _block(self, word: str) -> None:
        self.file_orders()
        head = self.lines[self.at]
        end = self._end_of_block(word)
        if end is None and word == "STANDING" and self._has_no_orders():
            self.at += 1
            self.items.append(ParsedCommand(head.number, "STANDING", ShowStanding()))
            return
        if end is None:
            self.at = len(self.lines)
            reason = f"Expected END below {word}, so {word} and all lines below it were left out."
            self.items.append(_not_read(head, reason, "Send it again with END."))
            return
        inner = self.lines[self.at + 1 : end]
        self.at = end + 1
        self.items.extend(
            _block_of(item, inner, self.orders) if isinstance(item, ParsedCommand) else item
            for item in _read_command([head], word)
        )

    def _has_no_orders(self) -> bool:
        """Return whether the lines up to the next command have no orders."""
        for line in self.lines[self.at + 1 :]:
            if first_word(line) in COMMAND_WORDS:
                break
            if self._has_order(line):
                return False
        return True

    def _end_of_block(self, word: str) -> int | None:
        """Return the position of the END of the block, which can contain blocks of orders.

        If a message runs into the first line of the next one, its END is missing. It would go to
        people it was not written to.
        """
        at = self.at + 1
        while at < len(self.lines):
            if ends_block(self.lines[at]):
                return at
            if _begins_block(self.lines[at]):
                return None
            nested = word == "STANDING" and self.orders is not None
            at += (self.orders.block_length(self.lines, at) if nested and self.orders else 0) or 1
        return None


def _is_slip(typed: str, word: str) -> bool:
    """Return whether *typed* can only be meant as *word*: a typo behind the first letter."""
    return typed[0] == word[0] and is_typo(typed, word)


def _begins_block(line: Line) -> bool:
    word = first_word(line)
    if not _opens_block(line, word):
        return False
    return any(isinstance(item, ParsedCommand) for item in _read_command([line], word))


def _opens_block(line: Line, word: str) -> bool:
    """Return whether *line*, which begins with *word*, begins a block that ends with END."""
    if word not in _BLOCK_WORDS:
        return False
    if plain(line.text[:MOST_CHARACTERS]).upper().split() == ["STANDING", "NONE"]:
        return False
    return word in _GM_BLOCK_WORDS or not is_for_gms(line)


def first_word(line: Line) -> str:
    """Return the word that decides the kind of a line, in capitals; ``<`` for a count."""
    text = plain(line.text[:MOST_CHARACTERS]).lstrip()
    found = re.match(r"<|[A-Za-z]+(?![A-Za-z0-9=])|\S+", text)
    return found[0].upper() if found else ""


def _read_command(lines: Sequence[Line], word: str, *, headed: bool = False) -> Iterator[Item]:
    """Read one command; wrapped lines count as one, and keep their positions."""
    reader = GMS_READER if is_for_gms(lines[0], headed=headed) else PLAYERS_READER
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


def _command_length(lines: Sequence[Line], at: int, word: str) -> int:
    """Return the number of lines of a command, which a mail program may have wrapped."""
    length = 1
    while word in CONTINUED and length < MOST_WRAPPED and at + length < len(lines):
        typed = " ".join(line.text for line in lines[at : at + length])
        in_quotes = plain(typed).count('"') % 2 == 1
        if not in_quotes and first_word(lines[at + length]) not in CONTINUED[word]:
            break
        length += 1
    return length


def _block_of(head: ParsedCommand, inner: Sequence[Line], orders: Reader | None) -> Item:
    """Return the block that begins with *head* and has the lines *inner*."""
    match head.command:
        case PressHead(recipients, anonymous, receipt):
            return PressBlock(head.line, recipients, anonymous, _text(inner), receipt)
        case BroadcastHead():
            return ParsedCommand(head.line, head.text, Broadcast(_text(inner)))
        case CorrectHead(reason):
            return ParsedCommand(head.line, head.text, Correct(reason, _text(inner)))
        case _ if orders is not None:
            return StandingBlock(head.line, orders.read_lines(inner))
    reason = "There is no running game for these orders."
    return Unparsed(head.text, head.line, 1, reason, is_command=True)


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines).strip("\n")


def _mistyped(line: Line, word: str, intended: str, *, block: bool) -> Unparsed:
    """Return an answer to a mistyped command, or to the block it would have begun."""
    text = plain(line.text).strip()
    column = len(line.text) - len(line.text.lstrip()) + 1
    omitted = ", so this line and all lines down to END were left out" if block else ""
    reason = f"Unknown word {text[: len(word)]}{omitted}."
    advice = f"Did you mean {intended}{text[len(word) :]}?"
    return Unparsed(text, line.number, column, reason, advice, is_command=True)


def _not_read(line: Line, reason: str, advice: str = "") -> Unparsed:
    text = plain(line.text[:MOST_CHARACTERS]).strip()
    column = len(line.text) - len(line.text.lstrip()) + 1
    return Unparsed(text[:78], line.number, column, reason, advice, is_command=True)
