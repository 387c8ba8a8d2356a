"""Remarks and orders as people type them: a remark files nothing, an order is read whole.

tests/parsing/corpus has the letters: remarks by language, and orders in layouts and by hand.
"""

from collections import Counter
from typing import Any, Final

import pytest

from referee.parsing.body import Body, ParsedCommand, PressBlock, StandingBlock
from referee.parsing.items import Parsed
from referee.parsing.reader import read_orders
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

GAMES: Final = sorted(GRAMMARS)
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


@pytest.mark.parametrize("game", GAMES)
def test_no_remark_does_anything(game: str) -> None:
    did = [(remark.text, carried_out(read_letter(remark.raw, game))) for remark in remarks(game)]
    changed = [(text, items) for text, items in did if items]
    assert (len(changed), changed) == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_remark_hides_an_order(game: str) -> None:
    above, below, _ = sheets(game)[0]
    expected = meant(game, above, below)
    hid = []
    for remark in remarks(game):
        letter = as_letter(f"{above}\n\n{remark.text}\n\n{below}")
        if filed(read_letter(letter, game)) != expected:
            hid.append(remark.text)
    assert (len(hid), hid) == (0, [])


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
