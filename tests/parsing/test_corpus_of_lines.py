"""Remarks and orders as people type them: a remark files nothing, an order is read whole.

tests/parsing/corpus has the letters: remarks by language, and orders in layouts and by hand.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from referee.parsing import words
from referee.parsing.body import Body, ParsedCommand, PressBlock, StandingBlock
from referee.parsing.items import Parsed
from referee.parsing.reader import read_orders, reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind, Seat, SignUp
from tests.support.corpora import (
    GRAMMARS,
    all_remarks,
    as_letter,
    layouts,
    order_letters,
    read_letter,
    remarks,
    sheets,
)
from tests.support.golden_states import ruleset

GAMES: Final = sorted(GRAMMARS)
DICE: Final = Dice(b"words")
_CARRIED_OUT: Final = (Parsed, ParsedCommand, PressBlock, StandingBlock)


def carried_out(body: Body) -> list[str]:
    """Return what a letter does: its orders, commands, messages and standing orders."""
    return [str(item) for item in body.items if isinstance(item, _CARRIED_OUT)]


def filed(body: Body) -> list[Any]:
    """Return the orders of a letter, or all that it does if that is anything else."""
    if len(carried_out(body)) > sum(isinstance(item, Parsed) for item in body.items):
        return carried_out(body)
    return [item.order for item in body.items if isinstance(item, Parsed)]


def meant(game: str, *orders: str) -> list[Any]:
    """Return the orders of a letter that has them alone, one on each line."""
    return [read_orders(GRAMMARS[game], order)[0] for order in orders]


def without_sentences(body: Body, game: str) -> Body:
    """Return the body without sentences in the form of an order; the rules must reject them all."""
    reader, rules = reader_of(GRAMMARS[game]), ruleset(game)
    orders = [item for item in body.items if isinstance(item, Parsed)]
    found = [item for item in orders if reader.advice.is_sentence(item.text)]
    if found:
        begun = rules.setup([SignUp(Seat(n), name) for n, name in ((1, "A"), (2, "B"))], {}, DICE)
        rulings = rules.validate(begun, Seat(1), [item.order for item in found])
        assert {ruling.kind for ruling in rulings} == {RulingKind.REJECTED}
    return replace(body, items=tuple(item for item in body.items if item not in found))


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_no_remark_does_anything(game: str) -> None:
    did = [
        (remark.text, carried_out(without_sentences(read_letter(remark.raw, game), game)))
        for remark in remarks(game)
    ]
    changed = [(text, items) for text, items in did if items]
    assert (len(changed), changed) == (0, [])


@pytest.mark.parametrize(
    "form",
    [
        "FIRE b1 AT {}",
        "FIRE {} AT Sauron",
        "BUILD Obsidian 6 probe {}*",
        "BUILD Obsidian 6 {} s*",
        "BUILD {} MAX probe",
        "MOVE {} TO (1,0)",
    ],
)
def test_every_everyday_word_can_be_a_name(form: str) -> None:
    reader = reader_of(GRAMMARS["star_empires"])
    fixed = reader.fixed_words()
    lines = Path(words.__file__).with_name("everyday.txt").read_text(encoding="utf-8").splitlines()
    everyday = [word for line in lines if not line.startswith("#") for word in line.split()]
    names = [word for word in everyday if word.isascii() and word.isalpha()]
    typed = [form.format(name) for name in names if name.upper() not in fixed]
    read = [item for text in typed for item in reader.read(text)]
    assert [item.text for item in read if isinstance(item, Parsed)] == typed
    assert [text for text in typed if reader.advice.is_sentence(text)] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_remark_hides_an_order(game: str) -> None:
    above, below, _ = sheets(game)[0]
    expected = meant(game, above, below)
    hid = []
    for remark in remarks(game):
        letter = as_letter(f"{above}\n\n{remark.text}\n\n{below}")
        if filed(without_sentences(read_letter(letter, game), game)) != expected:
            hid.append(remark.text)
    assert (len(hid), hid) == (0, [])


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_orders_are_read_whole_in_every_layout(game: str) -> None:
    unread = [
        (letter.name, letter.orders, found)
        for letter in order_letters(game)
        if (found := filed(read_letter(letter.raw, game))) != meant(game, *letter.orders)
    ]
    assert (len(unread), unread) == (0, [])


def test_the_corpora_are_as_large_as_they_were() -> None:
    by_language = Counter(remark.language for remark in all_remarks())
    assert all(count >= 30 for count in by_language.values())
    letters = sum(len(order_letters(game)) for game in GAMES)
    assert (len(by_language), len(all_remarks()) >= 600) == (7, True)
    assert (len(layouts()) >= 160, letters >= 800) == (True, True)
