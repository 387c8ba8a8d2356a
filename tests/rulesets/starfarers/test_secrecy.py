"""Two tables that differ only in what a seat cannot know look the same to it, to the byte."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.news import opened
from referee.rules.ruleset import Seat, SignUp
from referee.rules.views import View
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import LETTERS, Goods, of
from referee.rulesets.starfarers.numbering import new_hex
from referee.rulesets.starfarers.orders import BaseKind, Order, Teleport
from referee.rulesets.starfarers.state import Base, Bid, Card, Hex, Kind, Ship, State, Tile
from referee.testing.contract import visible_to
from tests.rulesets.starfarers.played import BATCHES, NAMES, SEATS, busy_sheet, game, order_of

POSITIONS = st.deferred(
    lambda: st.sampled_from([each.state for kind in BATCHES for each in game(kind)[::4]])
)
FOGGED = st.deferred(lambda: st.sampled_from([each.state for each in game("fog")[::2]]))
RANDOMS = st.randoms(use_true_random=False)


@pytest.mark.slow
@given(POSITIONS, st.sampled_from(SEATS), RANDOMS)
def test_hands_bags_and_decks_of_others_are_not_revealed(
    state: State, seat: Seat, random: Random
) -> None:
    orders = busy_sheet(state, seat, random)
    changed = with_other_secrets(state, seat, random)
    assert visible_to(RULESET, changed, seat, orders) == visible_to(RULESET, state, seat, orders)


@given(FOGGED, st.sampled_from(SEATS), RANDOMS)
def test_in_fog_unseen_galaxies_are_not_revealed(state: State, seat: Seat, random: Random) -> None:
    orders = busy_sheet(state, seat, random)
    changed = with_other_unseen_galaxies(with_other_secrets(state, seat, random), seat, random)
    assert visible_to(RULESET, changed, seat, orders) == visible_to(RULESET, state, seat, orders)


@given(FOGGED, st.sampled_from(SEATS), RANDOMS)
def test_in_fog_a_turn_reveals_nothing_of_unseen_galaxies(
    state: State, seat: Seat, random: Random
) -> None:
    sheet = [order for order in busy_sheet(state, seat, random) if stays(state, seat, order)]
    one, other = (with_other_unseen_galaxies(state.copy(), seat, random) for _ in range(2))
    assert read_after(one, seat, sheet) == read_after(other, seat, sheet)


def stays(state: State, seat: Seat, order: Order) -> bool:
    """Return whether an order is no jump to a mothership in an unseen galaxy, which shows it."""
    # Hex n is the mothership of player n.
    to = Seat(order.number) if isinstance(order, Teleport) else seat
    return to not in state.players or state.sees(seat, to)


def read_after(state: State, seat: Seat, sheet: Sequence[Order]) -> tuple[object, View]:
    """Return the outcomes of a seat's orders, and the report after the turn."""
    turn = RULESET.resolve(state, {seat: sheet}, frozenset(), Dice(b"stars"))
    return turn.outcomes[seat], opened(RULESET.view(turn.state, seat, ""), turn.events, seat)


PROBES = ("S1H{}", "H{}BC", "H{}BTa", "S1AH{}", "S1JH{}", "S1AS{}", "S1AB{}", "B{}R", "B{}BS")


@pytest.mark.parametrize("probe", PROBES)
def test_in_fog_what_is_unseen_is_answered_like_what_does_not_exist(probe: str) -> None:
    """H5 is a free planet with a base, H8 an occupied one, H11 empty, and H14 does not exist."""
    state = RULESET.setup([SignUp(s, n) for s, n in zip(SEATS, NAMES, strict=True)],
                          {"fog": "galaxy"}, Dice(b"stars"))  # fmt: skip
    state, _ = RULESET.correct(state, UNSEEN)
    answers = set()
    for number in (5, 8, 11, 14):
        order = order_of(probe.format(number))
        (ruling,) = RULESET.validate(state, SEATS[0], [order])
        turn = RULESET.resolve(state, {SEATS[0]: [order]}, frozenset(), Dice(b"stars"))
        ((_, outcome),) = turn.outcomes[SEATS[0]]
        assert not outcome.done
        said = f"{ruling.reason} {outcome.reason} {RULESET.forecast(state, SEATS[0], [order])}"
        answers.add((ruling.kind, said.replace(str(number), "n")))
    assert len(answers) == 1, answers


