"""Properties of every turn of StarWeb, whatever the orders."""

from dataclasses import fields
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.foresight import forecast
from referee.rulesets.starweb.rulings import defaults
from referee.rulesets.starweb.state import MOST, MOST_MINES, Character, Fleet, Player, State, World
from referee.rulesets.starweb.turn import GALAXY, resolve
from referee.rulesets.starweb.turn_state import Turn
from tests.support.examples import examples

SEATS = (Seat(1), Seat(2), Seat(3))
WORLDS = range(1, 6)
KEYS = range(1, 9)
NAMES = ("A", "B", "C", "NOBODY", "")

COUNTS = st.integers(0, 300) | st.integers(0, 6)
VALUES = {
    "fleet": st.integers(0, 9),
    "world": st.integers(0, 6),
    "count": COUNTS,
    "score": st.integers(0, 20000),
    "artifact": st.sampled_from((0, 7, 11, 20, 100)),
    "route": st.lists(st.integers(0, 6), max_size=4).map(tuple),
    "name": st.sampled_from(NAMES),
    "lines": st.lists(st.text(max_size=90), max_size=3).map(tuple),
    "home": st.sampled_from(o.Home),
    "trigger": st.sampled_from(o.Trigger),
    "aim": st.sampled_from(o.Aim),
}
HOME_GOALS = (o.TransferToHome, o.BuildHomeShips)
FREE_COUNTS = (o.Load, o.Unload, o.Jettison, o.UnloadGoods)


def _any_order(kind: type[o.Order]) -> st.SearchStrategy[o.Order]:
    values = {field.name: VALUES.get(field.name, st.integers(0, 9)) for field in fields(kind)}
    if kind in HOME_GOALS:
        values["to"] = VALUES["home"]
    if kind in FREE_COUNTS:
        values["count"] = st.none() | COUNTS
    if kind is o.HoldAmbush:
        values["world"] = st.none() | VALUES["world"]
    return st.builds(kind, **values)


KINDS = [
    kind
    for kind in vars(o).values()
    if isinstance(kind, type) and issubclass(kind, o.Order) and kind is not o.Order
]
SHEETS = st.lists(st.sampled_from(KINDS).flatmap(_any_order), max_size=12)
ORDERS = st.fixed_dictionaries(dict.fromkeys(SEATS, SHEETS))


@st.composite
def galaxies(draw: st.DrawFn) -> State:
    owner = st.none() | st.sampled_from(SEATS)
    few = st.integers(0, 12)
    worlds = {}
    for number in WORLDS:
        gates = tuple(n for n in WORLDS if n != number and (n + number) % 4 != 2)
        world = World(number, gates, owner=draw(owner), industry=draw(few), metal=draw(few))
        world.mines, world.population, world.limit = draw(few), draw(COUNTS), draw(few)
        world.population = min(world.population, MOST) or int(world.owner is not None)
        world.turns = draw(st.integers(1, 7)) if world.mines else 0
        world.usable = world.industry
        world.iships, world.pships = draw(few), draw(few)
        world.converts = draw(st.integers(0, world.population))
        world.apostle = draw(st.sampled_from(SEATS)) if world.converts else None
        world.robots = not world.converts and draw(st.booleans())
        world.recovery = draw(st.integers(0, 3))
        worlds[number] = world
    worlds[5] = World(5, worlds[5].gates, black_hole=True)
    worlds[1].artifacts = [7, 20]
    fleets = {}
    for key in KEYS:
        ships = min(MOST, draw(COUNTS))
        fleet = Fleet(key, draw(st.integers(1, 4)), draw(owner), ships, draw(st.integers(0, ships)))
        fleet.at_peace, fleet.bomb = draw(st.booleans()), ships > 0 and draw(st.booleans())
        fleets[key] = fleet
    fleets[1].artifacts = [11, 100]
    return State(draw(st.integers(1, 3)), worlds, fleets, _players(draw))


def _players(draw: st.DrawFn) -> dict[Seat, Player]:
    players = {}
    for seat, name in zip(SEATS, NAMES, strict=False):
        others = [other for other in SEATS if other != seat]
        player = Player(seat, name, draw(st.sampled_from(Character)), home=int(seat))
        player.met = draw(st.permutations(others))
        player.allies = draw(st.sets(st.sampled_from(others)))
        player.jihad = draw(st.none() | st.sampled_from(others))
        players[seat] = player
    return players


@examples(60)
@given(galaxies(), ORDERS)
def test_any_orders_are_resolved_with_one_outcome_each(
    state: State, orders: dict[Seat, list[o.Order]]
) -> None:
    resolution = resolve(state, orders, frozenset(), Dice(b"seed"))
    given_back = {seat: [order for order, _ in rows] for seat, rows in resolution.outcomes.items()}
    assert given_back == orders
    reasons = [outcome for rows in resolution.outcomes.values() for _, outcome in rows]
    assert [outcome for outcome in reasons if not outcome.done and not outcome.reason] == []


