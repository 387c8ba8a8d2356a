"""Nobody is told what he may not know: states that differ in it alone give him the same bytes."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.ruleset import Seat
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.state import (
    BlackBox,
    BoxPower,
    Character,
    Departure,
    Echo,
    Fleet,
    State,
    World,
)
from referee.store.database.codec import encode
from referee.testing.contract import told
from tests.rulesets.starweb.played import DICE, NAMES, SEATS, TURNS, game
from tests.rulesets.starweb.sheets import ORDERS
from tests.support.examples import examples

Secret = Callable[[State, Seat, Random], None]
"""Changes a state by chance in one thing that a seat may not know."""
Secrets = Sequence[Secret]

# ---- What a seat may not know ------------------------------------------------


def unseen_worlds(state: State, seat: Seat, chance: Random) -> None:
    """A world is known by the reports it stands in (s12). Of one that stood in an older report
    are known the gates it had, which are charted, and whether it is a black hole; of any other,
    nothing but that it has a number. Where the seat owns anything, it gets a report.
    """
    player, others = state.players[seat], _others(state, seat)
    for number, world in state.worlds.items():
        if number not in player.worlds:
            gates = tuple(sorted(chance.sample(sorted(state.worlds), 4)))
            strange = World(number, gates, owner=chance.choice(others), population=60)
            strange.converts, strange.apostle = chance.randrange(60), chance.choice(others)
            strange.artifacts = [each for each in world.artifacts if chance.random() < 0.5]
            strange.robots = chance.random() < 0.3
            strange.lost_by = chance.choice(others)
            for name in ("industry", "usable", "metal", "mines", "limit", "iships", "recovery"):
                setattr(strange, name, chance.randrange(30))
            charted = number in player.charted
            strange.black_hole = world.black_hole if charted else chance.random() < 0.3
            state.worlds[number] = strange


def unseen_fleets(state: State, seat: Seat, chance: Random) -> None:
    """A fleet is known by the report of the world where it is (s27); one in a black hole is
    shown once more, but where its key turns up is drawn when the next turn begins (s25).
    """
    shown = state.players[seat].worlds
    dark = [n for n, world in state.worlds.items() if n not in shown and not world.black_hole]
    for number, fleet in state.fleets.items():
        if fleet.world not in shown and dark:
            owner, ships = chance.choice(_others(state, seat)), chance.randrange(99)
            strange = Fleet(number, chance.choice(dark), owner, ships, chance.randrange(ships + 1))
            strange.artifacts = [each for each in fleet.artifacts if chance.random() < 0.5]
            strange.bomb, strange.at_peace = ships > 0, chance.random() < 0.5
            strange.did = chance.choice(("", "Moved", "AF1"))
            state.fleets[number] = strange


def cargo_of_others(state: State, seat: Seat, chance: Random) -> None:
    """Only the owner of a fleet is told how much metal it carries (s7)."""
    for fleet in state.fleets.values():
        if fleet.owner != seat:
            fleet.cargo = chance.randrange(fleet.ships + 1)


def unseen_departures(state: State, seat: Seat, chance: Random) -> None:
    """Who left a world is told in the report of that world (s27)."""
    shown = state.players[seat].worlds
    dark = [number for number in state.worlds if number not in shown]
    state.departures = [each for each in state.departures if each.world in shown]
    for fleet in chance.sample(sorted(state.fleets), 3) if dark else ():
        owner = chance.choice(_others(state, seat))
        state.departures.append(Departure(chance.choice(dark), fleet, owner, 1))
    state.departures.sort(key=lambda each: (each.world, each.fleet))


def sheets_of_others(state: State, seat: Seat, chance: Random) -> None:
    """What others ordered and were answered, and which worlds they see, stands in their reports;
    so do their allies and loaders, who are not told either (s13, s17), and their jihads.
    """
    for other, player in _rivals(state, seat):
        player.echo = (Echo(f"F{chance.randrange(99)}W1", "secret"),)
        player.worlds = set(chance.sample(sorted(state.worlds), 5))
        player.charted = {number: {1: 1} for number in player.worlds}
        everybody = [each for each in state.players if each != other]
        player.allies = set(chance.sample(everybody, chance.randrange(len(everybody))))
        player.loaders = set(chance.sample(everybody, chance.randrange(len(everybody))))
        player.met = chance.sample(everybody, len(everybody))
        player.seen, player.signs = tuple(player.met), ()
        player.jihad = chance.choice(everybody)


def characters_and_homes_of_others(state: State, seat: Seat, chance: Random) -> None:
    """A printout names the character of its reader alone (s27), and no home world as such."""
    for _, player in _rivals(state, seat):
        player.character = chance.choice(tuple(Character))
        player.home = chance.choice(sorted(state.worlds))


def scores_of_others(state: State, seat: Seat, chance: Random) -> None:
    """The scores of the players one sees are told, but not whose is which (s30); those of the
    others are not.
    """
    seen = state.players[seat].seen
    scores = [state.players[other].score for other in seen]
    for other, score in zip(seen, chance.sample(scores, len(scores)), strict=True):
        state.players[other].score = score
    for other, player in _rivals(state, seat):
        if other not in seen:
            player.score = chance.randrange(9000)


def names_and_signs_of_strangers(state: State, seat: Seat, chance: Random) -> None:
    """Who was not met is unknown by name (s17); a sign is read at meeting and when it is changed,
    else it is not shown again (s26).
    """
    reader = state.players[seat]
    for other, player in _rivals(state, seat):
        if other not in reader.met:
            player.name = "".join(chance.choices("ABCDEFGHIJ", k=9))
        if other not in reader.signs:
            player.sign = ("".join(chance.choices("ABCDEFGHIJ ", k=30)),)


def votes(state: State, seat: Seat, chance: Random) -> None:
    """Nobody is told for which ending score others voted, nor the average (s30)."""
    for _, player in _rivals(state, seat):
        player.ending = chance.choice((None, 1000, 10000))


def black_box(state: State, seat: Seat, chance: Random) -> None:
    """What the Black Box does is found out by holding it (s14)."""
    del seat
    state.box = BlackBox(chance.choice(tuple(BoxPower)), chance.randrange(20))


def what_the_gm_is_told(state: State, seat: Seat, chance: Random) -> None:
    """How even the start was is the GM's to know."""
    del seat
    state.fairness = f"the best has {chance.randrange(99)} mines more"


