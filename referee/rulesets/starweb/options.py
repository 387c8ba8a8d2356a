"""What StarWeb offers before a game begins: to the GM who creates it, to players who join."""

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
"""Code names for players who chose none."""

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
            "How many worlds the galaxy has; 0 gives 17 for each player.",
            lowest=0,
            highest=MOST,
        ),
        Option(
            ENDING,
            int,
            8000,
            "The score that ends the game when nobody votes for one.",
            lowest=LOWEST_VOTE,
            highest=HIGHEST_VOTE,
        ),
        Option(
            INTRODUCED,
            bool,
            False,
            "Whether all know each other's names from the start, and can write to each other.",
        ),
    ),
    choices=(
        Option(
            CHARACTER,
            str,
            OFFERED[0].value,
            "The type of being you play; it decides what you get points for.",
            choices=tuple(character.value for character in OFFERED),
        ),
    ),
    names=NameRule("[A-Z]{1,9}", "1 to 9 letters, no digits and no blanks", RESERVED, STOCK),
)
