"""Rulings before the deadline: each order that does nothing has a reason, and the turn agrees."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.reader import read_orders
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind, Seat
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.language import BUILDERS, GRAMMAR
from referee.rulesets.singularity.orders import Order
from referee.rulesets.singularity.state import State
from tests.rulesets.singularity.played import SEATS, crowded, new_war
from tests.rulesets.singularity.test_turn import orders
from tests.support.examples import examples

A, B, C, D = SEATS
WAR = """
W1-37 []
W12 C Y [ABBOT]
W13 C - [BISHOP]
W18 C R [ABBOT]
[ABBOT] colour R
[ABBOT] 3 points
S11 [ABBOT] F 12C
S21 [ABBOT] C 12C SDW
S31 [ABBOT] F 12C DDW
S41 [ABBOT] S 12C
S51 [ABBOT] T 12C
S12 [BISHOP] F 13C
S13 [CANTOR] F 12C
[ABBOT] allies CANTOR
[CANTOR] allies ABBOT
[ABBOT] votes CANTOR
[DEAN] resigned
"""
FORMS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "scrap": [
        ("S11X", ("",)),
        ("S99X", ("You have no ship S99.",)),
        ("S11X S11X", ("", "S11X scraps it first.")),
    ],
    "repair_points": [
        ("S11R1", ("S11 has no such damage.",)),
        ("S31R3", ("S31 repairs only 1 unit: it has no other such damage.",)),
        ("S31X S31R1", ("", "S31X scraps it first.")),
        ("S21R1 S21R9", ("", "You have 4 points left for 6 repairs.")),
    ],
    "repair_units": [
        ("S31RSW", ("S31 repairs only S: it has no other such damage.",)),
        ("S31RS S31RS", ("", "S31 has no such damage left.")),
    ],
    "hide": [
        ("S11H S11W2=", ("", "S11 hides this turn (S11H), so it cannot move.")),
        ("S31H", ("S31 is already dark.",)),
        ("S31RS S31H", ("", "S31 is repaired this turn, so it cannot hide.")),
        ("S11X S11H", ("", "S11X scraps it first.")),
    ],
    "build": [
        ("W99B1F", ("There is no planet W99. The planets are W1 to W37.",)),
        ("W13B1F", ("W13 is not your planet.",)),
        ("W12B3F", ("Your points pay for 1 of 3 ships.",)),
        ("W12B1F W12B1F", ("", "You do not have enough points.")),
    ],
    "move": [
        ("S11W2=", ("",)),
        ("S11W0+W0+", ("",)),
        ("S21V0+3", ("S21 has no working slip unit.",)),
        ("S41V0+2W0+", ("W0+ leads off the board from 12E: that and all after it is void.",)),
        ("S11X S11W2=", ("", "S11X scraps it first.")),
        ("S11W2= S11W5=", ("", "S11 already has an order to move.")),
        ("S31W2=", ("S31 is dark. Repair its system first: S31RS.",)),
    ],
    "first_players": [
        ("KP2", ("",)),
        ("KP1", ("Player 1 is you.",)),
        ("KP9", ("There is no player 9. The players are 1 to 4.",)),
        ("KP3", ("CANTOR is your ally, so your ships do not fire at each other.",)),
        ("KP4", ("DEAN is no longer in the war.",)),
        ("KP2 KP2,P3", ("KP2,P3 further down replaces it.", "CANTOR is your ally")),
        ("12CKP2 KP2", ("", "")),
    ],
    "first_types": [
        ("KB KC", ("KC further down replaces it.", "")),
        ("40CKB", ("There is no space 40C. The board has columns 1 to 37 and levels A to E.",)),
        ("4CKB", ("None of your armed ships is expected at 4C.",)),
        ("13CKB S11W2=", ("", "")),
    ],
    "terraformers_first": [("KT,F", ("",)), ("KT,F KB", ("KB further down replaces it.", ""))],
    "fire_armed": [("KT KT", ("", "It counts once.")), ("KT", ("",))],
    "fire_weakest": [("KW KT", ("KT further down replaces it.", "")), ("12CKW", ("",))],
    "fire_at_ship": [
        ("S11KS12 S11W2=", ("", "")),
        ("S11KS12", ("S12 is not at 12C, where S11 is.",)),
        ("S11KS99", ("You do not see S99 now.",)),
        ("S11KS21", ("S21 is your own ship.",)),
        ("S11KS11", ("S11 is your own ship.",)),
        ("S11KS13", ("CANTOR is your ally, so your ships do not fire at each other.",)),
        ("S31KS12", ("S31 is dark, so it cannot fire.",)),
        ("S41KS12", ("S41 has no working weapon.",)),
        ("S11H S11KS12", ("", "S11 hides this turn (S11H), so it cannot fire.")),
        ("S11X S11KS12", ("", "S11X scraps it first.")),
    ],
    "terraform": [
        ("W12TO", ("W12 becomes gray next. Your choice is kept for later.",)),
        ("W18TO", ("W18 has your colour already.",)),
        ("W13TO", ("W13 is not your planet now.",)),
        ("W99TO", ("There is no planet W99. The planets are W1 to W37.",)),
        ("W12TX", ("X is not a colour. The colours are R, O, Y, G, B, V.",)),
    ],
    "set_alliance": [
        ("L2Y L3N", ("", "")),
        ("L3Y", ("That is your setting for CANTOR already.",)),
        ("L2N", ("That is your setting for BISHOP already.",)),
        ("L1Y", ("Player 1 is you.",)),
        ("L9Y", ("There is no player 9. The players are 1 to 4.",)),
        ("L4Y", ("DEAN is no longer in the war.",)),
        ("L2Y L2N", ("L2N further down replaces it.", "That is your setting")),
    ],
    "declare_faction": [
        ("FAC1", ("Player 1 is you.",)),
        ("FAC9", ("There is no player 9. The players are 1 to 4.",)),
        ("FAC2,2", ("Name each player only once.",)),
        ("FAC2", ("It is declared at the beginning of the next turn",)),
    ],
    "declare_empire": [("EMP2,3", ("A war of 4 players has no factions of 3.",))],
    "resign": [
        ("Q", ("Your ships are removed, and your planets become free.",)),
        ("S11W2=\nQ", ("You leave the war first, with Q.", "Your ships are removed")),
    ],
}
PARTS = {"part", "slip", "warp", "jump"}
CASES = [(text, reasons) for cases in FORMS.values() for text, reasons in cases]


def test_every_form_of_an_order_has_cases() -> None:
    assert {*FORMS} == {*BUILDERS} - PARTS


@pytest.mark.parametrize(("text", "reasons"), CASES)
def test_an_order_that_does_nothing_has_a_right_reason(text: str, reasons: tuple[str, ...]) -> None:
    state, _ = RULESET.correct(new_war(), WAR)
    found = [ruling.reason for ruling in RULESET.validate(state, A, read_orders(GRAMMAR, text))]
    assert [reason[: len(start)] if start else reason
            for reason, start in zip(found, reasons, strict=True)] == [*reasons]  # fmt: skip


def test_the_colour_of_a_planet_is_chosen_for_a_terraformer_that_stays() -> None:
    state, _ = RULESET.correct(new_war(), WAR + "W12 C - [ABBOT]")
    sheets = {"W12TO": "", "W12TO S51W2=": "No terraformer of yours is expected to stay at W12."}
    found = {text: RULESET.validate(state, A, read_orders(GRAMMAR, text))[0].reason
             for text in sheets}  # fmt: skip
    assert found == sheets


def test_a_jump_off_the_charts_and_one_that_leads_off_the_board_are_warned() -> None:
    state, _ = RULESET.correct(new_war(edge="skip"), WAR + "S61 [ABBOT] J 12C")
    assert [r.reason for r in RULESET.validate(state, A, read_orders(GRAMMAR, "S61J S11W0+W0+"))]
    reasons = [r.reason for r in RULESET.validate(state, A, read_orders(GRAMMAR, "S61J S41V0-9"))]
    assert reasons == [
        "You do not know yet where this jump leads.",
        "S41 can slip at most 2 spaces.",
    ]
    reasons = [r.reason for r in RULESET.validate(state, A, read_orders(GRAMMAR, "S41V1=2W6="))]
    assert reasons == ["W6= leads off the board from 3C: that is left out."]


SHEETS = st.deferred(lambda: st.lists(orders(), max_size=8))


@examples(40)
@given(st.integers(0, 10**6), st.sampled_from(SEATS), SHEETS)
def test_an_order_accepted_without_a_warning_is_carried_out_if_nobody_interferes(
    number: int, seat: Seat, sheet: list[Order]
) -> None:
    state = lonely(number, seat)
    rulings = RULESET.validate(state, seat, sheet)
    outcomes = RULESET.resolve(state, {seat: sheet}, frozenset(), Dice(b"")).outcomes[seat]
    assert [
        (RULESET.render(order), outcome.reason)
        for (order, outcome), ruling in zip(outcomes, rulings, strict=True)
        if ruling.kind is RulingKind.ACCEPTED and (outcome.reason or not outcome.done)
    ] == []


@examples(40)
@given(st.integers(0, 10**6), st.sampled_from(SEATS), SHEETS)
def test_a_rejected_order_does_nothing(number: int, seat: Seat, sheet: list[Order]) -> None:
    state = crowded(number)
    rulings = RULESET.validate(state, seat, sheet)
    possible = [order for order, ruling in zip(sheet, rulings, strict=True)
                if ruling.kind is not RulingKind.REJECTED]  # fmt: skip
    with_all, without = (
        RULESET.resolve(state, {seat: each}, frozenset(), Dice(b"")).state
        for each in (sheet, possible)
    )
    assert with_all == without


def lonely(number: int, seat: Seat) -> State:
    """Return a crowded position in which all ships are the player's own."""
    state = crowded(number).copy()
    random = Random(number)
    state.ships = {n: ship for n, ship in state.ships.items() if ship.owner == seat}
    state.players[seat].points += random.choice((0, 50))
    return state


def test_a_player_who_is_out_of_the_war_is_shown_no_points() -> None:
    state, _ = RULESET.correct(new_war(), "[ABBOT] resigned")
    shown = " ".join(text(RULESET.view(state, A, "")).split())
    assert "All orders of the turn. You are no longer in the war." in shown
    assert "to spend" not in shown
