"""A player's own text: its heading, and its orders, commands and messages as typed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache, partial
from itertools import islice, takewhile
from typing import Final

from referee.domain.commands import Cancel, Command, CountOrders, ShowDiary, ShowStanding
from referee.domain.effort import FREE, UNADVISED, Effort
from referee.domain.gm_commands import Broadcast, Correct
from referee.domain.mail_transfer import Line
from referee.parsing.advice import NO_ORDER, is_typo
from referee.parsing.command_lines import (
    GIVES_UP,
    GM_BLOCK_WORDS,
    MOST_WRAPPED,
    Heading,
    ParsedCommand,
    TurnLine,
    begins_block,
    command_length,
    find_heading,
    first_word,
    head_in_diary,
    hidden_in_note,
    in_heading,
    is_command,
    is_part,
    named_turn,
    no_end,
    not_read,
    opens_block,
    plainer,
    read_command,
    read_heading,
)
from referee.parsing.commands import (
    CONTINUED,
    command_words,
    gm_words,
    gms_reader,
    is_for_gms,
    players_reader,
    players_words,
)
from referee.parsing.gm_commands import COMMAND_MEANT
from referee.parsing.items import DiaryBlock, Parsed, PressBlock, StandingBlock, Unparsed
from referee.parsing.lines import (
    CODE,
    COURTESIES,
    MOST_CHARACTERS,
    fold,
    is_empty,
    is_title,
    plain,
    without_courtesies,
)
from referee.parsing.reader import Reader, ends_block
from referee.rules.wording import counted

__all__ = [
    "Body",
    "DiaryBlock",
    "Heading",
    "ParsedCommand",
    "PressBlock",
    "StandingBlock",
    "find_heading",
    "read_body",
    "read_heading",
]

MOST_ITEMS = 3000
MOST_TYPED: Final = 250_000
"""The maximum number of characters that are read as orders."""
MOST_COMMANDS: Final = 60
"""The maximum number of commands and messages in a letter; orders do not count."""
_GM_WRITES = GM_BLOCK_WORDS | {"PRESS"}
"""The blocks of a GM. If the first line of one is mistyped, the lines below it are not read."""
_OF_READING: Final = frozenset({"ADD", "CHECK"})
"""The commands that say how orders are read, so these can be on the same line: ``ADD F3W75``."""
_OF_ORDERS: Final = frozenset({"ORDERS", "STANDING"})
"""The blocks that contain orders."""
_DRASTIC = GIVES_UP | {"END", "UNDO"}
"""The commands that are suggested only for a typo of one letter."""
_QUESTIONS: Final[Mapping[str, Command]] = {"STANDING": ShowStanding(), "DIARY": ShowDiary()}
"""The question of a block's first line if there is no block below it."""
_OWN_COUNT = re.compile(
    r"(?<=[^\s<>])\s+(?:(<)|TOTAL\s+ORDERS\s*:)\s*([1-9][0-9]{0,4})\s*(?(1)>)\s*$",
    re.IGNORECASE,
)
_COMMAND_WORD: Final = re.compile("[A-Z]+|<")
_STOP: Final = re.compile(r"\.\s+")
NO_COMMAND: Final = "This is not a command. There is no running game, so it cannot be an order."
_MOST_GAMELESS: Final = 100
"""How many lines are looked at, whoever wrote the email."""


Item = Parsed | Unparsed | ParsedCommand | PressBlock | DiaryBlock | StandingBlock


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
    def parsed(self) -> tuple[Parsed, ...]:
        """The orders for the current turn that were read."""
        return tuple(item for item in self.items if isinstance(item, Parsed))

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


def read_body(
    lines: Sequence[Line],
    orders: Reader | None,
    about: Heading | None = None,
    effort: Effort = FREE,
    yes: str = "",
) -> Body:
    """Read the lines a player typed; *orders* reads the order lines, if a game is known.

    *about* is the game and turn that the orders are for if the lines have no heading, and *yes* the
    command that a YES is: JOIN in reply to an invitation.
    The first word of a line decides whether it is a command or an order. A block without an END,
    such as a PRESS, is one Unparsed item. Raises LetterTooCostly if *effort* is used up.
    """
    heading = find_heading(lines)
    reading = _BodyReader([*lines], orders, heading, about, effort, yes)
    while (
        reading.at < len(reading.lines)
        and len(reading.items) + len(reading.sheet) < MOST_ITEMS
        and reading.typed < MOST_TYPED
    ):
        effort.check()
        reading.step()
    reading.file_orders()
    if reading.at < len(reading.lines):
        reason = "Your email is too long. Nothing was read from this line on."
        reading.stop(reading.lines[reading.at], reason)
    return Body(heading, tuple(reading.items))