SECRETS: Final[Secrets] = (
    unseen_worlds,
    unseen_fleets,
    cargo_of_others,
    unseen_departures,
    sheets_of_others,
    characters_and_homes_of_others,
    scores_of_others,
    names_and_signs_of_strangers,
    votes,
    black_box,
    what_the_gm_is_told,
)


def what_a_seat_may_not_know(state: State, seat: Seat, secrets: Secrets, chance: Random) -> State:
    """Give a state that differs from *state* in *secrets*, which say themselves why they are."""
    other = state.copy()
    for change in secrets:
        change(other, seat, chance)
    return other


def _others(state: State, seat: Seat) -> list[Seat | None]:
    return [None, *(each for each in state.players if each != seat)]


def _rivals(state: State, seat: Seat) -> list[tuple[Seat, Any]]:
    return [(each, player) for each, player in state.players.items() if each != seat]


# ---- What a seat is told -----------------------------------------------------

CHANCE: Final = st.integers(0, 2**32).map(Random)
CHOSEN: Final = st.lists(st.sampled_from(SECRETS), min_size=1, unique=True)


def everything_told(state: State, seat: Seat, orders: tuple[o.Order, ...]) -> dict[str, str]:
    """Give all that a seat is told, as text to compare."""
    return {name: repr(value) for name, value in told(RULESET, state, seat, orders).items()}


def about(order: o.Order, state: State, seat: Seat, chance: Random) -> o.Order:
    """Give an order like *order* about what there is: fleets, worlds and names of the game."""
    own = [fleet.number for fleet in state.fleets.values() if fleet.owner == seat]
    mine = [world.number for world in state.worlds.values() if world.owner == seat]
    near = sorted(state.players[seat].charted)
    pools: dict[str, list[Any]] = {
        "fleet": own or [1],
        "world": mine or [1],
        "at": sorted(state.fleets) if not isinstance(order, _PROBES) else near,
        "to": sorted(state.fleets) if not isinstance(order, _MIGRATIONS) else near,
        "name": [*NAMES, "NOBODY"],
        "artifact": list(range(1, 101)),
        "count": [1, 2, 5, 50],
    }
    changes = {
        field.name: chance.choice(pools[field.name])
        for field in fields(order)
        if field.name in pools
        and isinstance(getattr(order, field.name), int | str)
        and not isinstance(getattr(order, field.name), o.Home)
    }
    if isinstance(order, o.MoveFleet):
        changes["route"] = tuple(chance.choice(sorted(state.worlds)) for _ in order.route)
    return replace(order, **changes)


_PROBES: Final = (o.ProbeFromFleet, o.ProbeFromHome)
_MIGRATIONS: Final = (o.MigratePeople, o.MigrateConverts)


@examples(100)
@given(st.integers(0, TURNS - 1), st.sampled_from(SEATS), st.lists(ORDERS), CHOSEN, CHANCE)
def test_what_a_seat_may_not_know_changes_nothing_it_is_told(
    turn: int, seat: Seat, wild: list[o.Order], secrets: Secrets, chance: Random
) -> None:
    played = game()[turn]
    orders = (*played.sheets[seat], *(about(each, played.state, seat, chance) for each in wild))
    other = what_a_seat_may_not_know(played.state, seat, secrets, chance)
    assert everything_told(other, seat, orders) == everything_told(played.state, seat, orders)


FAR: Final[Secrets] = (
    unseen_fleets,
    unseen_departures,
    scores_of_others,
    names_and_signs_of_strangers,
    votes,
    what_the_gm_is_told,
)
"""Secrets that cannot touch what a fleet does that stays where it is."""


@examples(60)
@given(st.integers(0, TURNS - 1), st.sampled_from(SEATS), st.lists(ORDERS, min_size=5), CHANCE)
def test_the_reasons_of_failed_orders_tell_no_secrets(
    turn: int, seat: Seat, wild: list[o.Order], chance: Random
) -> None:
    state = game()[turn].state
    staying = [each for each in wild if not isinstance(each, o.MoveFleet)]
    orders = [about(each, state, seat, chance) for each in staying]
    other = what_a_seat_may_not_know(state, seat, FAR, chance)
    first, second = (
        RULESET.resolve(each, {seat: orders}, frozenset(), DICE).outcomes[seat]
        for each in (state, other)
    )
    assert second == first


@pytest.mark.parametrize("secret", SECRETS, ids=[secret.__name__ for secret in SECRETS])
def test_every_secret_is_one_that_the_state_holds(secret: Secret) -> None:
    state = game()[-1].state
    changed = state.copy()
    secret(changed, SEATS[0], Random(1))
    assert encode(changed).digest != encode(state).digest
