"""The cast of StarWeb: its demonstration, golden games and tournaments."""

from itertools import count, cycle
from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.casts.cast import Cast, Contest, Role
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame

NAMES: Final = (
    *("ACHERON", "BOREAS", "CALYPSO", "DAEDALUS", "ELECTRA", "FAUNUS", "GALATEA", "HELIOS"),
    *("ICARUS", "JUNO", "KRONOS", "LETHE", "MEDEA", "NESTOR", "ORION"),
)
CHARACTERS: Final = (
    "Empire Builder",
    "Merchant",
    "Pirate",
    "Artifact Collector",
    "Berserker",
    "Apostle",
)

GOLDEN: Final = GoldenGame(
    file="tests/rulesets/starweb/golden/fifteen.txt",
    beginning=Beginning(
        tuple(
            SignUp(Seat(number), name, {"character": (character,)})
            for number, name, character in zip(count(1), NAMES, cycle(CHARACTERS), strict=False)
        ),
        {"game": "SW-30", "worlds": 255},
        b"golden",
    ),
    turns=35,
    followed=frozenset({"ACHERON", "BOREAS"}),
)
"""A game of fifteen, played to the end."""


def _lineup(one: str, other: str) -> tuple[SignUp, ...]:
    """Return four players, two of each character, so that both strengths play both."""
    players = enumerate(zip(NAMES, (one, one, other, other), strict=False), 1)
    return tuple(
        SignUp(Seat(number), name, {"character": (character,)})
        for number, (name, character) in players
    )


CONTEST: Final = Contest(
    lineups=(
        _lineup("Empire Builder", "Pirate"),
        _lineup("Merchant", "Artifact Collector"),
        _lineup("Berserker", "Apostle"),
        _lineup("Empire Builder", "Artifact Collector"),
        _lineup("Pirate", "Apostle"),
        _lineup("Merchant", "Berserker"),
    ),
    turns=30,
    options={"ending": 10000},
    score=lambda state, seat: state.players[seat].score,
)
"""Thirty turns of four players, two of each character."""

CAST: Final = Cast(
    creation="""\
CREATE STARWEB SEATS 6 TITLE "The Demonstration"
DEADLINE "5 minutes" OPTION early=0
OPTION worlds=72 OPTION introduced=yes
""",
    roles=tuple(
        Role(name, f"OR {name}II AS {character}", strength)
        for name, character, strength in (
            ("CERES", "Pirate", Strength.HARD),
            ("HATYSA", "Empire Builder", Strength.NORMAL),
            ("MARS", "Merchant", Strength.HARD),
            ("VESTA", "Berserker", Strength.NORMAL),
            ("JUNO", "Apostle", Strength.HARD),
            ("TEJAT", "Artifact Collector", Strength.EASY),
        )
    ),
    turns=5,
    ends=False,
    typos="F1TF2 W01B5I\n",
    golden={"fifteen": GOLDEN},
    contest=CONTEST,
)
"""A game of six players, one of each character."""
