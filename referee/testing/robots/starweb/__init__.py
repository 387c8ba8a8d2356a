"""Robots that play StarWeb by email: they read reports and write sensible orders."""

import re
from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame
from referee.testing.robots.cast import Cast, Contest, Role
from referee.testing.robots.starweb.apostle import Apostle
from referee.testing.robots.starweb.berserker import Berserker
from referee.testing.robots.starweb.collector import Collector
from referee.testing.robots.starweb.empire_builder import EmpireBuilder
from referee.testing.robots.starweb.merchant import Merchant
from referee.testing.robots.starweb.pirate import Pirate
from referee.testing.robots.starweb.robot import StarWebRobot

CHARACTERS: Final[dict[str, type[StarWebRobot]]] = {
    "Empire Builder": EmpireBuilder,
    "Merchant": Merchant,
    "Pirate": Pirate,
    "Artifact Collector": Collector,
    "Berserker": Berserker,
    "Apostle": Apostle,
}
"""The robots by the character they play."""

NAMES: Final = (
    *("ACHERON", "BOREAS", "CALYPSO", "DAEDALUS", "ELECTRA", "FAUNUS", "GALATEA", "HELIOS"),
    *("ICARUS", "JUNO", "KRONOS", "LETHE", "MEDEA", "NESTOR", "ORION"),
)
TYPES: Final = {name: (*CHARACTERS, *CHARACTERS, *CHARACTERS)[at] for at, name in enumerate(NAMES)}
"""The characters of the players in the golden game."""

GOLDEN: Final = GoldenGame(
    file="tests/rulesets/starweb/golden/fifteen.txt",
    beginning=Beginning(
        tuple(
            SignUp(Seat(number), name, {"character": (TYPES[name],)})
            for number, name in enumerate(NAMES, 1)
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


def form(order: str) -> str:
    """Return the form of an order, with ``n`` for each number and no name: ``FnWnWn``, ``A=``."""
    if order.startswith("SIGN"):
        return "SIGN"
    return re.sub(r"\d+", "n", re.sub(r"=\w+", "=", order))
