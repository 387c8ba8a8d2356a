"""Newcomers who do what the guide advises keep their homes against robots of each strength."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from referee.domain.commands import Play
from referee.plugins import installed_rulesets
from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.robots import robot_orders
from referee.rules.ruleset import Ruleset, RulingKind, Seat, SignUp
from tests.support.examples import share

Keeps = Callable[[Any, Any, Seat], bool]

HOMES: Final[Mapping[str, Keeps]] = {
    "fistful": lambda _begun, now, seat: (
        (home := now.players[seat].home) is None or now.stars[home].owner == seat
    ),
    "singularity": lambda begun, now, seat: (
        {planet.column for planet in begun.planets_of(seat)}
        <= {planet.column for planet in now.planets_of(seat)}
    ),
    "star_empires": lambda begun, now, seat: (
        begun.empires[seat].homeworld in {world.name for world in now.worlds_of(seat)}
    ),
    "starfarers": lambda _begun, now, seat: now.players[seat].captor is None,
    "starweb": lambda begun, now, seat: now.worlds[begun.players[seat].home].owner == seat,
}
"""Whether a seat still has the home of a game that has begun."""
NAMES: Final = ("ALMA", "BRUNO", "CARLA", "DORA")
MORE_TURNS: Final = 10
FIRST_TURNS: Final = 5
"""How long the advice of the reports is followed: as long as by the longest tutorial."""


def advised(rules: Ruleset[Any, Any], state: Any, seat: Seat) -> tuple[Any, ...]:
    """Return the orders that the first report would advise in this position."""
    guide, sheets = rules.guide(state, seat), [()]
    for suggestion in guide.suggestions:
        sheet = (*sheets[-1], *suggestion.orders)
        rulings = rules.validate(state, seat, sheet)
        if all(ruling.kind is RulingKind.ACCEPTED for ruling in rulings):
            sheets.append(sheet)
    return sheets[:4][-1] if not guide.alternatives else sheets[:2][-1]


def keeps_home(key: str, strength: Strength, number: int, turns: int) -> bool:
    """Play the game of that number as PLAY begins it, with the newcomer in each seat in turn."""
    rules, dice = installed_rulesets()[key], Dice(f"advice {number}".encode())
    seats = [SignUp(Seat(n), name) for n, name in enumerate(NAMES[: rules.info.most_seats], 1)]
    newcomer = seats[number % len(seats)].seat
    begun = state = rules.setup(seats, rules.info.chosen({}), dice)
    for turn in range(turns):
        if rules.verdict(state) is not None:
            break
        own = dice.at("robot", turn)
        sheets = {
            seat: advised(rules, state, seat)
            if seat == newcomer
            else robot_orders(rules, state, seat, strength, own)
            for seat in sorted(rules.phase(state).awaiting)
        }
        state = rules.resolve(state, sheets, frozenset(), dice).state
        if not HOMES[key](begun, state, newcomer):
            return False
    return True


def test_each_game_has_a_home() -> None:
    assert {*HOMES} == {*installed_rulesets()}


@pytest.mark.parametrize("key", HOMES)
def test_the_advised_orders_of_a_newcomer_keep_the_home(key: str) -> None:
    assert keeps_home(key, Strength.NORMAL, 0, 3)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("key", HOMES)
def test_advised_orders_keep_the_home_in_19_of_20_games(key: str, strength: Strength) -> None:
    games = share(40)
    lost = [n for n in range(games) if not keeps_home(key, strength, n, FIRST_TURNS)]
    assert len(lost) <= max(1, games // 20), lost


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("key", HOMES)
def test_the_robots_of_a_first_game_are_survived_for_longer(key: str) -> None:
    strength = Play(key).strength
    assert [n for n in range(share(12)) if not keeps_home(key, strength, n, MORE_TURNS)] == []
