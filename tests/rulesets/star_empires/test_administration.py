"""Tests of the GM's orders: any text is carried out completely, or rejected with a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.fields import Fields
from referee.rules.ruleset import UserError
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.administration import ORDERS, correct
from referee.rulesets.star_empires.placing import placed
from referee.rulesets.star_empires.state import State
from referee.store.database.codec import decode, encode
from tests.rulesets.star_empires.galaxies import EMPIRES, PORTALS, SHIPS, STORMS, WORLDS, galaxies

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
            "ADDWORLD Vega 5 0: Expected a coordinate such as (3,-1), but found Vega.",
        ),
        (
            "ADDWORLD (1,0) Vega 5",
            "ADDWORLD (1,0) Vega 5: Expected the stockpile at the end, but found nothing.",
        ),
        ("REMOVESHIP RED f9", "REMOVESHIP RED f9: RED has no ship called f9."),
        (
            "ADDSTORM (1,0) Gale 3 cycle",
            "ADDSTORM (1,0) Gale 3 cycle: Expected the cycle at the end, but found nothing.",
        ),
        (
            "ADDSHIPCLASS big wing 9 9 1 0 0",
            "ADDSHIPCLASS big wing 9 9 1 0 0: A wing always has 0 engines.",
        ),
        (
            "ADDWORLD (1,0) V-1 5 0",
            "ADDWORLD (1,0) V-1 5 0: Expected a number from 0 to 99999 for the production, but",
        ),
    ],
)
def test_a_rejection_has_the_line_and_the_reason(line: str, reason: str) -> None:
    state = placed(Fields({"empires": {"RED": {}}}, ""), Fields({}, ""))
    with pytest.raises(UserError) as caught:
        correct(state, line)
    assert str(caught.value).startswith(reason)
