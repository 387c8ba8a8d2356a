"""The parser of printouts (s27)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from referee.rules.ruleset import UserError
from referee.rulesets.starweb.state import Character
from referee.rulesets.starweb.text.printout import (
    Acquaintance,
    Holdings,
    OrderEcho,
    Printout,
    Relation,
    Sign,
    WorldRecord,
)
from referee.rulesets.starweb.text.records import Scanner, read_records
from referee.rulesets.starweb.text.writer import RULE, SCORES, SEEN, WIDTH, render_printout

_GAME: Final = re.compile(r"Game ([^,\n]*), Turn ([0-9]{1,9}), \[([A-Z]+)\]")
_CHARACTER: Final = re.compile("|".join(character.value for character in Character))
_NAME: Final = re.compile(r"\[([A-Z]+)\]")
_OPEN: Final = re.compile(r"\(")
_CLOSE: Final = re.compile(r"\)")
_COMMA: Final = re.compile(",")
_HOLDING: Final = re.compile(
    rf"({'|'.join(field.name.capitalize() for field in fields(Holdings))})=(-?[0-9]{{1,9}})"
)
_RELATION: Final = re.compile(rf"({'|'.join(r.value for r in Relation)})=\[([A-Z]+)\]")
_SCORE: Final = re.compile(r"-?[0-9]{1,9}")
_ECHO: Final = re.compile(r"Orders=([0-9]{1,9}) <errors and comments in angle-brackets>:")
_WORD: Final = re.compile(r"<[^<>]*>|\S+")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines without an empty one between them, and the number of the first."""

    lines: tuple[str, ...]
    number: int

    @property
    def placed(self) -> str:
        """The text below as many empty lines as there are lines above it."""
        return "\n" * (self.number - 1) + "\n".join(self.lines)

    def scanner(self) -> Scanner:
        return Scanner(self.placed)


def parse_printout(text: str) -> Printout:
    """Return the printout in *text*, from which ``render_printout`` makes the same text.

    Raises UserError, with line and column, if the text is not exactly that of a printout; only the
    end of its last line may be missing.
    """
    blocks = list(_blocks(text))
    if len(blocks) < 3:
        raise UserError("line 1, column 1: expected a game, a player and a line of dashes")
    game, turn, name = _game(blocks[0])
    character, holdings, acquaintances = _heading(blocks[1], name)
    rest = blocks[3:]
    echo, due = _ending(rest)
    printout = Printout(
        game=game,
        turn=turn,
        name=name,
        character=character,
        holdings=holdings,
        acquaintances=acquaintances,
        worlds=tuple(world for block in rest for world in _worlds(block)),
        seen=tuple(part for block in rest for part in _listed(block, SEEN, _NAME, "a name")),
        scores=tuple(int(p) for block in rest for p in _listed(block, SCORES, _SCORE, "a score")),
        signs=tuple(sign for block in rest for sign in _signs(block)),
        echo=echo,
        due=due,
    )
    # Mail programs may drop the end of the last line.
    _compare(text if text.endswith("\n") else f"{text}\n", render_printout(printout))
    return printout


def _blocks(text: str) -> Iterator[_Block]:
    lines: list[str] = []
    number = 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line:
            lines.append(line)
        elif lines:
            yield _Block(tuple(lines), number - len(lines))
            lines = []


def _game(block: _Block) -> tuple[str, int, str]:
    found = block.scanner().expect(_GAME, "Game SW-1, Turn 1, [NAME]")
    return found[1], int(found[2]), found[3]


def _heading(block: _Block, name: str) -> tuple[Character, Holdings, tuple[Acquaintance, ...]]:
    scanner = block.scanner()
    scanner.expect(re.compile(rf"\[{name}\]:"), f"[{name}]:")
    character = Character(scanner.expect(_CHARACTER, "a character")[0])
    scanner.expect(_OPEN, "an opening parenthesis")
    counts: dict[str, int] = {}
    known: list[Acquaintance] = []
    while not scanner.take(_CLOSE):
        if counts or known:
            scanner.expect(_COMMA, "a comma or a closing parenthesis")
        if holding := scanner.take(_HOLDING):
            counts[holding[1].lower()] = int(holding[2])
        else:
            met = scanner.expect(_RELATION, "Score=0, Met=[NAME] or the like")
            known.append(Acquaintance(Relation(met[1]), met[2]))
    return character, Holdings(**counts), tuple(known)


def _worlds(block: _Block) -> Iterator[WorldRecord]:
    if block.lines[0].startswith("W"):
        for entry in read_records(block.placed).worlds:
            yield entry.record


def _listed(block: _Block, title: str, part: re.Pattern[str], what: str) -> Iterator[str]:
    """Yield the parts of a block that is a list under *title*, and nothing for another block."""
    scanner = block.scanner()
    if scanner.take(re.compile(re.escape(title))):
        while not scanner.at_end():
            found = scanner.expect(part, what)
            yield found[found.lastindex or 0]


def _signs(block: _Block) -> Iterator[Sign]:
    name = re.fullmatch(r"Sign of \[([A-Z]+)\]:", block.lines[0])
    if name:
        lines: list[str] = []
        for line in block.lines[1:]:
            if line.startswith("#+") and lines:
                lines[-1] += line[2:]
            else:
                lines.append(line[2:])
        yield Sign(name[1], tuple(lines))


def _ending(blocks: list[_Block]) -> tuple[OrderEcho | None, str]:
    """Return the echo of the orders and the deadline from the end of a printout."""
    if not blocks or not blocks[-1].lines[0].startswith(("Orders=", RULE)):
        return None, ""
    last = blocks[-1]
    if last.lines[0] == RULE:
        return None, _due(last.lines[1:])
    found = last.scanner().expect(_ECHO, "Orders=3 <errors and comments in angle-brackets>:")
    rules = [index for index, line in enumerate(last.lines) if line == RULE]
    if len(rules) < 2:
        line = last.number + len(last.lines)
        raise UserError(f"line {line}, column 1: expected the orders between two lines {RULE}")
    words = _WORD.findall(" ".join(last.lines[2 : rules[-1]]))
    return OrderEcho(int(found[1]), tuple(words)), _due(last.lines[rules[-1] + 1 :])


def _due(lines: tuple[str, ...]) -> str:
    return " ".join(line.strip() for line in lines).removeprefix("Due ")


def _compare(text: str, exact: str) -> None:
    """Raise UserError, with line and column, if *text* differs from *exact*."""
    if text == exact:
        return
    lines, exact_lines = text.split("\n"), exact.split("\n")
    for number, (line, expected) in enumerate(zip(lines, exact_lines, strict=False), 1):
        if line != expected:
            column = next(
                (
                    n
                    for n, pair in enumerate(zip(line, expected, strict=False))
                    if pair[0] != pair[1]
                ),
                min(len(line), len(expected)),
            )
            shown = f'"{expected[column:][:WIDTH]}"' if expected[column:] else "the end of the line"
            raise UserError(f"line {number}, column {column + 1}: expected {shown}")
    number = min(len(lines), len(exact_lines))
    raise UserError(f"line {number}, column {len(lines[number - 1]) + 1}: expected a different end")
