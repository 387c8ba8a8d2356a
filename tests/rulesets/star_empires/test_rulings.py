"""Rulings of Star Empires on names: in other letters, unknown, and of what is secret."""

from dataclasses import replace

import pytest

from referee.parsing.reader import read_orders
from referee.rules.dice import Dice
from referee.rules.fields import Fields
from referee.rules.ruleset import Outcome, Ruling, RulingKind, Seat
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.scenarios import placed
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
        "ships": [
            {"owner": "RED", "name": name, "class": "probe", "at": [0, 0]} for name in ("p1", "p2")
        ],
    }
    made = placed(Fields(content), Fields({}))
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
        ("TRAVERSE (40,0) THROUGH Gate9", RulingKind.REJECTED,
         "You have no unloaded ship there."),
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


ABSENT = ("BLUE", "GREEN", "NOBODY")
"""An empire that was met, one that was not, and a name of none."""


@pytest.mark.parametrize("name", ABSENT)
def test_fire_at_an_absent_empire_does_not_reveal_whether_it_exists(name: str) -> None:
    state = three_empires()
    ruling, outcome = ruled_and_done(state, f"FIRE f1 AT {name}")
    assert (ruling.kind, ruling.reason) == (RulingKind.REJECTED, f"{name} has no ship there.")
    assert (outcome.done, outcome.reason) == (False, f"{name} has no ship there.")


@pytest.mark.parametrize("name", ABSENT)
def test_fire_at_another_empire_as_well_reveals_no_more(name: str) -> None:
    state = three_empires(at=0)
    ruling, outcome = ruled_and_done(state, f"FIRE f1 AT PLUM {name}")
    assert (ruling.kind, ruling.reason) == (RulingKind.WARNED, f"{name} has no ship there.")
    assert (outcome.done, outcome.reason) == (True, f"{name} has no ship there.")


@pytest.mark.parametrize("name", ["hidden", "HIDDEN", "lander"])
def test_the_name_of_a_secret_class_is_free(name: str) -> None:
    state = three_empires()
    state.classes["hidden"] = replace(state.classes["probe"], name="hidden")
    ruling, outcome = ruled_and_done(state, f"DESIGN Vega {name} scout 2 1 3 3 0")
    assert (ruling.kind, ruling.reason) == (RulingKind.ACCEPTED, "")
    assert (outcome.done, outcome.reason) == (True, "")


def three_empires(at: int = 9) -> State:
    """Return a galaxy in which RED has met BLUE and PLUM, but not GREEN; PLUM is at (*at*,0)."""
    places = {"RED": 0, "BLUE": 20, "GREEN": 40, "PLUM": at}
    content = {
        "empires": {
            "RED": {"known_empires": ["BLUE", "PLUM"]},
            "BLUE": {},
            "GREEN": {},
            "PLUM": {},
        },
        "worlds": [{"name": "Vega", "at": [0, 0], "owner": "RED", "stockpile": 20}],
        "ships": [
            {"owner": owner, "name": "f1", "class": "frigate", "at": [place, 0]}
            for owner, place in places.items()
        ],
    }
    return placed(Fields(content), Fields({}))


def ruled_and_done(state: State, line: str) -> tuple[Ruling, Outcome]:
    """Return what RED reads about an order before and after the deadline."""
    orders = read_orders(GRAMMAR, line)
    (ruling,) = RULESET.validate(state, RED, orders)
    resolution = RULESET.resolve(state, {RED: orders}, frozenset(), Dice(b"seed"))
    ((_, outcome),) = resolution.outcomes[RED]
    return ruling, outcome


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("(6,0)", ""),
        ("(7,0)", "(7,0) is outside the galaxy."),
        ("(0,-400)", "(0,-400) is outside the galaxy."),
    ],
)
@pytest.mark.parametrize("order", ["AUTHORIZE", "DENY"])
def test_a_place_that_is_surely_outside_the_galaxy_gets_a_warning(
    state: State, order: str, place: str, reason: str
) -> None:
    state.radius = 3
    kind = RulingKind.WARNED if reason else RulingKind.ACCEPTED
    sheet = read_orders(GRAMMAR, f"{order} {place} TO BLUE")
    assert RULESET.validate(state, RED, sheet) == [Ruling(kind, reason)]