@dataclass(slots=True)
class _BodyReader:
    """The state of the reading of one text."""

    lines: list[Line]
    orders: Reader | None
    heading: Heading | None
    about: Heading | None = None
    effort: Effort = FREE
    yes: str = ""
    at: int = 0
    items: list[Item] = field(default_factory=list)
    commands: int = 0
    """The number of commands and messages so far."""
    typed: int = 0
    """The number of characters that were read as orders so far."""
    sheet: list[Line] = field(default_factory=list)
    """Order lines that are not read yet: a block of orders can have several."""

    def step(self) -> None:
        """Read the next line, or the block that begins with it."""
        first = self.lines[self.at]
        if is_title(first.text) and any(map(self._has_order, islice(self._below(first), 1))):
            # ``Orders:`` is no question, but the title of an order below it.
            self.file_orders()
            title = not_read(first, NO_ORDER.reason)
            self.items.append(title._replace(is_command=False, is_words=True))
            self.at += 1
            return
        self._put_parts_below()
        self.lines[self.at : self.at + 1] = self._bare(self.lines[self.at])
        line = self.lines[self.at]
        word = first_word(line)
        if (named := read_heading(line)) is not None:
            self._name(line, named)
        elif word == "END" and ends_block(line):
            self._end(line)
        elif (turn := self._turn_in(line, word)) is not None:
            self._turn(line, turn)
        elif self.commands == MOST_COMMANDS and word in command_words():
            reason = f"An email can have {MOST_COMMANDS} commands. Nothing was read from here on."
            self.stop(line, reason, "Send the rest in another email.")
        elif self._opens_block(line, word) and self._is_block(line, word):
            self._block(word)
        elif word in command_words():
            self._command(word)
        else:
            self._order(line, word)

    def file_orders(self) -> None:
        """Read the order lines found so far."""
        self.typed += sum(len(line.text) for line in self.sheet)
        if self.sheet and self.orders is not None:
            self.items.extend(map(_named, self.orders.read_lines(self.sheet, self.effort)))
        else:
            self.items.extend(_without_game(self.sheet, is_for_gm=self._headed))
        self.sheet = []

    def _put_parts_below(self) -> None:
        """Put parts of a command that are above it below it: they have no sequence."""
        near = self.lines[self.at : self.at + MOST_WRAPPED]
        if not is_part(near[0]):
            return
        near = [*takewhile(lambda each: is_empty(each) or is_part(each), near)]
        above, at = [each for each in near if not is_empty(each)], self.at + len(near)
        apart = len(above) < len(near)
        if not all(is_part(each, apart=apart) and not self._has_order(each) for each in above):
            return
        bare = (each for line in self.lines[at : at + 1] for each in self._bare(line))
        moved = [*bare, *above, *self.lines[at + 1 :]]
        if command_length(moved, 0, first_word(moved[0])) > len(above):
            self.lines[self.at :] = moved

    def _bare(self, line: Line) -> list[Line]:
        """Return a command without the list, the marks or the polite words it is typed in.

        Orders behind it are another line. ``A=ADD`` is an order, and not a polite ADD.
        """
        if self.yes and (affirmed := self._affirmed(line)) is not None:
            return [affirmed]
        typed = plain(line.text[:MOST_CHARACTERS])
        # Before the colon of an order can be its seat, or ORDERS.
        seat = self.about.seat if self.about is not None else ""
        labels = "|".join(map(re.escape, filter(None, (seat, "ORDERS"))))
        named = _behind(line, rf"(?:{labels})\s*:") if ":" in line.text else line
        if (
            named != line
            and self.orders is not None
            and not self.orders.reads(typed)
            and not self.orders.advice.is_words(plain(named.text))
        ):
            return [named]
        has_command = not command_words().isdisjoint(_COMMAND_WORD.findall(typed.upper()))
        if not has_command or (self.orders is not None and self.orders.reads(typed)):
            return [line]
        for bare in (line, *map(partial(Line, line.number), plainer(line))):
            word = first_word(bare)
            if word in _OF_READING and self._has_order(behind := _behind(bare, word)):
                return [Line(line.number, word), behind]
            if word in command_words() and is_command(bare, word, headed=self._as_headed(word)):
                return [bare]
        return [*self._behind_orders(line)] or [line]

    def _affirmed(self, line: Line) -> Line | None:
        """Return a YES, alone or with parts, as the command that it is here, or None.

        Next to the command itself a YES says nothing, so it is an empty line.
        """
        is_written = any(first_word(each) == self.yes for each in self.lines)
        for bare in map(partial(Line, line.number), plainer(line)):
            rest = next(without_courtesies(_behind(bare, "YES").text, COURTESIES), "").strip()
            parts = {first_word(Line(1, rest)), *rest.split()} & CONTINUED[self.yes]
            if first_word(bare) == "YES" and not (rest and (is_written or not parts)):
                return Line(line.number, f"{self.yes} {rest}" * (not is_written))
        return None

    def _behind_orders(self, line: Line) -> Sequence[Line]:
        """Return the orders of a line and a command behind a full stop, as in ``F3W75. FINAL``."""
        for stop in _STOP.finditer(line.text.partition("#")[0]):
            below = replace(line, text=" " * stop.end() + line.text[stop.end() :])
            if first_word(below) in command_words():
                above = replace(line, text=line.text[: stop.start()])
                return (above, below) if self._has_order(above) else ()
        return ()

    def _is_block(self, line: Line, word: str) -> bool:
        """Return whether *line* begins a block and no sentence: ``Press on!`` hides no orders.

        It is read whole, or begins with its word in capitals. A player has no block of a GM, but
        lines up to an END are not read as orders.
        """
        if self.orders is None or not self._by_player:
            return True
        is_shouted = plain(line.text).lstrip().startswith(word)
        if word in GM_BLOCK_WORDS:
            return is_shouted and self._end_of_block(word) is not None
        return is_shouted or begins_block(line, headed=False)

    def _are_words(self, item: ParsedCommand | Unparsed, reader: Reader) -> bool:
        """Return whether a line with the word of a command does nothing and is a sentence.

        A CANCEL takes any words, but cancels only orders. A player has no block of a GM.
        """
        if self.orders is None or self._headed:
            return False
        match item:
            case ParsedCommand(command=Correct() | Broadcast()):
                return True
            case ParsedCommand(command=Cancel(order)):
                has_order = self._has_order(Line(item.line, order))
                return not has_order and self.orders.advice.is_words(order)
            case Unparsed(text):
                return reader.advice.is_words(text) and self.orders.advice.is_words(text)
        return False

    def _name(self, line: Line, named: Heading) -> None:
        self.at += 1
        if self.heading is None:
            return
        if named.game != self.heading.game:
            self._stop_at(line, "game", named.game)
        elif named.turn not in (None, self.heading.turn):
            self._stop_at(line, "turn", f"T{named.turn}")
        else:
            self.items.extend(in_heading(line, self.orders))

    def _turn_in(self, line: Line, word: str) -> TurnLine | None:
        """Return the turn that *line*, no heading, names for its orders or those below it."""
        turn = self._sheet_turn
        if turn is None or self.orders is None or self._headed or self._opens_block(line, word):
            return None
        named = named_turn(line, turn)
        if named is None or self._has_order(named.head):
            return None
        if named.rest.text.strip() and not self._has_order(named.rest):
            return None
        return None if is_command(line, word, headed=self._as_headed(word)) else named

    def _turn(self, line: Line, named: TurnLine) -> None:
        """Read the orders of a line that names the turn of the email; end at any other turn."""
        if named.turn != self._sheet_turn:
            self._stop_at(line, "turn", f"T{named.turn}")
            return
        self.sheet.append(named.rest)
        self.at += 1

    @property
    def _sheet_turn(self) -> int | None:
        named = self.heading.turn if self.heading is not None else None
        return named if named is not None or self.about is None else self.about.turn

    def _stop_at(self, line: Line, kind: str, other: str) -> None:
        """Read nothing from *line* on, which is about another game or turn."""
        game = (self.heading or self.about or Heading("")).game
        head = f", with {game} {other} on its first line" if kind == "turn" and game else ""
        reason = f"An email is about one {kind}, so nothing was read from here on for {other}."
        self.stop(line, reason, f"Send it in an email of its own{head}.")

    def stop(self, line: Line, reason: str, advice: str = "") -> None:
        """Read nothing from this line on."""
        self.file_orders()
        lost = sum(1 for _ in self._below(line))
        self.items.append(not_read(line, reason, advice, 1 + lost))
        self.at = len(self.lines)

    def _below(self, line: Line) -> Iterator[Line]:
        """Yield the lines below *line*, the next one, without empty ones."""
        below = islice(self.lines, self.at, None)
        return (each for each in below if each.number > line.number and each.text.strip())

    def _end(self, line: Line) -> None:
        self.file_orders()
        if below := [*self._below(line)]:
            reason = f"END ends the email. Not read below it: {counted(len(below), 'line')}."
            lost = len(below) if any(map(self._has_order, below)) else 0
            self.items.append(not_read(line, reason, lost=lost))
        self.at = len(self.lines)

    def _order(self, line: Line, word: str) -> None:
        length = self.orders.block_length(self.lines, self.at, self._is_read) if self.orders else 0
        if not length and (intended := self._intended_word(line, word)):
            self.file_orders()
            length = self._mistyped_block_length(intended)
            omitted = ", so this line and all lines down to END were left out" if length else ""
            typed = plain(line.text).strip()
            reason = f"Unknown word {typed[: len(word)]}{omitted}."
            advice = f"Did you mean {intended}{typed[len(word) :]}?"
            self.items.append(not_read(line, reason, advice))
        elif not length and (count := self._own_count(line)) is not None:
            self._count_orders(line, count)
        elif not length and (note := hidden_in_note(line, self._orders_in)) is not None:
            self.file_orders()
            self.items.append(note)
        elif line.text.strip():
            self.sheet.extend(self.lines[self.at : self.at + max(length, 1)])
        self.at += max(length, 1)
        if self.orders is not None:
            # What was found out about the line is still known.
            self.file_orders()

    def _is_read(self, line: Line) -> bool:
        """Return whether *line* is a command or a heading, or has orders behind other marks."""
        bare, *behind = self._bare(line)
        word = first_word(bare)
        headed = self._as_headed(word)
        commands = word in command_words() and is_command(bare, word, headed=headed)
        is_named = read_heading(bare) is not None or self._turn_in(bare, word) is not None
        is_order = self._has_order(bare) or self._own_count(bare) is not None
        return bool(behind) or commands or is_named or is_order

    def _own_count(self, line: Line) -> re.Match[str] | None:
        """Return the player's own count at the end of a line of orders, or None."""
        text = plain(line.text)
        count = _OWN_COUNT.search(text) if text.rstrip(" >")[-1:].isdigit() else None
        if count is not None and self.orders is not None:
            typed = text[: count.start()]
            is_order = self._has_order(Line(line.number, typed)) or CODE.search(typed)
            return count if is_order else None
        return count

    def _count_orders(self, line: Line, count: re.Match[str]) -> None:
        """Remove the player's own count from the end of a line of orders."""
        column = fold(line.text).columns[count.start()]
        self.sheet.append(replace(line, text=line.text[: column - 1]))
        self.file_orders()
        command = CountOrders(int(count[2]))
        self.items.append(ParsedCommand(line.number, count[0].strip(), command))

    def _intended_word(self, line: Line, word: str) -> str:
        """Return the command word that a line nearly begins with, or "" for other text."""
        if len(word) < 3 or not word.isalpha() or (word in COMMAND_MEANT and not self._by_player):
            return ""
        near = _nearest_command(word, by_player=self._by_player)
        of_game = self.orders is not None and self.orders.knows(word)
        if not near or of_game or self._has_order(line):
            return ""
        reader = gms_reader() if near in gm_words() else players_reader()
        by_player = self.orders is not None and not self._headed
        is_words = by_player and reader.advice.is_words(plain(line.text))
        return "" if is_words else near

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

    def _as_headed(self, word: str) -> bool:
        """Return whether a line that begins with *word* is read as below a GM's heading.

        ORDERS FOR and UNDO need none in an email of the GM: no seat's orders are among it.
        """
        return self._headed or (word in {"ORDERS", "UNDO"} and not self._by_player)

    def _opens_block(self, line: Line, word: str) -> bool:
        return opens_block(line, word, headed=self._as_headed(word))

    def _has_order(self, line: Line) -> bool:
        return self._orders_in(line) > 0

    def _orders_in(self, line: Line) -> int:
        items = self.orders.read_lines([line], UNADVISED) if self.orders is not None else ()
        return sum(isinstance(item, Parsed) for item in items)

    def _command(self, word: str) -> None:
        length = command_length(self.lines, self.at, word)
        lines = self.lines[self.at : self.at + length]
        headed = self._as_headed(word)
        reader = gms_reader() if is_for_gms(lines[0], headed=headed) else players_reader()
        items = [*read_command(lines, word, headed=headed)]
        if any(self._are_words(item, reader) for item in items):
            # Orders among the words are lines to send, as in any other line.
            self.sheet.append(self.lines[self.at])
            self.at += 1
            return
        self.commands += 1
        self.file_orders()
        self.at += length
        self.items.extend(items)

    def _block(self, word: str) -> None:
        self.commands += 1
        self.file_orders()
        head = self.lines[self.at]
        end = self._end_of_block(word)
        below, headed = self.lines[self.at + 1 :], not self._by_player
        other = head_in_diary(below, headed=headed) if word == "DIARY" else None
        asked = _QUESTIONS.get(word) if end is None and other is None else None
        if asked and self._has_none_below(word):
            self.at += 1
            self.items.append(ParsedCommand(head.number, word, asked))
            return
        if end is None:
            self.stop(head, *no_end(word, other))
            return
        inner = self.lines[self.at + 1 : end]
        self.at = end + 1
        self.items.extend(
            _block_of(item, inner, self.orders) if isinstance(item, ParsedCommand) else item
            for item in read_command([head], word, headed=self._as_headed(word))
        )

    def _has_none_below(self, word: str) -> bool:
        """Return whether the lines up to the next command have nothing for a block: a question."""
        rest = self.lines[self.at + 1 :]
        below = takewhile(lambda each: first_word(each) not in command_words(), rest)
        if word == "STANDING":
            return not any(map(self._has_order, below))
        is_whole = is_command(self.lines[self.at], word, headed=False)
        return is_whole and not any(line.text.strip() for line in below)

    def _end_of_block(self, word: str) -> int | None:
        """Return the position of the END of the block, which can contain blocks of orders.

        If a message runs into the first line of the next one, its END is missing. It would go to
        people it was not written to.
        """
        at = self.at + 1
        while at < len(self.lines):
            if ends_block(self.lines[at]):
                return at
            if begins_block(self.lines[at], headed=not self._by_player):
                return None
            nested = word in _OF_ORDERS and self.orders is not None
            at += (self.orders.block_length(self.lines, at) if nested and self.orders else 0) or 1
        return None