UNSEEN = """
[ARGO] boosters 1
H5 [BEAGLE] 1,0 planet O
H8 [BEAGLE] 2,0 planet F toll met BEAGLE
H11 [BEAGLE] 3,0 wormhole
S5 [BEAGLE] H5
B5 [BEAGLE] colony H5
B8 [BEAGLE] spaceport H5a
"""


@given(POSITIONS, RANDOMS)
def test_observers_read_only_what_is_public(state: State, random: Random) -> None:
    changed = with_other_secrets(state, None, random)
    assert RULESET.view(changed, None, "") == RULESET.view(state, None, "")


def with_other_secrets(state: State, seat: Seat | None, random: Random) -> State:
    """Return the state with other hands, news, offers, encounters and tiles of other players."""
    state = state.copy()
    others = [other for other in state.players if other != seat]
    for other in others:
        player = state.players[other]
        player.hand = _some_cards(player.hand.total, random)
        player.seeks = {each for each in others if each != other}
    if len(others) > 1:
        state.bids.append(Bid(others[0], others[1], of("O"), of("F", 7)))
    for bag in state.bags.values():
        random.shuffle(bag)
    random.shuffle(state.deck)
    for place in state.hexes.values():
        if place.occupied and seat not in place.met:
            place.card = random.choice([*Card, None])
            place.met = set(others) if place.card else set()
    return state


def _some_cards(number: int, random: Random) -> Goods:
    return sum((of(letter) for letter in random.choices(LETTERS, k=number)), Goods())


def with_other_unseen_galaxies(state: State, seat: Seat, random: Random) -> State:
    """Return the state with other content in the galaxies that a seat does not see."""
    dark = {galaxy for galaxy in state.players if not state.sees(seat, galaxy)}
    for place in state.hexes.values():
        if place.galaxy in dark and place.kind is not Kind.MOTHERSHIP:
            place.kind = random.choice([Kind.EMPTY, Kind.TELEPORTER, Kind.WORMHOLE, Kind.TRADER])
            place.resource, place.occupied, place.card = "", False, None
    for ship in state.ships.values():
        galaxy = state.hexes[ship.hex].galaxy
        if galaxy in dark:
            there = [number for number, each in state.hexes.items() if each.galaxy == galaxy]
            ship.hex = random.choice(there)
    for number, base in list(state.bases.items()):
        if state.hexes[base.hex].galaxy in dark:
            del state.bases[number]
    _do_more_unseen(state, [p for p in state.players if p != seat], dark, random)
    for galaxy in dark:
        state.bags[galaxy] = [Tile(Kind.EMPTY)] * random.randint(0, 9)
    return state


def _do_more_unseen(state: State, others: list[Seat], dark: set[Seat], random: Random) -> None:
    """Add hexes, bases and mercenaries of others in the galaxies that a seat does not see."""
    for galaxy in sorted(dark):
        east = max(place.at[0] for place in state.hexes.values() if place.galaxy == galaxy)
        for step in range(1, random.randint(1, 4)):
            number = new_hex(state, galaxy)
            state.hexes[number] = Hex(number, galaxy, (east + step, 0), Kind.EMPTY)
            owner = random.choice(others)
            hired = Ship(max(state.ships) + 1, owner, number, mercenary=True)
            built = Base(max([0, *state.bases]) + 1, owner, BaseKind.COLONY, number)
            state.ships[hired.number], state.bases[built.number] = hired, built
            state.players[owner].ships += 1
            state.players[owner].bases += 1
            state.built_ships, state.built_bases = hired.number, built.number
