"""Tests of the GM's orders: any text is carried out completely, or rejected with a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.reader import read_orders
from referee.rules.dice import Dice
from referee.rules.fields import Fields
from referee.rules.ruleset import UserError
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.administration import ORDERS, correct
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.scenarios import placed
from referee.rulesets.star_empires.state import State
from referee.store.database.codec import decode, encode
from tests.rulesets.star_empires.galaxies import (
    EMPIRES,
    PORTALS,
    SEATS,
    SHIPS,
    STORMS,
    WORLDS,
    galaxies,
)

WORDS = st.sampled_from(
    (
        *("(0,0)", "(40,-40)", "1,1", "New", "0", "3", "-2", "99999", "100000", "max", "public"),
        *("private", "TO", "FROM", "world", "portal", "storm", "shipclass", "contact", "navdata"),
        *("scout", "missile", "frigate", "probe", "carrier", "random", "cycle", "collapsed", "n*"),
        *(*EMPIRES, *WORLDS, *PORTALS, *STORMS, *SHIPS["RED"], "#", "(", "\u00b2"),
    )
)
LINES = st.tuples(
    st.sampled_from((*ORDERS, "nonsense")), st.lists(WORDS, max_size=9).map(" ".join)
).map(" ".join)
USUAL = st.sampled_from(
    (
        "ADDWORLD (1,0) New 5 0 RED",
        "ADDSHIP (0,0) RED 2 probe 1 public n*",
        "RELOCATESHIP RED r0 r1 TO (2,2)",
        "REMOVESHIP RED r2",
        "REMOVEOBJECT world Vega",
        "REMOVEOBJECT portal Gate1 Gate2",
        "MODIFYWORLD Mars 9 9 RED",
        "MODIFYSHIP BLUE b2 1 private",
        "REMOVEKNOWN world Vega Mars FROM RED BLUE",
        "REMOVEKNOWN contact BLUE FROM RED",
        "RELOCATEOBJECT world Vega (2,2)",
        "ADDSTORM (0,0) New2 3 cycle 0 -5",
    )
)


@pytest.mark.slow
@given(galaxies(), st.lists(LINES | USUAL | st.text(max_size=30), max_size=5))
def test_any_text_is_carried_out_or_rejected(state: State, lines: list[str]) -> None:
    before = encode(state)
    after = tried(state, "\n".join(lines))
    assert encode(state).digest == before.digest
    assert encode(decode(encode(after).content, State)).digest == encode(after).digest
    for seat in after.empires:
        RULESET.view(after, seat, "")
    RULESET.resolve(after, {}, frozenset(), Dice(b"seed"))


def tried(state: State, text: str) -> State:
    """Return the state after a correction, or the same state if it is rejected."""
    try:
        return correct(state, text)[0]
    except UserError:
        return state


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "ADDWORLD Vega 5 0",
            "ADDWORLD Vega 5 0: expected a coordinate such as (3,-1), but found Vega.",
        ),
        (
            "ADDWORLD (1,0) Vega 5",
            "ADDWORLD (1,0) Vega 5: expected the stockpile at the end, but found nothing.",
        ),
        ("REMOVESHIP RED f9", "REMOVESHIP RED f9: RED has no ship called f9."),
        (
            "ADDSTORM (1,0) Gale 3 cycle",
            "ADDSTORM (1,0) Gale 3 cycle: expected the cycle at the end, but found nothing.",
        ),
        (
            "ADDSHIP (0,0) red 1 probe 1 public a b",
            "ADDSHIP (0,0) red 1 probe 1 public a b: for 1 ship, give 1 name, or one with a star",
        ),
        (
            "ADDSHIP (0,0) red 1 probe 2 public a",
            "ADDSHIP (0,0) red 1 probe 2 public a: a ship of class probe has 1 DP.",
        ),
        (
            "ADDSHIPCLASS arc orbital 9 9 1 0 0",
            "ADDSHIPCLASS arc orbital 9 9 1 0 0: an orbital always has 0 engines.",
        ),
        (
            "ADDSHIPCLASS big wing 9 9 1 0 0",
            "ADDSHIPCLASS big wing 9 9 1 0 0: a wing always has 0 engines.",
        ),
        (
            "ADDWORLD (1,0) V-1 5 0",
            "ADDWORLD (1,0) V-1 5 0: expected a number from 0 to 99999 for the production, but",
        ),
    ],
)
def test_a_rejection_has_the_line_and_the_reason(line: str, reason: str) -> None:
    state = placed(Fields({"empires": {"RED": {}}}), Fields({}))
    with pytest.raises(UserError) as caught:
        correct(state, line)
    assert str(caught.value).startswith(reason)


def test_the_gm_reads_which_classes_have_the_same_name() -> None:
    content = {
        "empires": {"RED": {}, "BLUE": {}},
        "worlds": [
            {"name": f"W{at}", "at": [at, 0], "owner": owner, "stockpile": 9}
            for at, owner in enumerate(("RED", "BLUE"))
        ],
        "ships": [
            {"owner": owner, "name": "p", "class": "probe", "at": [at, 0]}
            for at, owner in enumerate(("RED", "BLUE"))
        ],
    }
    state = placed(Fields(content), Fields({}))
    orders = {
        seat: read_orders(GRAMMAR, f"DESIGN W{seat - 1} lander scout {seat} 1 3 3 0")
        for seat in state.empires
    }
    after = RULESET.resolve(state, orders, frozenset(), Dice(b"seed")).state
    note = "RED designed a second class lander. In CORRECT, write lander/R1."
    assert note in RULESET.gm_notes(after)
    corrected, _ = correct(after, "ADDSHIP (0,0) BLUE 1 lander/R1 1 public x")
    assert corrected.fleet(SEATS[1])[-1].kind == "lander/R1"


def galaxy() -> State:
    content = {
        "empires": {"RED": {"known_empires": []}, "BLUE": {}},
        "worlds": [{"name": "Vega", "at": [1, 0], "owner": "RED", "stockpile": 4}],
        "portals": [
            {"name": "Gate1", "at": [3, 3], "exits": ["Gate2"]},
            {"name": "Gate2", "at": [4, 3]},
        ],
        "storms": [{"name": "Gale", "at": [2, 2], "intensity": 3}],
        "ships": [{"owner": "RED", "name": "f1", "class": "frigate", "at": [1, 0]}],
    }
    return placed(Fields(content), Fields({}))


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("ADDWORLD (0,5) New 5 0 red",
         "World New was added at (0,5). It makes 5 RU a turn, has 0 RU and belongs to RED."),
        ("ADDWORLD (0,5) New 5 7",
         "World New was added at (0,5). It makes 5 RU a turn, has 7 RU and has no owner."),
        ("MODIFYWORLD VEGA 6 10 Blue",
         ("Vega makes 6 RU a turn, has 10 RU and belongs to BLUE. "
          "Before: makes 0 RU a turn, has 4 RU and belongs to RED.")),
        ("ADDPORTAL (0,5) New", "Portal New was added at (0,5). It is open."),
        ("ADDPORTAL (0,5) New COLLAPSED",
         "Portal New was added at (0,5). It is collapsed until the next turn."),
        ("ADDCONNECTION gate2 GATE1", "Gate2 now leads to Gate1."),
        ("REMOVECONNECTION gate1 GATE2", "Gate1 no longer leads to Gate2."),
        ("MODIFYSTORM GALE 2", "Gale is now a storm of strength 2. Before: a storm of strength 3."),
        ("MODIFYSTORM gale 2 cycle 1 -1",
         ("Gale is now a storm of strength 2 that changes by 1, -1 in turn. "
          "Before: a storm of strength 3.")),
        ("ADDSHIP (0,5) red 1 Frigate 9 Private ghost",
         ("RED now has at (0,5): frigate ghost. "
          "It has 9 of 10 DP and a private transponder.")),
        ("ADDSHIP (0,5) Red 2 FRIGATE 10 public g*",
         ("RED now has at (0,5): frigate g1, g2. "
          "Each has 10 of 10 DP and a public transponder.")),
        ("MODIFYSHIP red F1 5 public",
         ("f1 of RED now has 5 of 10 DP and a public transponder. "
          "Before: 10 of 10 DP and a private transponder.")),
        ("ADDSHIPCLASS lander SCOUT 1 1 3 3 1",
         ("Class lander (scout, 1 gun, 1 DP, 3 engines, 3 scan, 1 rack) costs 4 RU "
          "and weighs 4. No empire knows it yet.")),
        ("RELOCATEOBJECT WORLD vega (2,2)", "The world Vega is now at (2,2). Before: (1,0)."),
        ("RELOCATESHIP red F1 to (2,2)",
         "These ships of RED are now at (2,2): f1. Before: f1 at (1,0)."),
        ("REMOVESHIP red F1",
         "Removed from RED: frigate f1 at (1,0) with 10 of 10 DP and a private transponder."),
        ("REMOVEOBJECT portal gate1 GATE2",
         "Removed: portal Gate1 at (3,3), which leads to Gate2; portal Gate2 at (4,3)."),
        ("REMOVEOBJECT storm GALE", "Removed: storm Gale at (2,2), a storm of strength 3."),
        ("ADDKNOWN world VEGA to red blue", "Now known to RED, BLUE: world Vega."),
        ("ADDKNOWN navdata gate1 TO red", "Now known to RED: navigation data for Gate1."),
        ("ADDKNOWN contact blue TO red", "Now known to RED: empire BLUE."),
        ("REMOVEKNOWN shipclass PROBE FROM blue", "No longer known to BLUE: class probe."),
        ("REMOVEKNOWN storm gale FROM Blue", "No longer known to BLUE: storm Gale."),
    ],
)  # fmt: skip
def test_the_preview_has_all_that_was_typed_with_names_in_any_case(line: str, effect: str) -> None:
    after, shown = correct(galaxy(), line)
    assert shown == effect
    assert encode(after).digest != encode(galaxy()).digest


def test_only_what_exists_can_be_forgotten() -> None:
    with pytest.raises(UserError, match="there is no world called Mars"):
        correct(galaxy(), "REMOVEKNOWN world Mars FROM RED")
