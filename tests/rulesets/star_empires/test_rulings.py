"""Rulings of Star Empires on names that differ only in their capital letters."""

import pytest

from referee.parsing.reader import read_orders
from referee.rules.fields import Fields
from referee.rules.ruleset import RulingKind, Seat
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.placing import placed
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.steps.scanning import look_around

RED = Seat(1)
RANDOM = "The exit is random unless you get navigation data for both portals."
KNOWN = "capital and small letters count here."


@pytest.fixture
def state() -> State:
    content = {
        "empires": {"RED": {"nav_data": ["Gate1", "Gate2"]}, "BLUE": {}},
        "worlds": [{"name": "Vega", "at": [0, 0], "owner": "RED", "stockpile": 20}],
        "portals": [
            {"name": "Gate1", "at": [0, 0], "exits": ["Gate2"]},
            {"name": "Gate2", "at": [5, 0], "exits": ["Gate1"]},
        ],
        "ships": [{"owner": "RED", "name": "p1", "class": "probe", "at": [0, 0]}],
    }
    made = placed(Fields(content, ""), Fields({}, ""))
    look_around(made)
    return made


@pytest.mark.parametrize(
    ("typed", "kind", "reason"),
    [
        ("BUILD vega 1 probe", RulingKind.REJECTED,
         f"You do not know a world called vega. Write Vega: {KNOWN}"),
        ("BUILD Rigel 1 probe", RulingKind.REJECTED, "You do not know a world called Rigel."),
        ("POOL VEGA", RulingKind.REJECTED,
         f"You do not know a world called VEGA. Write Vega: {KNOWN}"),
        ("TRAVERSE p1 THROUGH gate1", RulingKind.REJECTED,
         f"You do not know a portal called gate1. Write Gate1: {KNOWN}"),
        ("TRAVERSE p1 THROUGH Gate9", RulingKind.WARNED,
         ("You do not know a portal called Gate9. "
         "The ships go through only if you get its navigation data this turn.")),
        ("TRAVERSE p1 THROUGH Gate1 gate2", RulingKind.WARNED,
         f"You have no navigation data for gate2. Write Gate2: {KNOWN} {RANDOM}"),
        ("TRANSMIT gate1 TO BLUE", RulingKind.REJECTED,
         f"You have no navigation data for gate1. Write Gate1: {KNOWN}"),
        ("TRAVERSE p1 THROUGH Gate1 Gate2", RulingKind.ACCEPTED, ""),
    ],
)  # fmt: skip
def test_a_name_in_the_wrong_case_is_shown_in_the_right_one(
    state: State, typed: str, kind: RulingKind, reason: str
) -> None:
    (ruling,) = RULESET.validate(state, RED, read_orders(GRAMMAR, typed))
    assert (kind, reason) == (ruling.kind, ruling.reason)
