"""Orders and settings that last over several parts of a game of Starfarers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

import pytest

from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.news import opened
from referee.rules.ruleset import Resolution, RulingKind, Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import of
from referee.rulesets.starfarers.guide import guide
from referee.rulesets.starfarers.orders import (
    Attack,
    Explore,
    Offer,
    Order,
    Resign,
    SetStance,
    StandBack,
    Target,
    Teleport,
    Travel,
)
from referee.rulesets.starfarers.state import Hex, Kind, State, Tile
from tests.rulesets.starfarers.played import BATCHES, game, order_of

A, B = Seat(1), Seat(2)
DICE = Dice(b"rounds")


def serial() -> State:
    signups = [SignUp(A, "A"), SignUp(B, "B")]
    state = RULESET.setup(signups, {"mode": "serial", "seat_order": "fixed"}, DICE)
    state.first, state.turn_of = 0, A
    return state


def resolved(state: State, sheets: Mapping[Seat, Order]) -> Resolution[State, Order]:
    orders = {seat: (order,) for seat, order in sheets.items()}
    return RULESET.resolve(state, orders, frozenset(), DICE)


def report(turn: Resolution[State, Order], seat: Seat) -> str:
    """Return the report of a turn with its news and log."""
    return text(opened(RULESET.view(turn.state, seat, ""), turn.events, seat))


def play(state: State, sheets: Mapping[Seat, Order]) -> State:
    return resolved(state, sheets).state


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
    turn = RULESET.resolve(state, orders, frozenset(), DICE)
    own, other = (report(turn, seat) for seat in (A, B))
    assert "S1 of A explores H3" in own
    assert "Galaxy of A" in own
    assert "explores" not in other
    assert "Galaxy of A" not in other
    assert "A will be hostile to B from the next round." in other


def test_in_fog_a_ship_that_arrives_later_does_not_read_what_happened_before() -> None:
    """The order of play in a report is that of the next round: here A plays last, then first."""
    state = RULESET.setup([SignUp(A, "A"), SignUp(B, "B")], {"fog": "galaxy"}, DICE)
    state, _ = RULESET.correct(state, "[A] boosters 1")
    state.bags[B] = [Tile(Kind.EMPTY)]
    state.first = 1
    assert state.order_of_play() == [B, A]
    orders: dict[Seat, tuple[Order, ...]] = {
        B: (Explore(2, 2),),
        A: (Teleport(1, Target.MOTHERSHIP, 2),),
    }
    turn = RULESET.resolve(state, orders, frozenset(), DICE)
    own, other = (report(turn, seat) for seat in (A, B))
    assert "S1 of A teleports to H2." in own
    assert "Galaxy of B" in own
    assert "explores" not in own
    assert "S2 of B explores H4" in other
    assert "Order of play: A, B." in own


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
    after = resolved(state, {B: Attack(2, Target.SHIP, 1)})
    (line,) = (event.text for event in after.events if "attacks S1" in event.text)
    assert line.count("1 fighter ") == 2
    assert after.state.standing_back == set()


def test_in_fog_a_ship_that_jumps_away_does_not_show_where_to() -> None:
    """Rules 14 and 15: B sees its own galaxy only, and A's ship goes back to its own."""
    state = RULESET.setup([SignUp(A, "A"), SignUp(B, "B")], {"fog": "galaxy"}, DICE)
    state, _ = RULESET.correct(state, "S1 [A] H2\n[A] boosters 1")
    turn = resolved(state, {A: Teleport(1, Target.MOTHERSHIP, 1)})
    reports = {seat: report(turn, seat) for seat in (A, B)}
    assert "S1 of A teleports to H1." in reports[A]
    assert "S1 of A teleports away from H2." in reports[B]
    assert "S1 of A teleports to" not in reports[B]


SHEETS = """
H3 [A] 1,0 planet O
H4 [A] 2,0 planet F aliens 4
H5 [A] 0,1 planet C
S1 [A] H3
S3 [A] H4
S4 [A] H5
[A] hand 2O2U2C2F
"""


def sheet(*changes: str) -> list[str]:
    """Return the order sheet of a player, without the comments, after corrections."""
    setting = "\n".join([SHEETS.strip(), *changes])
    state = RULESET.setup([SignUp(A, "A"), SignUp(B, "B")], {}, DICE)
    state, _ = RULESET.correct(state, setting)
    return [line.removeprefix("# ").partition(" ")[0] for line in RULESET.template(state, A)[1:]]


def test_the_order_sheet_has_no_base_where_one_is_or_aliens_are() -> None:
    assert "H3BC" in sheet()
    assert "H4BC" not in sheet()
    assert [line for line in sheet("B1 [A] colony H3") if line.startswith("H3")] == []


def test_the_order_sheet_offers_only_what_the_hand_can_pay() -> None:
    assert [line for line in sheet() if line[0] in "HE"] == ["H3BC", "H5BC", "E1B"]
    assert [line for line in sheet("[A] hand 2O1C1F") if line[0] in "HE"] == ["E1R"]
    assert [line for line in sheet("[A] hand 1O1U2G") if line[0] in "HE"] == ["H3BT", "H5BT"]
    assert [line for line in sheet("[A] hand nothing") if line[0] in "HE"] == []


def test_the_order_sheet_explores_only_while_tiles_are_left() -> None:
    assert sheet()[0] == "S1E1"
    assert sheet("BAG [A] nothing")[0] == "S1H1"


def test_the_order_sheet_and_the_guide_copy_no_table() -> None:
    class Unique(str):
        __slots__ = ()

        def __deepcopy__(self, memo: object) -> NoReturn:
            raise AssertionError("the table is copied")

    state = replace(serial(), game=Unique("SF"))
    with pytest.raises(AssertionError):
        state.copy()
    assert RULESET.template(state, A)[1:]
    assert guide(state, A).suggestions


@pytest.mark.slow
def test_every_order_on_a_sheet_is_possible() -> None:
    for kind in BATCHES:
        for state in (position.state for position in game(kind)):
            for seat in RULESET.phase(state).awaiting:
                lines = RULESET.template(state, seat)[1:]
                for line in lines:
                    order = order_of(line.removeprefix("# ").partition(" ")[0])
                    (ruling,) = RULESET.validate(state, seat, [order])
                    enemies = (
                        isinstance(order, Travel | Explore) and "enemy's range" in ruling.reason
                    )
                    assert ruling.kind is RulingKind.ACCEPTED or enemies, line


def test_the_report_shows_the_costs_of_this_game() -> None:
    options = {"cost.cannon": "1C1O", "cost.ring": "1F"}
    state = RULESET.setup([SignUp(A, "A"), SignUp(B, "B")], options, DICE)
    shown = " ".join(text(RULESET.view(state, A, "")).split())
    assert "Costs in cards: trade port 2G1O1U, colony 1F1C1O1U, ring 1F," in shown
    assert "cannon 1C1O" in shown
    assert "spaceport 2F1C1O1U." in shown
