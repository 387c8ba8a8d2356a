"""Lines derived from a grammar: every form of an order or a command, with names that are given."""

import re
from collections.abc import Sequence
from functools import cache
from random import Random
from string import ascii_uppercase
from typing import Final

from lark.grammar import NonTerminal, Symbol
from lark.lexer import PatternStr

from referee.parsing.fast_path import FLAGS
from referee.parsing.language import parser_of
from referee.rules.ruleset import Grammar, Separator

_MOST_REPEATED: Final = 3
_SAMPLES: Final = (
    *(f"{letter}{rest}" for letter in ascii_uppercase for rest in ("", "1", "27", "A", "X-1")),
    *("1", "5", "12", "3B", "2+", "MAX", "ASC", "PUBLIC", "scout", "ALL", "ADDSHIP", "X Y", "p*"),
    *(
        "(1,0)",
        "@Mandrake",
        "EASY",
        "ME",
        "DRAW",
        "YES",
        "no",
        "RECEIPT",
        "SIGNED",
        "OFF",
        "early=0",
        "START BY GM",
        "Fri 18:00",
        '"mine own"',
    ),
    *("frodo@example.org", "2 days", "hours", "22:00", "NONE", "18 September", "tomorrow"),
)
"""Texts for terminals that are neither fixed nor a name: those that fit are used."""


def derived(grammar: Grammar, start: str, chance: Random, names: Sequence[str]) -> str:
    """Return a line of *grammar*; each terminal that any word fits is one of *names*."""
    gap = "" if start == "order" and grammar.separator is not Separator.LINES else " "
    return gap.join(_parts(grammar.source, start, NonTerminal(start), chance, names))


def _parts(
    source: str,
    start: str,
    symbol: Symbol,
    chance: Random,
    names: Sequence[str],
    depth: int = 0,
) -> list[str]:
    if symbol.is_term:
        fixed = _samples(source, start, str(symbol.name))
        pattern = _pattern(source, start, str(symbol.name))
        return [chance.choice(fixed or [name for name in names if pattern.fullmatch(name)])]
    every = [rule.expansion for rule in parser_of(source, start).rules if rule.origin == symbol]
    if depth > _MOST_REPEATED:
        every = [expansion for expansion in every if symbol not in expansion]
    return [
        text
        for part in chance.choice(every)
        for text in _parts(source, start, part, chance, names, depth + (part == symbol))
    ]


@cache
def _pattern(source: str, start: str, name: str) -> re.Pattern[str]:
    terminals = parser_of(source, start).terminals
    (found,) = (each.pattern.to_regexp() for each in terminals if each.name == name)
    return re.compile(found, FLAGS)


@cache
def _samples(source: str, start: str, name: str) -> tuple[str, ...]:
    """Return the text of a terminal, or samples of it; none if it can be any word."""
    (terminal,) = (each for each in parser_of(source, start).terminals if each.name == name)
    if isinstance(terminal.pattern, PatternStr):
        return (terminal.pattern.value,)
    pattern = _pattern(source, start, name)
    return () if pattern.fullmatch("XYZZY") else tuple(filter(pattern.fullmatch, _SAMPLES))
