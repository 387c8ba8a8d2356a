"""Tests of the rulebook: it has every order, and the GM's orders in it run."""

import re
from typing import Any, Final

import pytest

from referee.desk.base.rulebooks import rulebook
from referee.parsing.items import Parsed
from referee.parsing.reader import Reader
from referee.rules.fields import Fields
from referee.rules.ruleset import UserError
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.administration import ORDERS, correct
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.rulings import CHECKS
from referee.rulesets.star_empires.scenarios import placed
from referee.rulesets.star_empires.state import State

BOOK: Final = rulebook(RULESET)
assert BOOK is not None
CODES: Final = {
    chapter.word: [
        " ".join(code.split())
        for code in re.findall("`([^`]+)`", chapter.text)
        if code.split()[0].isupper() and " " in code
    ]
    for chapter in BOOK.chapters
}
MASTERY: Final = CODES["MASTERY"]


def a_galaxy(*, full: bool) -> State:
    """Return a galaxy with all that the examples change, or without what they add."""
    content: dict[str, Any] = {"empires": {"RED": {}, "BLUE": {}}}
    if full:
        content |= {
            "worlds": [{"name": "Vega", "at": [1, 0]}],
            "portals": [
                {"name": "Gate1", "at": [3, 3], "exits": ["Gate2"]},
                {"name": "Gate2", "at": [3, 3]},
            ],
            "storms": [{"name": "Gale", "at": [2, 2]}],
            "ships": [
                {"owner": "RED", "name": name, "class": "frigate", "at": [0, 5]}
                for name in ("f1", "f2")
            ],
        }
    return placed(Fields(content), Fields({}))


@pytest.mark.parametrize("line", MASTERY)
def test_the_orders_of_the_gm_run(line: str) -> None:
    galaxies = [a_galaxy(full=full) for full in (True, False)]
    if line.startswith("ADDCONNECTION"):
        galaxies[0].portals["Gate1"].exits.clear()
    assert any(changed(before, line) for before in galaxies)


def changed(before: State, line: str) -> bool:
    """Return whether an order of the GM can be carried out and changes the state."""
    try:
        return correct(before, line)[0] != before
    except UserError:
        return False


def test_every_order_of_the_gm_is_in_it() -> None:
    assert [word for word in ORDERS if word not in {line.split()[0] for line in MASTERY}] == []


def test_every_order_of_a_player_is_in_it() -> None:
    reader = Reader(GRAMMAR)
    items = [
        item
        for word in CODES
        if word not in ("NOTATION", "MASTERY")
        for item in reader.read("\n".join(CODES[word]))
    ]
    used = {type(item.order) for item in items if isinstance(item, Parsed)}
    assert [kind.__name__ for kind in CHECKS if kind not in used] == []
