"""The options of the GM who creates a game and the choices of players who join."""

from typing import Final

from referee.rules.ruleset import NameRule, Option, RulesetInfo
from referee.rulesets.starweb.rejections import HIGHEST_VOTE, LOWEST_VOTE
from referee.rulesets.starweb.setup import (
    CHARACTER,
    ENDING,
    FEWEST_PLAYERS,
    INTRODUCED,
    MOST_PLAYERS,
    OFFERED,
    WORLDS,
)
from referee.rulesets.starweb.state import MOST

STOCK: Final = (
    "ACAMAR", "ALGOL", "ALTAIR", "ANTARES", "ARCTURUS", "BELLATRIX", "CANOPUS", "CAPELLA",
    "CASTOR", "DENEB", "DUBHE", "ELECTRA", "ENIF", "GEMMA", "HADAR", "IZAR", "KOCHAB", "MARKAB",
    "MIMOSA", "MIRA", "MIZAR", "NASHIRA", "POLLUX", "PROCYON", "REGULUS", "RIGEL", "SCHEAT",
    "SIRIUS", "SPICA", "THUBAN", "VEGA", "ZAURAK",
)  # fmt: skip
"""Code names for players who did not choose one."""

RESERVED: Final = frozenset({"ALL", "ANONYMOUS", "GM", "BLACKBOX"})

INFO: Final = RulesetInfo(
    key="starweb",
    prefix="SW",
    title="StarWeb",
    edition="1",
    schema=1,
    fewest_seats=FEWEST_PLAYERS,
    most_seats=MOST_PLAYERS,
    options=(
        Option(
            WORLDS,
            int,
            0,
            "The number of worlds in the galaxy. 0 means 17 for each player.",
            lowest=0,
            highest=MOST,
        ),
        Option(
            ENDING,
            int,
            8000,
            "The score that ends the game if nobody votes for one.",
            lowest=LOWEST_VOTE,
            highest=HIGHEST_VOTE,
        ),
        Option(
            INTRODUCED,
            bool,
            False,
            "Whether all players have met from the start, and can write to each other.",
        ),
    ),
    choices=(
        Option(
            CHARACTER,
            str,
            OFFERED[0].value,
            "The character you play. It decides what you get points for.",
            choices=tuple(character.value for character in OFFERED),
        ),
    ),
    names=NameRule("[A-Z]{1,9}", "1 to 9 letters, no digits and no spaces", RESERVED, STOCK),
)
