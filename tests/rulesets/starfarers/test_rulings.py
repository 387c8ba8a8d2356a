"""Rulings before the deadline: each order that does nothing has a reason, and the turn agrees."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.reader import read_orders
from referee.reports.text import text as text_of
from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind, Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import Goods, in_words
from referee.rulesets.starfarers.language import GRAMMAR
from referee.rulesets.starfarers.orders import ORDERS
from referee.rulesets.starfarers.state import Kind, Stage, State, Tile
from tests.rulesets.starfarers.played import SEATS, busy_sheet
from tests.rulesets.starfarers.test_properties import positions
from tests.support.examples import examples

ARGO, BEAGLE, CALYPSO = SEATS
TABLE = """
H4 [ARGO] 1,0 planet O
H5 [ARGO] 2,0 trader
H6 [ARGO] 0,1 mercenaries
H7 [ARGO] -1,0 empty
H8 [ARGO] 0,-1 planet C toll
H9 [ARGO] -3,0 pirates 2
S1 [ARGO] H4
S4 [ARGO] H7
S5 [ARGO] H8
S6 [ARGO] H4 mercenary
S7 [ARGO] H5
B1 [ARGO] colony H4
B2 [ARGO] trade port H8
B3 [ARGO] spaceport H6
[ARGO] hand 4O4U4C4F4G
[ARGO] cannons 5
[ARGO] boosters 6
S2 -
S3 -
"""
ANSWERED = "It takes effect only if ARGO offers the same in this round."
OFFERED = "It takes effect only if BEAGLE offers the same in this round."
ALREADY = "S1 already has an order to move."
FORMS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "explore": [
        ("S7E2", ("",)),
        ("S7E2 S7E3", ("", "S7 already has an order to move.")),
        ("S1E2", ("Direction 2 of H4 is already explored. Unexplored directions: 1, 3, 6.",)),
        ("S4E5", ("Direction 5 of H7 is in an enemy's range. The ship fights there.",)),
        ("S4Q S4E5", ("", "That hex is in an enemy's range, and S4Q avoids it.")),
        ("S7E2 S1E1 H4BT", ("", "", "You have no starship at H4.")),
        (
            "S1E6 S5E2",
            ("", "Direction 2 of H8 is already explored. Unexplored directions: 1, 5, 6."),
        ),
    ],
    "travel": [
        ("S1H1", ("",)),
        ("S1H1 S1H5", ("", ALREADY)),
        ("S1H999", ("There is no H999.",)),
        ("S6H5", ("S6 is a mercenary and moves with your starships.",)),
    ],
    "teleport": [
        ("S1JH5", ("S1 is not at a node that you can use.",)),
        ("S1H1 S4JM9", ("", "S4 is not at a node that you can use.")),
    ],
    "attack": [
        ("S1AM2", ("S1 is not next to M2.",)),
        ("S1AB1", ("B1 is your own.",)),
        ("S1AS4", ("S4 is your own.",)),
        ("S1AM9", ("There is no M9.",)),
        ("S1AH999", ("There is no H999.",)),
        ("S6AM2", ("S6 is a mercenary and only supports your starships.",)),
    ],
    "want_base": [
        ("S1WB", ("",)),
        ("S1WB S1WS", ("", "S1WB counts first, this only for a second battle.")),
        ("S6WB", ("S6 is a mercenary and only supports your starships.",)),
    ],
    "want_ship": [("S1WS", ("",)), ("S99WS", ("You have no ship S99.",))],
    "stand_back": [("S1N", ("",)), ("S2N", ("You have no ship S2.",))],
    "avoid": [("S1Q", ("",))],
    "accept": [("S5Y", ("",)), ("S5Y S5V", ("", "S5Y counts first."))],
    "refuse": [("S6V", ("S6 is a mercenary and meets nobody.",))],
    "pay": [
        ("S5K1F", ("",)),
        ("S5K2F", ("A toll is one card, and you pay 2.",)),
    ],
    "hire": [
        ("S1H1 S1I1:3F", ("", "There are no mercenaries to hire at the ship now.")),
        ("S4H1 S4I1:3F", ("", "There are no mercenaries to hire at the ship now.")),
        ("S1I1:2F", ("A mercenary costs 3 cards, but you pay 2.",)),
        ("S6I1:3F", ("S6 is a mercenary and neither trades nor hires.",)),
        ("S1H6 S1I1:3F S1I1:3F", ("", "", "It costs 3 food, and you do not have that yet.")),
    ],
    "barter": [
        ("S7T2F>2C", ("",)),
        ("S7T9F>9C", ("You do not have 9 food yet.",)),
        ("S7T3F>3C S7T3F>3C", ("", "You do not have 3 food yet.")),
        ("S1T2F>2C", ("There is no trader at the ship now.",)),
        ("S7T2F>1C", ("You must give a trader as many cards as you take.",)),
    ],
    "port_trade": [
        ("B2T1C>1F", ("",)),
        ("B2T9C>9F", ("You do not have 9 carbon yet.",)),
        ("B999T1C>1F", ("B999 is not yours.",)),
        ("S5H1 B1T1C>1F", ("", "B1 is not a trade port on a planet.")),
    ],
    "offer": [
        ("X2:1O>1U", (OFFERED,)),
        (
            "X2:9O>1U",
            (f"{OFFERED} You will not hold 9 ore by then.",),
        ),
        ("X2:1O>1O", ("You offer the same cards that you ask for.",)),
        ("X1:1O>1U", ("Player 1 is you.",)),
        ("X9:1O>1U", ("There is no player 9. The players are 1 to 3.",)),
        ("X3:1O>1U", ("CALYPSO is no longer in the game.",)),
    ],
    "build_base": [
        ("H4BT", ("There is already a base.",)),
        ("H999BC", ("There is no H999.",)),
        ("H1BC", ("H1 is not a planet.",)),
    ],
    "build_orbital": [
        ("H4BTa", ("",)),
        (
            "H4BTa H4BTb",
            ("", "You can build only one ship or base in a turn, and an earlier order builds one."),
        ),
    ],
    "build_ring": [
        ("B1R", ("",)),
        ("B1R B1R", ("", "An earlier order builds its ring.")),
        ("B1R B1BS", ("", "B1 is built in this turn, and builds from the next one.")),
        ("B2R", ("B2 is not a colony.",)),
        ("B999R", ("B999 is not yours.",)),
    ],
    "build_ship": [
        ("M1BS", ("You already have 4 starships, the most allowed.",)),
        ("M2BS", ("M2 is not yours.",)),
        ("B999BS", ("B999 is not your spaceport.",)),
    ],
    "enhance": [
        ("E1C", ("",)),
        ("E1C E1C", ("", "You can have at most 6 cannons.")),
        ("E1B", ("You can have at most 6 boosters.",)),
        ("E3R", ("A freight ring costs 2 ore, and your cards pay for 2 of 3.",)),
        ("E2R E1R", ("", "A freight ring costs 2 ore, and you do not have that yet.")),
    ],
    "hostile": [
        ("P2H", ("",)),
        ("P2H P2P", ("P2P further down replaces it.", "You are peaceful to BEAGLE already.")),
        ("P2H P2H", ("", "It counts once.")),
        ("P1H", ("Player 1 is you.",)),
        ("P3H", ("CALYPSO is no longer in the game.",)),
    ],
    "peaceful": [("P2P", ("You are peaceful to BEAGLE already.",))],
    "ally": [
        ("P2L", ("An alliance is possible only if one of you has lost the mothership.",)),
        ("P9L", ("There is no player 9. The players are 1 to 3.",)),
    ],
    "end_alliance": [("P2D", ("You have no alliance with BEAGLE.",))],
    "escort": [
        ("S6FS1", ("",)),
        ("S6FS1 S6FS7", ("S6FS7 further down replaces it.", "S6 and S7 are not on the same hex.")),
        ("S6FS1 S6FS1", ("", "It counts once.")),
        ("S6FS1 S6FS2", ("", "You have no ship S2.")),
        ("S6FS7", ("S6 and S7 are not on the same hex.",)),
        ("S1FS7", ("S1 is a starship. Only mercenaries go with another ship.",)),
        ("S6FS6", ("S6 is a mercenary, too.",)),
        ("S6FS2", ("You have no ship S2.",)),
    ],
    "resign": [
        ("Q", ("Your ships and bases are removed. You cannot undo this after the deadline.",)),
        (
            "S1H1\nQ",
            (
                "You leave the game first, with Q.",
                "Your ships and bases are removed. You cannot undo this after the deadline.",
            ),
        ),
    ],
}
CASES = [(text, reasons) for cases in FORMS.values() for text, reasons in cases]


def table(*changes: str) -> State:
    signups = [SignUp(seat, f"{name}") for seat, name in
               zip(SEATS, ("ARGO", "BEAGLE", "CALYPSO"), strict=True)]  # fmt: skip
    state = RULESET.setup(signups, {"cap.starships": 4}, Dice(b"rulings"))
    state = RULESET.correct(state, "\n".join([TABLE, *changes]))[0]
    state.players[Seat(3)].out = "eliminated"
    return state


def test_every_form_of_an_order_has_cases() -> None:
    assert {*FORMS} == {*ORDERS.rules}


@pytest.mark.parametrize(("text", "reasons"), CASES)
def test_an_order_that_does_nothing_has_a_right_reason(text: str, reasons: tuple[str, ...]) -> None:
    rulings = RULESET.validate(table(), ARGO, read_orders(GRAMMAR, text))
    assert tuple(ruling.reason for ruling in rulings) == reasons


@pytest.mark.parametrize(
    ("seat", "text", "warning"),
    [
        (1, "X2:1C>1O E1C", f"{OFFERED} You will not hold 1 carbon by then."),
        (2, "X1:1C>1O E1C", f"{ANSWERED} Then what you build lacks 1 carbon."),
        (2, "X1:3C>1O E1C", f"{ANSWERED} You will not hold 3 carbon by then."),
    ],
)
def test_a_trade_is_made_when_the_second_of_the_two_plays(
    seat: int, text: str, warning: str
) -> None:
    state = table("[ARGO] hand 2C", "[BEAGLE] hand 2C", "[ARGO] cannons 0")
    offer, build = RULESET.validate(state, Seat(seat), read_orders(GRAMMAR, text))
    assert (offer.reason, build.reason) == (warning, "")


@pytest.mark.parametrize("text", ["S1H999", "S1AM9", "H999BC", "B999R", "B999BS", "B999T1C>1F"])
def test_a_number_that_cannot_exist_is_rejected_even_if_others_move(text: str) -> None:
    state = table("S2 [BEAGLE] H1", "[BEAGLE] boosters 3")
    (ruling,) = RULESET.validate(state, ARGO, read_orders(GRAMMAR, text))
    assert ruling.kind is RulingKind.REJECTED


HAND = "You will hold 4 food, 4 carbon, 4 goods, 4 ore and 4 fuel"
MINED = "Your ships will mine 1 {} at planets you know. You will hold {}."
SHORT = "One of your orders needs cards that you do not have yet."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S1E2 S1H1 M1BS P1H", f"{HAND}."),
        ("S7H4", MINED.format("ore", "4 food, 4 carbon, 4 goods, 5 ore and 4 fuel")),
        ("E3R", f"You will hold 4 food, 4 carbon, 4 goods and 4 fuel. {SHORT}"),
        ("S7E2", f"{HAND}, and what else your ships find and mine."),
        ("S5Y E9B", MINED.format("carbon", "3 food, 5 carbon, 4 goods, 4 ore and 4 fuel")),
        ("S1T1F>1C S1I1:3F", f"{HAND}."),
    ],
)
def test_the_forecast_counts_only_what_can_be_carried_out(text: str, expected: str) -> None:
    shown = RULESET.forecast(table(), ARGO, read_orders(GRAMMAR, text))
    assert " ".join(text_of(shown).split()) == expected


@pytest.mark.parametrize(
    ("text", "ships"),
    [
        ("S1H999 S1H5 S4H1 S5Y S7T1F>1C", "S1 stays where it is"),
        ("S1H1 S4AM1", "S4, S5 and S7 stay where they are"),
        ("S1H1 S4H1 S5K1F", "S7 stays where it is"),
    ],
)
def test_ships_without_an_order_that_counts_are_named(text: str, ships: str) -> None:
    (line,) = RULESET.unused(table(), ARGO, read_orders(GRAMMAR, text))
    assert line.startswith(ships)


def test_a_battle_comes_before_trade_only_if_ships_still_meet_somebody() -> None:
    state, order = table("H10 [ARGO] -2,0 pirates 1"), read_orders(GRAMMAR, "B2T1C>1F")
    (ruling,) = RULESET.validate(state, ARGO, order)
    assert ruling.reason == "You have a battle before that."
    state.stage = Stage.BUILD
    (ruling,) = RULESET.validate(state, ARGO, order)
    assert ruling.kind is RulingKind.ACCEPTED


def test_ships_that_stay_are_not_expected_to_mine_again_after_travel() -> None:
    state = table("H8 [ARGO] 0,-1 planet C")
    state.rules = replace(state.rules, mine_on_stay=True)
    assert "will mine" in text_of(RULESET.forecast(state, ARGO, ()))
    state.stage = Stage.BUILD
    assert "will mine" not in text_of(RULESET.forecast(state, ARGO, ()))


def test_nothing_is_forecast_for_a_player_who_leaves() -> None:
    assert RULESET.forecast(table(), ARGO, read_orders(GRAMMAR, "S1H1\nQ")) == ()


PLACES = st.deferred(lambda: st.integers(0, len(positions()) - 1))


def quiet(state: State, seat: Seat) -> State:
    """Return the state in peace, with a full hand, and with nothing to find but empty space."""
    state = state.copy()
    state.bids, state.deck = [], []
    for place in state.hexes.values():
        if place.kind is Kind.PIRATES:
            place.kind, place.cannons = Kind.EMPTY, 0
        place.occupied, place.card, place.met = False, None, set()
    for player in state.players.values():
        player.hostile, player.turning, player.captor = set(), set(), None
    state.bags = {seat: [Tile(Kind.EMPTY)] * 3 for seat in state.bags}
    state.players[seat].hand = Goods(9, 9, 9, 9, 9)
    return state


@examples(60)
@given(PLACES, st.sampled_from(SEATS), st.randoms(use_true_random=False))
def test_an_order_accepted_without_a_warning_is_carried_out_if_nobody_interferes(
    at: int, seat: Seat, random: Random
) -> None:
    state = quiet(positions()[at], seat)
    sheet = busy_sheet(state, seat, random)
    _, rulings, outcomes = ruled_and_played(state, seat, sheet)
    assert [
        (RULESET.render(order), outcome.reason)
        for (order, outcome), ruling in zip(outcomes, rulings, strict=True)
        if ruling.kind is RulingKind.ACCEPTED and not outcome.done
    ] == []


@examples(60)
@given(PLACES, st.sampled_from(SEATS), st.randoms(use_true_random=False))
def test_a_rejected_order_does_nothing(at: int, seat: Seat, random: Random) -> None:
    state = positions()[at]
    sheet = busy_sheet(state, seat, random)
    with_all, rulings, _ = ruled_and_played(state, seat, sheet)
    possible = tuple(order for order, ruling in zip(sheet, rulings, strict=True)
                     if ruling.kind is not RulingKind.REJECTED)  # fmt: skip
    assert ruled_and_played(state, seat, possible)[0] == with_all


@examples(60)
@given(PLACES, st.sampled_from(SEATS), st.randoms(use_true_random=False))
def test_the_forecast_is_the_hand_if_nobody_interferes(at: int, seat: Seat, random: Random) -> None:
    state = quiet(positions()[at], seat)
    sheet = tuple(order for order in busy_sheet(state, seat, random)
                  if not RULESET.render(order).startswith(("S", "X")))  # fmt: skip
    shown = " ".join(text_of(RULESET.forecast(state, seat, sheet)).split())
    after = ruled_and_played(state, seat, sheet)[0].players[seat].hand
    assert not shown or f"You will hold {in_words(after)}" in shown


def ruled_and_played(state: State, seat: Seat, sheet: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the state after the sheet of one player, its rulings and its outcomes."""
    rulings = RULESET.validate(state, seat, sheet)
    result = RULESET.resolve(state, {seat: sheet}, frozenset(), Dice(b"alone"))
    return result.state, rulings, result.outcomes[seat]
