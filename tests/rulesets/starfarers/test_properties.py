"""Properties for any orders: one outcome for each, and nothing is created or lost."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind, Seat, Weight
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import Barter, BaseKind, Offer, PortTrade
from referee.rulesets.starfarers.state import Stage, State
from tests.rulesets.starfarers.played import BATCHES, SEATS, busy_sheet, game, order_of


@cache
def positions() -> list[State]:
    """Return states of all stages, in all kinds of games."""
    return [position.state for mode in BATCHES for position in game(mode)[::6]]


POSITIONS = st.deferred(lambda: st.sampled_from(positions()))
PLACES = st.deferred(lambda: st.integers(0, len(positions()) - 1))
SHIPS = st.integers(1, 14).map("S{}".format)
HEXES = st.integers(1, 90).map("H{}".format)
BASES = st.integers(1, 9).map("B{}".format)
MOTHERSHIPS = st.integers(1, 4).map("M{}".format)
CARDS = st.lists(
    st.tuples(st.sampled_from([1, 2, 3, 99]), st.sampled_from("FCGOU")),
    min_size=1,
    max_size=3,
).map(lambda cards: "".join(f"{number}{letter}" for number, letter in cards))
PARTS = st.lists(st.sampled_from(["1C", "2B", "9R", "999999999C"]), min_size=1, max_size=3)
TEXTS = st.one_of(
    st.builds("{}E{}".format, SHIPS, st.integers(1, 6)),
    st.builds("{}{}".format, SHIPS, st.lists(HEXES, min_size=1, max_size=3).map("".join)),
    st.builds("{}J{}".format, SHIPS, HEXES | MOTHERSHIPS),
    st.builds("{}A{}".format, SHIPS, BASES | SHIPS | HEXES | MOTHERSHIPS),
    st.builds("{}F{}".format, SHIPS, SHIPS),
    st.builds("{}{}".format, SHIPS, st.sampled_from(["WB", "WS", "N", "Q", "Y", "V"])),
    st.builds("{}K{}".format, SHIPS, CARDS),
    st.builds("{}I{}:{}".format, SHIPS, st.integers(1, 3), CARDS),
    st.builds("{}T{}>{}".format, SHIPS | BASES, CARDS, CARDS),
    st.builds("X{}:{}>{}".format, st.integers(1, 4), CARDS, CARDS),
    st.builds("{}B{}{}".format, HEXES, st.sampled_from("TCP"), st.sampled_from(["", *"abcdef"])),
    BASES.map("{}R".format),
    (BASES | MOTHERSHIPS).map("{}BS".format),
    PARTS.map(lambda parts: "E" + "".join(parts)),
    st.builds("P{}{}".format, st.integers(1, 4), st.sampled_from("HPLD")),
    st.just("Q"),
)
SHEETS = st.fixed_dictionaries({seat: st.lists(TEXTS, max_size=12) for seat in SEATS})


@pytest.mark.slow
@given(PLACES, SHEETS, st.binary(max_size=2))
def test_every_order_has_one_outcome(at: int, texts: dict[Seat, list[str]], seed: bytes) -> None:
    state = positions()[at]
    sheets = {seat: tuple(map(order_of, texts[seat])) for seat in SEATS}
    result = RULESET.resolve(state, sheets, frozenset(), Dice(seed))
    found = {seat: tuple(order for order, _ in result.outcomes[seat]) for seat in SEATS}
    assert found == sheets
    for seat in SEATS:
        RULESET.validate(result.state, seat, sheets[seat])


@pytest.mark.slow
@given(POSITIONS, st.randoms(use_true_random=False), st.booleans())
def test_orders_rejected_before_the_deadline_fail(
    state: State, random: Random, in_war: bool
) -> None:
    state = in_turmoil(state, random) if in_war else state
    sheets = {seat: busy_sheet(state, seat, random) for seat in SEATS}
    leaving = random.choice([None, *SEATS])
    if leaving is not None:
        sheets[leaving] = (order_of("Q"),)
    outcomes = RULESET.resolve(state, sheets, frozenset(), Dice(b"")).outcomes
    wrong = [
        (seat, RULESET.render(order), ruling.reason)
        for seat in SEATS
        for (order, outcome), ruling in zip(
            outcomes[seat], RULESET.validate(state, seat, sheets[seat]), strict=True
        )
        if outcome.done and ruling.kind is RulingKind.REJECTED
    ]
    assert wrong == []


def in_turmoil(state: State, random: Random) -> State:
    """Return the state with full hands, wars, boosters and some captured motherships."""
    state = state.copy()
    for seat, player in state.players.items():
        others = [other for other in SEATS if other != seat]
        player.hand, player.boosters = Goods(9, 9, 9, 9, 9), random.randint(0, 2)
        player.hostile = set(random.sample(others, k=random.randint(0, 2)))
        # A captor has a ship at the mothership.
        captor = random.choice([None, None, None, *others])
        if captor is not None and (ships := state.fleet(captor)):
            player.captor, ships[-1].hex = captor, state.mothership(seat).number
    return state


@given(POSITIONS, st.randoms(use_true_random=False))
def test_the_same_orders_lead_to_the_same_state(state: State, random: Random) -> None:
    sheets = {seat: busy_sheet(state, seat, random) for seat in SEATS}
    first = RULESET.resolve(state, sheets, frozenset(), Dice(b"x"))
    again = RULESET.resolve(state, dict(reversed(sheets.items())), frozenset(), Dice(b"x"))
    assert (first.state, first.outcomes) == (again.state, again.outcomes)


@given(POSITIONS, st.randoms(use_true_random=False))
def test_ships_and_bases_change_only_by_the_rules(state: State, random: Random) -> None:
    """Only a rebel loses a starship for good. Bases change hands, or pirates destroy them."""
    state = in_turmoil(state, random)
    sheets = {seat: busy_sheet(state, seat, random) for seat in SEATS}
    turn = RULESET.resolve(state, sheets, frozenset(), Dice(b"x"))
    after = turn.state
    log = "\n".join(event.text for event in turn.events if event.weight is Weight.DETAIL)
    for number, ship in state.ships.items():
        if number not in after.ships:
            gone = f"S{number} of {state.players[ship.owner].name} is destroyed"
            swallowed = f"swallows S{number} of"
            out = f"{state.players[ship.owner].name} has no mothership"
            assert gone in log or swallowed in log or out in log
            assert ship.mercenary or after.players[ship.owner].captor is not None
    lost = state.bases.keys() - after.bases.keys()
    assert all(f"destroy B{number} of" in log for number in lost)
    assert len(after.bases.keys() - state.bases.keys()) == log.count("orbit at H") + log.count(
        " on H"
    )


@given(POSITIONS, st.randoms(use_true_random=False))
def test_nothing_is_left_of_those_who_are_out_and_nobody_else_is_lost(
    state: State, random: Random
) -> None:
    state = in_turmoil(state, random)
    for ship in [*state.ships.values()]:
        if random.random() < 0.3:
            ship.hex, ship.ready = int(ship.owner), state.round + random.randint(0, 1)
        elif random.random() < 0.3:
            del state.ships[ship.number]
    sheets = {seat: busy_sheet(state, seat, random) for seat in SEATS}
    leaving = random.choice([None, *SEATS])
    if leaving is not None:
        sheets[leaving] = (order_of("Q"),)
    after = RULESET.resolve(state, sheets, frozenset(), Dice(b"x")).state
    active = set(after.active())
    assert {ship.owner for ship in after.ships.values()} <= active
    assert {base.owner for base in after.bases.values()} <= active
    assert {seat for bid in after.bids for seat in (bid.offerer, bid.to)} <= active
    for player in after.players.values():
        assert player.captor in {None, *active}
        assert player.allies | player.seeks | player.hostile | player.turning <= active
    for seat in active:
        kept = [ship for ship in after.fleet(seat) if not ship.mercenary]
        captor = after.players[seat].captor
        assert captor is None or kept or after.bases_of(seat)
        if captor is not None:
            here = {ship.owner for ship in after.ships.values() if ship.hex == int(seat)}
            assert captor in here or not any(after.friends(seat, other) for other in here)
            assert all(ship.ready <= state.round for ship in after.fleet(seat))


@given(POSITIONS, st.randoms(use_true_random=False))
def test_no_encounter_card_is_lost(state: State, random: Random) -> None:
    """Each card is in the deck, lies open once, or is finished."""
    sheets = {seat: busy_sheet(state, seat, random) for seat in SEATS}
    after = RULESET.resolve(state, sheets, frozenset(), Dice(b"x")).state
    open_cards = [place.card for place in after.hexes.values() if place.card is not None]
    usual = Counter(after.rules.encounters)
    assert not Counter([*after.deck, *open_cards]) - usual


@given(PLACES, SHEETS, st.binary(max_size=2))
def test_the_state_stays_valid(at: int, texts: dict[Seat, list[str]], seed: bytes) -> None:
    state = positions()[at]
    sheets = {seat: tuple(map(order_of, texts[seat])) for seat in SEATS}
    after = RULESET.resolve(state, sheets, frozenset(), Dice(seed)).state
    assert all(min(player.hand.counts()) >= 0 for player in after.players.values())
    assert len({(place.galaxy, place.at) for place in after.hexes.values()}) == len(after.hexes)
    assert all(ship.hex in after.hexes for ship in after.ships.values())
    assert all(base.hex in after.hexes for base in after.bases.values())
    for seat in SEATS:
        assert sum(not ship.mercenary for ship in after.fleet(seat)) <= 3
        assert after.players[seat].boosters <= 6
        assert after.players[seat].cannons <= 6
        assert after.players[seat].rings <= 5


@given(PLACES, SHEETS, st.binary(max_size=2))
def test_no_tile_is_lost(at: int, texts: dict[Seat, list[str]], seed: bytes) -> None:
    """Each galaxy has 50 tiles: in its bag, explored, or removed with beaten pirates."""
    state = positions()[at]
    sheets = {seat: tuple(map(order_of, texts[seat])) for seat in SEATS}
    turn = RULESET.resolve(state, sheets, frozenset(), Dice(seed))
    after = turn.state
    for seat in SEATS:
        laid = sum(place.galaxy == seat for place in after.hexes.values()) - 1
        again = "is explored again"
        beaten = [event.text for event in turn.events if again in event.text]
        there = [int(text.split()[0][1:]) for text in beaten]
        removed = sum(after.hexes[number].galaxy == seat for number in there)
        before = sum(place.galaxy == seat for place in state.hexes.values()) - 1
        assert len(after.bags[seat]) + laid + removed == len(state.bags[seat]) + before


@given(POSITIONS, st.randoms(use_true_random=False))
def test_building_costs_exactly_its_price(state: State, random: Random) -> None:
    """In the build half of a round, hands shrink by the cost of all that is new."""
    state = in_turmoil(state, random)
    state.stage, state.turn_of = Stage.BUILD, None
    state.players = {seat: replace(state.players[seat], captor=None) for seat in state.players}
    orders = {
        seat: tuple(o for o in busy_sheet(state, seat, random) if not isinstance(o, Offer))
        for seat in SEATS
    }
    after = RULESET.resolve(state, orders, frozenset(), Dice(b"")).state
    for seat in SEATS:
        paid = state.players[seat].hand.total - after.players[seat].hand.total
        assert paid == worth(after, seat) - worth(state, seat)


def worth(state: State, seat: Seat) -> int:
    """Return the cost of a player's ships, bases and enhancements in cards."""
    costs, player = state.rules.costs, state.players[seat]
    whole = {
        BaseKind.TRADE_PORT: costs["trade_port"].total,
        BaseKind.COLONY: costs["colony"].total,
        BaseKind.SPACEPORT: costs["colony"].total + costs["ring"].total,
    }
    ships = sum(not ship.mercenary for ship in state.fleet(seat)) * costs["starship"].total
    parts = (("booster", player.boosters), ("cannon", player.cannons))
    fitted = sum(costs[name].total * number for name, number in parts)
    rings = costs["freight_ring"].total * player.rings
    return ships + fitted + rings + sum(whole[base.kind] for base in state.bases_of(seat))


@given(PLACES, SHEETS)
def test_trade_among_players_makes_no_cards(at: int, texts: dict[Seat, list[str]]) -> None:
    state = positions()[at]
    sheets = {
        seat: tuple(
            order
            for order in map(order_of, texts[seat])
            if isinstance(order, Offer | Barter | PortTrade)
        )
        for seat in SEATS
    }
    idle = RULESET.resolve(state, dict.fromkeys(SEATS, ()), frozenset(), Dice(b"")).state
    after = RULESET.resolve(state, sheets, frozenset(), Dice(b"")).state
    assert _cards(after) == _cards(idle)


def _cards(state: State) -> int:
    return sum(player.hand.total for player in state.players.values())
