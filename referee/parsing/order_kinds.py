"""Kinds of orders: the rules of the grammar that a text is, or begins to be."""

from collections.abc import Iterator
from string import ascii_uppercase
from typing import Final

from referee.parsing.failure_position import END, ParseFailure
from referee.parsing.language import Language, fixed_text
from referee.rules.ruleset import Separator

_SAMPLES: Final = (
    "5",
    *(f"{letter}{behind}" for behind in ("5", "", "A") for letter in ascii_uppercase),
    "1=",
    "1A",
    "XYZ",
)
"""Texts that can stand for a terminal when an order is completed."""
_MOST_STEPS: Final = 4
_MOST_TEXTS: Final = 40
_MOST_KINDS: Final = 4
"""A text that could become more kinds than these says nothing about what was meant."""


def kinds(language: Language, text: str) -> frozenset[str]:
    """Return the rule of the order *text*, or the rules that need least to complete its beginning.

    None if there are too many, or if less than half of the text begins an order. A word without
    digits and marks is only taken for a whole order.
    """
    found = language.rule_of(text)
    if isinstance(found, str):
        return frozenset({found})
    if text.isalpha() or 2 * found.at < len(text):
        return frozenset()
    begun = [text[: found.at].rstrip()]
    for _ in range(_MOST_STEPS):
        read = [(each, language.rule_of(each)) for each in begun[:_MOST_TEXTS]]
        whole = frozenset(rule for _, rule in read if isinstance(rule, str))
        if whole:
            return whole if len(whole) <= _MOST_KINDS else frozenset()
        begun = [
            longer
            for each, wrong in read
            if isinstance(wrong, ParseFailure) and wrong.at == len(each)
            for longer in _continued(language, each, wrong)
        ]
    return frozenset()


def _continued(language: Language, text: str, wrong: ParseFailure) -> Iterator[str]:
    """Yield *text* with each of the terminals that can follow."""
    gap = " " if language.grammar.separator is Separator.LINES else ""
    for name in sorted(wrong.expected - {END}):
        fixed = fixed_text(language.terminals[name])
        sample = fixed or next((s for s in _SAMPLES if language.matches(name, s)), "")
        if sample:
            yield f"{text}{gap}{sample}"
