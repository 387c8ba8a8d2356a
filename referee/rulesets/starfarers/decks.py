"""The bags of tiles and the deck of encounters (G4, G5)."""

from collections.abc import Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rulesets.starfarers.goods import LETTERS
from referee.rulesets.starfarers.state import Card, Kind, Tile

_PLANETS: Final = {"F": 4, "C": 4, "O": 4, "G": 3, "U": 3}
_PIRATES: Final = (1, 1, 2, 2, 3, 4)

ENCOUNTERS: Final[Sequence[Card]] = (
    *[Card.ALIENS_2] * 3,
    *[Card.ALIENS_4] * 3,
    Card.ALIENS_6,
    *[Card.TOLL] * 3,
    *[Card.BARTER] * 2,
    Card.MERCENARIES,
    Card.FRIENDLY,
    Card.QUARANTINE,
    Card.RELIC,
)


def tiles(dice: Dice) -> list[Tile]:
    """Give the 50 tiles of a galaxy, the same everywhere but for one occupied planet."""
    extra = dice.at("planet").pick(LETTERS)
    return [
        *[Tile(Kind.PLANET, letter) for letter, number in _PLANETS.items() for _ in range(number)],
        *[Tile(Kind.PLANET, letter, occupied=True) for letter in (*LETTERS, extra)],
        *[Tile(Kind.EMPTY)] * 12,
        *[Tile(Kind.PIRATES, cannons=cannons) for cannons in _PIRATES],
        *[Tile(Kind.TRADER)] * 3,
        *[Tile(Kind.MERCENARIES)] * 2,
        Tile(Kind.TELEPORTER),
        *[Tile(Kind.WORMHOLE)] * 2,
    ]


def bag(dice: Dice, soft_start: int) -> list[Tile]:
    """Give the tiles of a galaxy in the sequence in which they will be drawn.

    The first *soft_start* have a free planet at least, and neither pirates nor a wormhole.
    """
    everything = tiles(dice)
    attempt = 0
    while True:
        drawn = dice.at("bag", attempt).shuffled(everything)
        if not soft_start or _is_soft(drawn[:soft_start]):
            return drawn
        attempt += 1


def _is_soft(first: Sequence[Tile]) -> bool:
    free = any(tile.kind is Kind.PLANET and not tile.occupied for tile in first)
    return free and all(tile.kind not in (Kind.PIRATES, Kind.WORMHOLE) for tile in first)


def encounters(dice: Dice, times: int) -> list[Card]:
    """Give the deck of encounters, shuffled for the n-th time."""
    return dice.at("encounters", times).shuffled(ENCOUNTERS)
