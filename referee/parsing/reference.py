"""The comments of a grammar as a page to mail, because the grammar is the players' reference."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from referee.parsing.grammar_text import grammar_text
from referee.parsing.reader import reader_of
from referee.rules.ruleset import Grammar

_HEADING: Final = re.compile(r"^-+ (.+?) -+$")
_FIXED: Final = re.compile(r'"([A-Z]+)"')
_DEFINED: Final = re.compile(r"^[?!]?(\w+)(?:\.-?\d+)?\s*:", re.MULTILINE)
_NAME: Final = re.compile(r"\w+")
_AT_THE_RIGHT: Final = re.compile(r"(?<=\S) {2,}(?=\S)|^ {5,}")
"""The blanks before an example at the right of a comment, or of another example."""
_CODE: Final = re.compile(r"```\w*\n(.+?)```|`([^`]+)`", re.DOTALL)
"""The code in a page of Markdown: a block of lines, or within a line."""
_WORD: Final = re.compile(r'"([A-Z]{2,})"')
_LAST: Final = "The words above"
"""The heading of the terminals that words consist of, which no player needs."""


def reference(source: str) -> str:
    """Return the comments of the grammar *source* for players, one entry a line.

    It is empty if the grammar has no comments.
    """
    return _spaced(_entries(grammar_text(source)))


def _spaced(entries: Iterable[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(entries)).strip()


def sections(source: str) -> Mapping[str, str]:
    """Return the parts of the reference of the grammar *source*, each by its heading."""
    found: dict[str, list[str]] = {}
    page: list[str] = []
    for entry in _entries(grammar_text(source)):
        # Only a heading has its empty line in the same entry.
        if entry.startswith("\n"):
            page = found.setdefault(entry.strip(), [])
        page.append(entry)
    return {heading: _spaced(entries) for heading, entries in found.items()}


def examples(grammar: Grammar, book: str = "") -> list[Any]:
    """Return the orders among the comments for players, and in the code of a rulebook."""
    reader = reader_of(grammar)
    lines = reference(grammar.source).splitlines()
    among = (text for line in lines for text in reader.orders_among(line))
    # A small word is an order only by chance.
    texts = [text for text in among if not text.split()[0].islower()]
    for fenced, within in _CODE.findall(book):
        texts += fenced.splitlines() or [" ".join(within.split())]
    return [order for text in texts for order in reader.orders_of(text)]


def about(source: str, words: str) -> str:
    """Return the comments on the commands that begin with *words*, or ""."""
    wanted = words.upper().split()
    return "\n\n".join(
        "\n".join(comments)
        for comments, rules in _explained(grammar_text(source))
        if any(_begins(rule, wanted) for rule in rules) and not _HEADING.match(comments[0])
    )


def about_order(source: str, word: str) -> str:
    """Return the comments on the orders, or on the block, that have the fixed *word*, or ""."""
    return about_rules(source, rules_with(source, word), word.upper())


def about_rules(source: str, names: Set[str], opener: str | None = None) -> str:
    """Return the comments on the rules of these names, and on the block of *opener*, or "".

    A block is no rule: its comments show the line that opens it.
    """
    text = grammar_text(source)
    return "\n\n".join(
        "\n".join(line for line in comments if not _HEADING.match(line))
        for comments, rules in _explained(text.partition(f" {_LAST} ")[0])
        if names & {*_DEFINED.findall("\n".join(rules))}
        or any(line.strip() == opener for line in comments)
    )


def unexplained(source: str) -> list[str]:
    """Return the rules for orders that no comment explains, in the order of the grammar.

    Such an order gets no entry in HELP, or that of the order above it. A comment above several
    rules explains those of which it has a fixed word, and those without fixed words. A comment
    above the rule ``order`` explains the only order of a language.
    """
    text = grammar_text(source)
    rules = _rules(text)
    orders = [name for name in _NAME.findall(rules.get("order", "")) if name in rules]
    explained: set[str] = set()
    for comments, below in _explained(text):
        if not all(map(_HEADING.match, comments)):
            first, *others = _DEFINED.findall("\n".join(below)) or [""]
            comment = "\n".join(comments)
            explained |= {first, *(each for each in others if _shares(rules[each], comment))}
    if "order" in explained and len(orders) == 1:
        return []
    return [name for name in dict.fromkeys(orders) if name not in explained]


def _shares(rule: str, comment: str) -> bool:
    """Return whether *comment*, which is above another rule, is also about *rule*."""
    fixed = _WORD.findall(rule.upper())
    return not fixed or any(word in comment for word in fixed)


def _explained(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield each run of comments with the rules below it, which it explains."""
    comments: list[str] = []
    for is_comment, run in groupby(text.splitlines(), lambda line: line.startswith("//")):
        if is_comment:
            comments = _comments(run)
        elif comments:
            yield comments, list(run)


def _comments(lines: Iterable[str]) -> list[str]:
    """Return the text of comments for a phone: each example is on a line of its own, indented."""
    texts = (line.removeprefix("//").removeprefix(" ").rstrip() for line in lines)
    narrow = (_AT_THE_RIGHT.sub("\n    ", text).removeprefix("\n") for text in texts)
    return [line for text in narrow for line in text.split("\n")]


# An answer names a topic for each of many lines.
@lru_cache(maxsize=512)
def rules_with(source: str, word: str) -> frozenset[str]:
    """Return the names of the rules and terminals with a fixed *word*, without the start rule."""
    rules = _rules(grammar_text(source))
    rules.pop("order", None)
    found = {name for name, rule in rules.items() if word.upper() in _WORD.findall(rule.upper())}
    while more := {n for n, rule in rules.items() if found & {*_NAME.findall(rule)}} - found:
        found |= more
    return frozenset(found)


def rules_explained_with(source: str, word: str) -> frozenset[str]:
    """Return the names of the rules whose comments have *word*, or else below a heading with it.

    So an order that is a code, such as W7B5I, is found by the English word for it.
    """
    entries: set[str] = set()
    section: set[str] = set()
    is_below = False
    for comments, below in _explained(grammar_text(source).partition(f" {_LAST} ")[0]):
        names = {*_DEFINED.findall("\n".join(below))}
        if "order" in names:
            continue
        for line in comments:
            heading = _HEADING.match(line)
            if heading is not None:
                is_below = _has(heading[1].partition("(")[0], word)
            elif _has(line, word):
                entries |= names
        section |= names if is_below else set()
    return frozenset(entries or section)


def _has(text: str, word: str) -> bool:
    return word.upper() in _NAME.findall(text.upper())


def _rules(text: str) -> dict[str, str]:
    _, *parts = _DEFINED.split("\n".join(line for line in text.split("\n") if line[:2] != "//"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _begins(rule: str, wanted: list[str]) -> bool:
    alternatives = re.split(r"^[a-z_]+\s*:|\|", rule)
    return any(_FIXED.findall(each)[: len(wanted)] == wanted for each in alternatives[1:])


def _entries(text: str) -> Iterator[str]:
    lines = text.splitlines()
    for number, (is_comment, run) in enumerate(groupby(lines, lambda line: line.startswith("//"))):
        if not is_comment:
            continue
        comments = _comments(run)
        heading = _HEADING.match(comments[0])
        if heading is not None and heading.group(1) == _LAST:
            return
        if heading is not None:
            yield f"\n{heading.group(1).upper()}"
        elif number == 0 or "" in comments:
            # The subject of the page, and long explanations, are separated by empty lines.
            yield from ("", *comments, "")
        else:
            yield from comments
