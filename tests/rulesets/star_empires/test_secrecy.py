"""Tests of secrecy: states that differ only in secrets give a seat the same output."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest
from hypothesis import Phase, assume, find, given, settings
from hypothesis import strategies as st

from referee.reports.structure import report_json
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.news import heard
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.hulls import Ratings
from referee.rulesets.star_empires.knowledge import chart_of, chart_status, sighted
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.scoring import victory
from referee.rulesets.star_empires.sectors import Frame, Sector
from referee.rulesets.star_empires.state import Prohibition, Ship, Sighting, State
from referee.store.database.codec import encode
from referee.testing.contract import visible_to
from tests.rulesets.star_empires.galaxies import SEATS, elsewhere, galaxies, peaceful, sheets
from tests.rulesets.star_empires.played import TURNS, game
from tests.support.examples import examples

Secret = Callable[[State, Seat, Random], None]
"""A function that changes one secret of a state at random."""
Secrets = Sequence[Secret]
DICE: Final = Dice(b"seed")

# ---- Facts hidden from a seat ------------------------------------------------


def unseen_ships(state: State, seat: Seat, chance: Random) -> None:
    """Change the ships in sectors that the empire does not see (R3.0)."""
    for ship in list(state.ships.values()):
        if ship.owner == seat or _seen(state, seat, ship.at) is not Sighting.STALE:
            continue
        if chance.random() < 0.3:
            _remove(state, ship)
        else:
            ship.dp, ship.did = 1, ["fired"]
            ship.name, ship.public = f"hidden{chance.randrange(9)}", chance.random() < 0.5


def cargo_of_others(state: State, seat: Seat, chance: Random) -> None:
    """Change the loaded ships of other empires (R6.6.5)."""
    for ship in list(state.ships.values()):
        if ship.owner != seat and ship.loaded:
            if chance.random() < 0.5:
                del state.ships[ship.number]
            else:
                ship.name, ship.dp, ship.public = "aboard", 1, True


def strangers(state: State, seat: Seat, chance: Random) -> None:
    """Change the unidentified ships on long-range scan, except their tonnage (R4.5)."""
    named = {each.ship.number for each in sighted(state, seat)}
    for ship in state.ships.values():
        hidden = ship.owner != seat and ship.number not in named
        if hidden and _seen(state, seat, ship.at) is Sighting.SCANNED:
            ship.name, ship.serial = "who", f"XX{chance.randrange(9)}"
            ship.dp, ship.did = 1, ["moved"]
            ship.identified = set(state.empires) - {seat, ship.owner}


def state_of_distant_ships(state: State, seat: Seat, chance: Random) -> None:
    """Change the damage of identified ships on long-range scan (R6.6.3)."""
    for each in sighted(state, seat):
        if not each.close:
            each.ship.dp, each.ship.did = 1, [chance.choice(("fired", "built"))]


def unseen_worlds(state: State, seat: Seat, chance: Random) -> None:
    """Change the worlds in stale sectors (R3.0)."""
    for world in state.worlds.values():
        if world.owner != seat and _seen(state, seat, world.at) is Sighting.STALE:
            world.owner = chance.choice([None, *(set(state.empires) - {seat})])
            world.production, world.stockpile = chance.randrange(99), chance.randrange(99)
            world.prohibition, world.homeworld = Prohibition.BLOCKADED, chance.random() < 0.5


def prohibitions(state: State, seat: Seat, chance: Random) -> None:
    """Change the blockades of worlds that are not on short-range scan (R3.0)."""
    for world in state.worlds.values():
        if _seen(state, seat, world.at) is not Sighting.VISIBLE:
            world.prohibition = chance.choice(tuple(Prohibition))


def wormnets(state: State, seat: Seat, chance: Random) -> None:
    """Change portal links without navigation data (R6.4.1), and collapse stale portals."""
    empire = state.empires[seat]
    for portal in state.portals.values():
        known = portal.name in empire.navigation
        kept = portal.exits & empire.navigation if known else set()
        unknown = set(state.portals) - (empire.navigation if known else set()) - {portal.name}
        portal.exits = kept | set(
            chance.sample(sorted(unknown), chance.randrange(len(unknown) + 1))
        )
        if _seen(state, seat, portal.at) is Sighting.STALE:
            portal.collapsed = not portal.collapsed


def weather(state: State, seat: Seat, chance: Random) -> None:
    """Change the storms out of scan range, and the fluctuations of all storms (R2.5)."""
    for storm in state.storms.values():
        known = state.empires[seat].storms.get(storm.name)
        if known is None or known.turn < state.turn:
            storm.intensity = chance.randrange(9)
        storm.fluctuations, storm.random, storm.initial = (1, 2), True, chance.randrange(9)


def minds_of_others(state: State, seat: Seat, chance: Random) -> None:
    """Change the knowledge, the decisions and the frames of other empires."""
    for other, empire in state.empires.items():
        if other == seat:
            continue
        empire.ledger, empire.chart = [], []
        empire.worlds, empire.portals, empire.storms = {}, {}, {}
        empire.contacts, empire.classes, empire.navigation = set(), set(), set()
        empire.class_names = {"probe": "eye", "d1": "known"}
        # An empire knows which scans others share with it.
        empire.shares = {to: share for to, share in empire.shares.items() if to == seat}
        empire.home = (9, 9)
        empire.frame = Frame(chance.randrange(9), chance.randrange(9), chance.randrange(6))
        empire.attackers = set(state.empires) - {other}
        empire.allies = {each for each in empire.allies if each == seat}


def designs_of_others(state: State, seat: Seat, chance: Random) -> None:
    """Change the unknown classes, except name, hull and tonnage (R4.3)."""
    known = state.empires[seat].classes | {ship.kind for ship in state.fleet(seat)}
    for name in state.classes.keys() - known:
        kind = state.classes[name]
        ratings = Ratings(1 + chance.randrange(90), kind.ratings.dp, *chance.choices(range(9), k=3))
        cost = chance.randrange(99)
        state.classes[name] = replace(kind, ratings=ratings, cost=cost, repair=cost, buildable=True)


def unknown_designs(state: State, seat: Seat, chance: Random) -> None:
    """Add a class that the empire has never seen, with a name that it can use in a design."""
    del seat
    name = chance.choice(("d1", "d2", "D1", "unheard"))
    kind = replace(state.classes["probe"], name=name)
    state.classes[kind.name] = kind


def how_many_ships_there_were(state: State, seat: Seat, chance: Random) -> None:
    """Change the internal numbers of ships."""
    del seat
    state.commissioned += 1 + chance.randrange(99)


SECRETS: Final[Secrets] = (
    unseen_ships,
    cargo_of_others,
    strangers,
    state_of_distant_ships,
    unseen_worlds,
    prohibitions,
    wormnets,
    weather,
    minds_of_others,
    designs_of_others,
    unknown_designs,
    how_many_ships_there_were,
)


def _seen(state: State, seat: Seat, at: Sector) -> Sighting:
    return chart_status(chart_of(state.empires[seat]), at)


def _remove(state: State, ship: Ship) -> None:
    for each in [ship, *state.cargo(ship)]:
        state.ships.pop(each.number, None)


def otherwise(state: State, seat: Seat, secrets: Secrets, chance: Random) -> State:
    """Return a state that differs from *state* in *secrets*."""
    other = state.copy()
    for change in secrets:
        change(other, seat, chance)
    return other


# ---- Output for a seat -------------------------------------------------------

CHANCE: Final = st.integers(0, 2**32).map(Random)
CHOSEN: Final = st.lists(st.sampled_from(SECRETS), min_size=1, unique=True)


def output_for(state: State, seat: Seat, orders: Sequence[Order]) -> dict[str, str]:
    """Return all output for a seat as text: report and report.json, rulings, errors."""
    answers: dict[str, Any] = visible_to(RULESET, state, seat, orders)
    answers["report"] = text(answers["view"])
    answers["report.json"] = report_json(answers["view"])
    answers["forecast letter"] = text(answers["forecast"])
    return {name: repr(value) for name, value in answers.items()}


@pytest.mark.slow
@examples(50)
@given(galaxies(), st.sampled_from(SEATS), sheets(), CHOSEN, CHANCE)
def test_secrets_do_not_change_the_output(
    state: State, seat: Seat, orders: dict[Seat, list[Order]], secrets: Secrets, chance: Random
) -> None:
    other = otherwise(state, seat, secrets, chance)
    # Every report of a game that has ended says who has won.
    assume(victory(other) == victory(state))
    assert output_for(other, seat, orders[seat]) == output_for(state, seat, orders[seat])


@pytest.mark.slow
@examples(30)
@given(st.integers(0, TURNS - 1), st.sampled_from(SEATS), CHOSEN, CHANCE)
def test_secrets_do_not_change_the_output_in_a_played_game(
    turn: int, seat: Seat, secrets: Secrets, chance: Random
) -> None:
    played = game()[turn]
    orders = played.sheets[seat]
    other = otherwise(played.state, seat, secrets, chance)
    # Every report of a game that has ended says who has won.
    assume(victory(other) == victory(played.state))
    assert output_for(other, seat, orders) == output_for(played.state, seat, orders)


@examples(30)
@given(galaxies(), sheets(peaceful), st.sampled_from(SEATS), CHANCE)
def test_a_turn_does_not_reveal_unseen_events(
    state: State, orders: dict[Seat, list[Order]], seat: Seat, chance: Random
) -> None:
    """Add or omit an unseen ship, with any frame of its owner; the output is the same."""
    stranger = next(each for each in SEATS if each != seat)
    state.commissioned += 50
    state.empires[stranger].shares = {}
    other = state.copy()
    number, at = other.commissioned, elsewhere((0, 0))
    other.ships[number] = Ship(number, stranger, "XX00001", "far", "battleship", at, dp=3)
    other.empires[stranger].frame = Frame(chance.randrange(9))
    first, second = (
        RULESET.resolve(each, {seat: orders[seat]}, frozenset(), DICE) for each in (state, other)
    )
    assert second.outcomes[seat] == first.outcomes[seat]
    assert [*heard(second.events, seat)] == [*heard(first.events, seat)]
    assert output_for(second.state, seat, ()) == output_for(first.state, seat, ())


@examples(40)
@given(galaxies(), sheets(), st.sampled_from(SEATS), CHANCE)
def test_a_turn_does_not_reveal_the_classes_of_others(
    state: State, orders: dict[Seat, list[Order]], seat: Seat, chance: Random
) -> None:
    """Add a class that nobody has met, with a name that the sheet uses; the output is the same."""
    other = otherwise(state, seat, [unknown_designs], chance)
    first, second = (RULESET.resolve(each, orders, frozenset(), DICE) for each in (state, other))
    assert second.outcomes == first.outcomes
    assert second.events == first.events
    assert output_for(second.state, seat, orders[seat]) == output_for(
        first.state, seat, orders[seat]
    )


@pytest.mark.slow
@pytest.mark.parametrize("secret", SECRETS, ids=[secret.__name__ for secret in SECRETS])
def test_every_secret_changes_the_state(secret: Secret) -> None:
    def is_held(state: State) -> bool:
        return (
            encode(otherwise(state, SEATS[0], [secret], Random(1))).digest != encode(state).digest
        )

    always_the_same = settings(derandomize=True, max_examples=400, phases=[Phase.generate])
    find(galaxies(), is_held, settings=always_the_same)
