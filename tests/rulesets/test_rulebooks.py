"""Every ruleset has a rulebook, and the orders in it are orders."""

import re
from typing import Any

import pytest

from referee.desk.base.rulebooks import Rulebook, rulebook
from referee.parsing.items import Parsed
from referee.parsing.language import Language, parser_of
from referee.parsing.reader import Reader
from referee.parsing.reference import reference
from referee.plugins import installed_rulesets
from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset, Seat, SignUp

RULESETS = installed_rulesets()
PARTS = {
    "star_empires": {"EXCEPT", "asc", "@Earth", "@probe"},
    "fistful": {"C/S 6-"},
    "singularity": {"+", "=", "-", "V", "W", "J"},
}
"""Code in the rulebooks that is part of an order or a report, not an order."""
NOT_FOR_PLAYERS = ("NOTATION", "MASTERY")
"""Chapters whose code is not for players: test cases, and orders of the GM."""


def book_of(key: str) -> Rulebook:
    book = rulebook(RULESETS[key])
    assert book is not None
    return book


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_every_ruleset_has_a_rulebook_with_chapters(key: str) -> None:
    words = [chapter.word for chapter in book_of(key).chapters]
    assert words[0] == "START"
    assert len(words) == len(set(words)) >= 5


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_the_orders_in_a_rulebook_are_orders(key: str) -> None:
    reader = Reader(RULESETS[key].grammar(RULESETS[key].phase(a_game(RULESETS[key]))))
    chapters = [each for each in book_of(key).chapters if each.word not in NOT_FOR_PLAYERS]
    texts = (re.sub("^```.*?^```", "", each.text, flags=re.M | re.S) for each in chapters)
    codes = {code for text in texts for code in re.findall("`([^`]+)`", text)}
    options = {option.name for option in RULESETS[key].info.options}
    wrong = {
        code
        for code in codes - PARTS.get(key, set()) - options
        if not code.startswith("OPTION ")
        and not all(isinstance(item, Parsed) for item in reader.read(" ".join(code.split())))
    }
    assert wrong == set()


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_help_shows_an_example_of_each_order(key: str) -> None:
    grammar = RULESETS[key].grammar(RULESETS[key].phase(a_game(RULESETS[key])))
    language, reader = Language(grammar, "order"), Reader(grammar)
    lines = reference(grammar.source).split("\n")
    shown = {language.rule_of(text) for line in lines for text in reader.orders_among(line)}
    choices = [r for r in parser_of(grammar.source, "order").rules if r.origin.name == "order"]
    orders = {rule.expansion[0].name for rule in choices}
    assert orders - shown <= {word.lower() for word in NOT_FOR_PLAYERS}


def a_game(ruleset: Ruleset[Any, Any]) -> Any:
    seats = range(1, ruleset.info.fewest_seats + 1)
    names = ruleset.info.names.stock
    signups = [SignUp(Seat(seat), names[seat]) for seat in seats]
    return ruleset.setup(signups, {}, Dice(b"a game"))
