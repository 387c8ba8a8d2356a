"""Secrecy: states that differ only in secrets give a seat the same output."""

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
from referee.testing.contract import visible_to
from tests.rulesets.starweb.played import DICE, NAMES, SEATS, TURNS, game
from tests.rulesets.starweb.sheets import ORDERS
from tests.support.examples import examples

Secret = Callable[[State, Seat, Random], None]
"""A random change of a state in one thing that a seat cannot know."""
Secrets = Sequence[Secret]

# ---- Secrets -----------------------------------------------------------------


def unseen_worlds(state: State, seat: Seat, chance: Random) -> None:
    """Change worlds outside the report, because a world is known only by reports (s12).

    Older reports have shown the gates of a world and whether it is a black hole. Of other worlds
    only the number is known. The report has all worlds where the seat owns something.
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
    """Change fleets outside the report, because a fleet is shown only with its world (s27).

    A fleet in a black hole is shown once more. Its next place is drawn when the turn begins (s25).
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
    """Change the cargo of other fleets, which only the owner sees (s7)."""
    for fleet in state.fleets.values():
        if fleet.owner != seat:
            fleet.cargo = chance.randrange(fleet.ships + 1)


def unseen_departures(state: State, seat: Seat, chance: Random) -> None:
    """Change departures from worlds outside the report, which only their reports show (s27)."""
    shown = state.players[seat].worlds
    dark = [number for number in state.worlds if number not in shown]
    state.departures = [each for each in state.departures if each.world in shown]
    for fleet in chance.sample(sorted(state.fleets), 3) if dark else ():
        owner = chance.choice(_others(state, seat))
        state.departures.append(Departure(chance.choice(dark), fleet, owner, 1))
    state.departures.sort(key=lambda each: (each.world, each.fleet))


def sheets_of_others(state: State, seat: Seat, chance: Random) -> None:
    """Change what only the reports of other players show (s13, s17).

    These are their orders with the reasons, the worlds they see, allies, loaders and jihads.
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
    """Change characters and homes of others, which are not in a printout (s27)."""
    for _, player in _rivals(state, seat):
        player.character = chance.choice(tuple(Character))
        player.home = chance.choice(sorted(state.worlds))


def scores_of_others(state: State, seat: Seat, chance: Random) -> None:
    """Change scores of others: only those of players seen are shown, without names (s30)."""
    seen = state.players[seat].seen
    scores = [state.players[other].score for other in seen]
    for other, score in zip(seen, chance.sample(scores, len(scores)), strict=True):
        state.players[other].score = score
    for other, player in _rivals(state, seat):
        if other not in seen:
            player.score = chance.randrange(9000)


def names_and_signs_of_strangers(state: State, seat: Seat, chance: Random) -> None:
    """Change names of players not met (s17), and signs that are not shown.

    A sign is shown at the first meeting and after a change (s26).
    """
    reader = state.players[seat]
    for other, player in _rivals(state, seat):
        if other not in reader.met:
            player.name = "".join(chance.choices("ABCDEFGHIJ", k=9))
        if other not in reader.signs:
            player.sign = ("".join(chance.choices("ABCDEFGHIJ ", k=30)),)


def votes(state: State, seat: Seat, chance: Random) -> None:
    """Change the votes of others for the ending score, which are secret (s30)."""
    for _, player in _rivals(state, seat):
        player.ending = chance.choice((None, 1000, 10000))


def black_box(state: State, seat: Seat, chance: Random) -> None:
    """Change the Black Box, whose power is secret (s14)."""
    del seat
    state.box = BlackBox(chance.choice(tuple(BoxPower)), chance.randrange(20))


def gm_notes(state: State, seat: Seat, chance: Random) -> None:
    """Change the note on the fairness of the start, which only the GM sees."""
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
    gm_notes,
)


def with_secrets_changed(state: State, seat: Seat, secrets: Secrets, chance: Random) -> State:
    """Return a copy of *state* with *secrets* changed."""
    other = state.copy()
    for change in secrets:
        change(other, seat, chance)
    return other


def _others(state: State, seat: Seat) -> list[Seat | None]:
    return [None, *(each for each in state.players if each != seat)]


def _rivals(state: State, seat: Seat) -> list[tuple[Seat, Any]]:
    return [(each, player) for each, player in state.players.items() if each != seat]


# ---- Output ------------------------------------------------------------------

CHANCE: Final = st.integers(0, 2**32).map(Random)
CHOSEN: Final = st.lists(st.sampled_from(SECRETS), min_size=1, unique=True)


def all_output(state: State, seat: Seat, orders: tuple[o.Order, ...]) -> dict[str, str]:
    """Return everything that a seat can read, as text to compare."""
    return {name: repr(value) for name, value in visible_to(RULESET, state, seat, orders).items()}


def about(order: o.Order, state: State, seat: Seat, chance: Random) -> o.Order:
    """Return an order like *order* with fleets, worlds and names of the game."""
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
def test_secrets_do_not_change_the_output(
    turn: int, seat: Seat, wild: list[o.Order], secrets: Secrets, chance: Random
) -> None:
    played = game()[turn]
    orders = (*played.sheets[seat], *(about(each, played.state, seat, chance) for each in wild))
    other = with_secrets_changed(played.state, seat, secrets, chance)
    assert all_output(other, seat, orders) == all_output(played.state, seat, orders)


FAR: Final[Secrets] = (
    unseen_worlds,
    unseen_fleets,
    unseen_departures,
    scores_of_others,
    names_and_signs_of_strangers,
    votes,
    gm_notes,
)
"""Secrets that cannot affect fleets that do not move."""


@examples(60)
@given(st.integers(0, TURNS - 1), st.sampled_from(SEATS), st.lists(ORDERS, min_size=5), CHANCE)
def test_the_reasons_of_failed_orders_reveal_no_secrets(
    turn: int, seat: Seat, wild: list[o.Order], chance: Random
) -> None:
    state = game()[turn].state
    staying = [each for each in wild if not isinstance(each, o.MoveFleet)]
    orders = [about(each, state, seat, chance) for each in staying]
    other = with_secrets_changed(state, seat, FAR, chance)
    first, second = (
        RULESET.resolve(each, {seat: orders}, frozenset(), DICE).outcomes[seat]
        for each in (state, other)
    )
    assert second == first


@pytest.mark.parametrize("secret", SECRETS, ids=[secret.__name__ for secret in SECRETS])
def test_every_secret_is_part_of_the_state(secret: Secret) -> None:
    state = game()[-1].state
    changed = state.copy()
    secret(changed, SEATS[0], Random(1))
    assert encode(changed).digest != encode(state).digest
