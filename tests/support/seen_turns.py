"""What a seat saw in the turns of a golden game of each ruleset."""

from functools import cache
from typing import Any, Final

from referee.reports.atlas_records import SeenTurn
from referee.rules.news import heard
from referee.rules.ruleset import Seat
from tests.support import golden_states
from tests.support.golden_states import ruleset

GAMES: Final = {
    "fistful": "fog",
    "singularity": "single",
    "star_empires": "six",
    "starfarers": "conquest",
    "starweb": "fifteen",
}
"""A golden game of each ruleset."""


def states(key: str, turns: int) -> tuple[Any, ...]:
    """Return the states of a golden game before each of its first *turns* turns."""
    return golden_states.states(key, GAMES[key])[:turns]


@cache
def seen(key: str, seat: int, turns: int) -> tuple[SeenTurn, ...]:
    """Return what a seat of a golden game saw in its first turns."""
    rules = ruleset(key)
    return tuple(
        SeenTurn(
            each.turn,
            rules.view(each.state, Seat(seat), "tomorrow"),
            rules.chart(each.state, Seat(seat)),
            tuple(heard(each.events, Seat(seat))),
        )
        for each in golden_states.turns(key, GAMES[key])[:turns]
    )
