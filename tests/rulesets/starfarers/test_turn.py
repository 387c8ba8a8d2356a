"""Orders and settings that last over several parts of a game of Starfarers."""

from collections.abc import Mapping
from dataclasses import replace

from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import of
from referee.rulesets.starfarers.orders import (
    Attack,
    Explore,
    Offer,
    Order,
    Resign,
    SetStance,
    StandBack,
    Target,
    Travel,
)
from referee.rulesets.starfarers.state import Hex, Kind, State, Tile

A, B = Seat(1), Seat(2)
DICE = Dice(b"rounds")


def serial() -> State:
    signups = [SignUp(A, "A"), SignUp(B, "B")]
    state = RULESET.setup(signups, {"mode": "serial", "seat_order": "fixed"}, DICE)
    state.first, state.turn_of = 0, A
    return state


def play(state: State, sheets: Mapping[Seat, Order]) -> State:
    orders = {seat: (order,) for seat, order in sheets.items()}
    return RULESET.resolve(state, orders, frozenset(), DICE).state


OFFER = Offer(B, of("O"), of("U"))
ANSWER = Offer(A, of("U"), of("O"))


def test_an_offer_waits_for_the_partners_turn_in_the_round() -> None:
    """Rule 24."""
    state = play(play(serial(), {A: OFFER}), {B: ANSWER})
    assert state.round == 2
    assert [state.players[seat].hand.counts() for seat in (A, B)] == [
        (1, 1, 1, 0, 2),
        (1, 1, 1, 2, 0),
    ]


def test_an_offer_ends_with_the_round() -> None:
    """Rule 24."""
    state = serial()
    state = play(RULESET.resolve(state, {A: ()}, frozenset(), DICE).state, {B: ANSWER})
    state = play(state, {A: OFFER})
    assert [state.players[seat].hand.total for seat in (A, B)] == [5, 5]
    assert state.players[A].hand == state.players[B].hand


def test_a_rebuilt_ship_moves_again_only_in_the_next_round() -> None:
    """Rule 36."""
    state = serial()
    state.hexes[3] = Hex(3, A, (1, 0), Kind.EMPTY)
    state.ships[1] = replace(state.ships[1], ready=2)
    assert play(state, {A: Travel(1, (3,))}).ships[1].hex == 1
    state.round = 2
    assert play(state, {A: Travel(1, (3,))}).ships[1].hex == 3


def test_a_rebuilt_ship_does_not_attack_in_the_same_round() -> None:
    """Rule 36."""
    state = serial()
    state.hexes[3] = Hex(3, A, (1, 0), Kind.EMPTY)
    state.ships[1] = replace(state.ships[1], ready=2)
    state.ships[2] = replace(state.ships[2], hex=3)
    assert play(state, {A: Attack(1, Target.SHIP, 2)}).ships == state.ships


def test_in_fog_only_players_in_a_galaxy_read_its_news() -> None:
    signups = [SignUp(A, "A"), SignUp(B, "B")]
    state = RULESET.setup(signups, {"fog": "galaxy"}, DICE)
    state.bags[A] = [Tile(Kind.EMPTY)]
    orders: dict[Seat, tuple[Order, ...]] = {A: (Explore(1, 2), SetStance(B, hostile=True)), B: ()}
    after = RULESET.resolve(state, orders, frozenset(), DICE).state
    own, other = (text(RULESET.view(after, seat, "")) for seat in (A, B))
    assert "S1 of A explores H3" in own
    assert "Galaxy of A" in own
    assert "explores" not in other
    assert "Galaxy of A" not in other
    assert "A will be hostile to B from the next round." in other


def test_the_fog_ends_with_the_game() -> None:
    signups = [SignUp(A, "A"), SignUp(B, "B")]
    state = RULESET.setup(signups, {"fog": "galaxy"}, DICE)
    after = play(state, {A: Resign()})
    assert "Galaxy of A" in text(RULESET.view(after, B, ""))
    verdict = RULESET.verdict(after)
    assert verdict is not None
    assert verdict.winners == {B}


def test_a_ship_also_stands_back_in_the_turns_of_others() -> None:
    """Rule 32, in serial mode."""
    state = serial()
    state.ships[3] = replace(state.ships[1], number=3)
    state.ships[2] = replace(state.ships[2], hex=1)
    state = play(state, {A: StandBack(3)})
    after = play(state, {B: Attack(2, Target.SHIP, 1)})
    (news,) = (note.text for note in after.notes if "attacks S1" in note.text)
    assert news.count("1 fighter ") == 2
    assert after.standing_back == set()
