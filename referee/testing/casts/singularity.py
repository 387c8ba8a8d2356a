"""The cast of The Singularity Trap: its demonstration, golden games and tournaments."""

from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.casts.cast import Cast, Contest, Role
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame

NAMES: Final = ("ABBOT", "BISHOP", "CANTOR", "DEAN", "EXARCH", "FRIAR")


def _lineup(players: int) -> tuple[SignUp, ...]:
    return tuple(SignUp(Seat(number), name) for number, name in enumerate(NAMES[:players], 1))


def _war(name: str, seed: bytes, players: int, **options: int | str | bool) -> GoldenGame:
    """Return a golden game, played to its verdict."""
    named = {name.replace("__", "."): value for name, value in options.items()}
    return GoldenGame(
        file=f"tests/rulesets/singularity/golden/{name}.txt",
        beginning=Beginning(_lineup(players), named, seed),
        turns=80,
        followed=frozenset({"ABBOT"}),
    )


CAST: Final = Cast(
    creation="""\
CREATE SINGULARITY SEATS 4 TITLE "The Demonstration"
DEADLINE "5 minutes" OPTION early=0
OPTION mode=two
""",
    roles=(
        Role("ABBOT", "AS red", Strength.HARD),
        Role("BISHOP", "AS blue OR green", Strength.NORMAL),
        Role("CANTOR", "AS orange", Strength.HARD),
        Role("DEAN", strength=Strength.EASY),
    ),
    turns=10,
    ends=False,
    typos="S17 W99B1F\n",
    opening=4,
    golden={
        "single": _war("single", b"d", 4),
        "alone": _war("alone", b"a", 4),
        "two": _war("two", b"e", 6, mode="two"),
        "full": _war("full", b"c", 3, mode="full", board__radius=2),
    },
    contest=Contest(
        lineups=(_lineup(4), _lineup(2)),
        turns=20,
        score=lambda state, seat: len(state.planets_of(seat)),
    ),
)
"""Four robots, for five turns of two batches."""