@examples(40)
@given(galaxies(), ORDERS)
def test_a_turn_depends_neither_on_the_run_nor_on_the_sequence_of_seats(
    state: State, orders: dict[Seat, list[o.Order]]
) -> None:
    before = state.copy()
    first = resolve(state, orders, frozenset(), Dice(b"seed"))
    backwards = {seat: orders[seat] for seat in reversed(SEATS)}
    second = resolve(state, backwards, frozenset(), Dice(b"seed"))
    assert (first.state, first.events) == (second.state, second.events)
    assert dict(first.outcomes) == dict(second.outcomes)
    assert state == before


@examples(40)
@given(galaxies(), ORDERS)
def test_points_and_reports_change_neither_galaxy_nor_orders(
    state: State, orders: dict[Seat, list[o.Order]]
) -> None:
    whole = resolve(state, orders, frozenset(), Dice(b"seed"))
    turn = Turn(state, orders, Dice(b"seed"))
    for step in GALAXY:
        step.take(turn)
    assert (turn.state.worlds, turn.state.fleets) == (whole.state.worlds, whole.state.fleets)
    assert turn.resolution().outcomes == whole.outcomes


@examples(40)
@given(galaxies(), ORDERS, st.randoms(use_true_random=False))
def test_transfers_do_not_depend_on_the_sequence_typed(
    state: State, orders: dict[Seat, list[o.Order]], chance: Random
) -> None:
    kinds = (o.TransferToFleet, o.TransferToHome, o.TransferFromHome, o.TransferBetweenHomes)
    typed = {seat: [each for each in orders[seat] if type(each) in kinds] for seat in SEATS}
    shuffled = {seat: chance.sample(typed[seat], len(typed[seat])) for seat in SEATS}
    first, second = (
        resolve(state, sheets, frozenset(), Dice(b"seed")).state for sheets in (typed, shuffled)
    )
    assert (first.worlds, first.fleets) == (second.worlds, second.fleets)


@examples(60)
@given(galaxies(), ORDERS)
def test_keys_artifacts_and_limits_are_kept(
    state: State, orders: dict[Seat, list[o.Order]]
) -> None:
    after = resolve(state, orders, frozenset(), Dice(b"seed")).state
    assert after.fleets.keys() == state.fleets.keys()
    assert {fleet.world for fleet in after.fleets.values()} <= after.worlds.keys()
    places: list[World | Fleet] = [*after.worlds.values(), *after.fleets.values()]
    assert sorted(n for place in places for n in place.artifacts) == [7, 11, 20, 100]
    assert [problem for place in places for problem in _problems(place)] == []


def _problems(place: World | Fleet) -> list[str]:
    """Return what is wrong with the counts of a place."""
    wrong = []
    for field in fields(place):
        count = getattr(place, field.name)
        most = MOST_MINES if field.name == "mines" else MOST
        if type(count) is int and not 0 <= count <= most:
            wrong.append(f"{place.number}: {field.name}={count}")
    if isinstance(place, World):
        if place.converts > place.population or (place.converts > 0) != (place.apostle is not None):
            wrong.append(f"W{place.number}: converts")
        if place.owner is not None and not place.population:
            wrong.append(f"W{place.number}: owned without people")
        if bool(place.mines) != bool(place.turns):
            wrong.append(f"W{place.number}: turns")
    elif place.cargo > 2 * place.ships or (place.bomb and not place.ships):
        wrong.append(f"F{place.number}: cargo or bomb without ships")
    return wrong


@examples(30)
@given(galaxies(), ORDERS)
def test_the_forecast_reveals_nothing_that_the_seat_cannot_know(
    state: State, orders: dict[Seat, list[o.Order]]
) -> None:
    seat = SEATS[0]
    state = resolve(state, {}, frozenset(), Dice(b"seed")).state
    other = state.copy()
    for number, world in other.worlds.items():
        if number not in state.players[seat].worlds:
            world.population, world.owner, world.metal = 99, SEATS[1], 77
    for fleet in other.fleets.values():
        if fleet.owner != seat:
            fleet.cargo = 0
    for rival in SEATS[1:]:
        other.players[rival].character = Character.PIRATE
        other.players[rival].allies, other.players[rival].score = set(SEATS) - {rival}, 4321
    assert forecast(state, seat, orders[seat]) == forecast(other, seat, orders[seat])


@examples(40)
@given(galaxies(), st.sampled_from(SEATS))
def test_default_orders_are_never_rejected(state: State, seat: Seat) -> None:
    given_orders = defaults(state, seat, ())
    rows = resolve(state, {seat: given_orders}, frozenset({seat}), Dice(b"seed")).outcomes[seat]
    assert [outcome for _, outcome in rows if not outcome.done] == []