def _behind(line: Line, word: str) -> Line:
    """Return *line* with blanks for *word*, which begins it, and for the marks behind it."""
    begins = re.match(rf"\W*{word}\W*?(?=[\w(@]|$)", line.text, re.IGNORECASE)
    at = begins.end() if begins is not None else 0
    return Line(line.number, " " * at + line.text[at:])


def _block_of(head: ParsedCommand, inner: Sequence[Line], orders: Reader | None) -> Item:
    """Return the block that begins with *head* and has the lines *inner*."""
    text = "\n".join(line.text for line in inner).strip("\n")
    match head.command:
        case PressBlock() | DiaryBlock() as block:
            return replace(block, line=head.line, text=text)
        case StandingBlock() if orders is not None:
            return StandingBlock(head.line, orders.read_lines(inner))
        case StandingBlock():
            reason = "There is no running game for these orders."
            return Unparsed(head.text, head.line, 1, reason, is_command=True)
    return replace(head, command=replace(head.command, text=text))


def _without_game(lines: Sequence[Line], *, is_for_gm: bool) -> list[Unparsed]:
    """Return the lines to answer; most of them are words."""
    is_words = (gms_reader() if is_for_gm else players_reader()).advice.is_words
    unread = (
        not_read(each, NO_COMMAND) for each in (lines if is_for_gm else lines[:_MOST_GAMELESS])
    )
    return [each._replace(is_words=is_words(each.text), is_command=False) for each in unread]


def _named(item: Parsed | Unparsed) -> Parsed | Unparsed:
    """Return *item*; words of a command among orders are named as such."""
    word = item.text.upper()
    if isinstance(item, Parsed) or item.reason != NO_ORDER.reason or word not in command_words():
        return item
    return item if item.is_words else item._replace(reason=f"{word} goes on a line of its own.")


@lru_cache(maxsize=1000)
def _nearest_command(word: str, *, by_player: bool) -> str:
    """Return the command word that *word*, in capitals, nearly is, or "".

    A drastic one is so only with a typo behind the first letter.
    """
    words = [
        each
        for each in (players_words() if by_player else command_words())
        if each not in _DRASTIC or (word[0] == each[0] and is_typo(word, each))
    ]
    return next(iter(get_close_matches(word, words, n=1, cutoff=0.75)), "")
