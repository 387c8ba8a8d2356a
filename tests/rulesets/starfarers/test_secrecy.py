"""Two tables that differ only in what a seat cannot know look the same to it, to the byte."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import LETTERS, Goods, of
from referee.rulesets.starfarers.state import Bid, Card, Kind, Note, State, Tile
from referee.testing.contract import visible_to
from tests.rulesets.starfarers.played import BATCHES, SEATS, busy_sheet, game

POSITIONS = st.deferred(
    lambda: st.sampled_from([each.state for kind in BATCHES for each in game(kind)[::4]])
)
FOGGED = st.deferred(lambda: st.sampled_from([each.state for each in game("fog")[::2]]))
RANDOMS = st.randoms(use_true_random=False)


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
        player.private = [Note("Trade", "something else")]
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
    for galaxy in dark:
        state.bags[galaxy] = [Tile(Kind.EMPTY)] * random.randint(0, 9)
    state.notes = [note for note in state.notes if note.readers is None or seat in note.readers]
    return state
