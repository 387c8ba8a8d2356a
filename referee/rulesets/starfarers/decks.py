"""The bags of tiles and the deck of encounters (G4, G5)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import UserError
from referee.rulesets.starfarers.goods import LETTERS, Goods
from referee.rulesets.starfarers.state import Card, Kind, Tile

_PLANETS: Final = Goods(4, 4, 3, 4, 3)


@dataclass(frozen=True, slots=True)
class Contents:
    """The tiles of each kind in the bag of a galaxy at the start (G4)."""

    planets: Goods = _PLANETS
    """The free planets of each resource."""
    occupied: int = 6
    empty: int = 12
    pirates: tuple[int, ...] = (1, 1, 2, 2, 3, 4)
    """The cannons of each tile."""
    traders: int = 3
    mercenaries: int = 2
    teleporters: int = 1
    wormholes: int = 2
    soft_start: int = 3
    """The number of first tiles with a free planet and nothing dangerous among them."""


ENCOUNTERS: Final[Sequence[tuple[Card, int]]] = (
    (Card.ALIENS_2, 3),
    (Card.ALIENS_4, 3),
    (Card.ALIENS_6, 1),
    (Card.TOLL, 3),
    (Card.BARTER, 2),
    (Card.MERCENARIES, 1),
    (Card.FRIENDLY, 1),
    (Card.QUARANTINE, 1),
    (Card.RELIC, 1),
)
"""The 16 cards of the usual deck."""


def tiles(contents: Contents, dice: Dice) -> list[Tile]:
    """Return the tiles of a galaxy. The same *dice* give the same tiles for all galaxies."""
    free = (letter for letter, number in contents.planets.each() for _ in range(number))
    rounds, rest = divmod(contents.occupied, len(LETTERS))
    occupied = [*LETTERS * rounds, *dice.at("planet").shuffled(LETTERS)[:rest]]
    return [
        *[Tile(Kind.PLANET, letter) for letter in free],
        *[Tile(Kind.PLANET, letter, occupied=True) for letter in occupied],
        *[Tile(Kind.EMPTY)] * contents.empty,
        *[Tile(Kind.PIRATES, cannons=cannons) for cannons in contents.pirates],
        *[Tile(Kind.TRADER)] * contents.traders,
        *[Tile(Kind.MERCENARIES)] * contents.mercenaries,
        *[Tile(Kind.TELEPORTER)] * contents.teleporters,
        *[Tile(Kind.WORMHOLE)] * contents.wormholes,
    ]


def bag(everything: Sequence[Tile], soft_start: int, dice: Dice) -> list[Tile]:
    """Return the tiles of a galaxy in the order in which they will be drawn.

    All orders whose first *soft_start* tiles have a free planet, and neither pirates nor a
    wormhole, are equally likely. Raises UserError if there is no such order.
    """
    safe = [tile for tile in everything if tile.kind not in (Kind.PIRATES, Kind.WORMHOLE)]
    if soft_start and not (len(safe) >= soft_start and any(map(_is_free_planet, safe))):
        raise UserError(
            f"With deck.soft_start={soft_start}, a galaxy needs a free planet and at least "
            f"{soft_start} tiles that are neither pirates nor a wormhole."
        )
    first, attempt = list[Tile](), 0
    while soft_start and not any(map(_is_free_planet, first)):
        first = dice.at("first", attempt).shuffled(safe)[:soft_start]
        attempt += 1
    rest = list(everything)
    for tile in first:
        rest.remove(tile)
    return [*first, *dice.at("bag").shuffled(rest)]


def _is_free_planet(tile: Tile) -> bool:
    return tile.kind is Kind.PLANET and not tile.occupied


def encounters(
    cards: Sequence[Card], open_cards: Iterable[Card], times: int, dice: Dice
) -> list[Card]:
    """Return the deck of encounters without the *open_cards*.

    *times* counts how often it was shuffled before. If all cards lie open, a second deck is used.
    """
    left = Counter(cards) - Counter(open_cards)
    return dice.at("encounters", times).shuffled(sorted(left.elements(), key=cards.index) or cards)


def cards_of(text: str) -> tuple[Card, ...]:
    """Return the cards for a text such as ``toll: 3, relic: 1``. Raises UserError if invalid."""
    known, cards = {card.value: card for card in Card}, list[Card]()
    for part in text.split(","):
        name, _, number = (each.strip().lower() for each in part.partition(":"))
        if name not in known or not number.isdecimal() or len(number) > 2:
            raise UserError(
                f'The option encounters: expected a name and a number, such as "toll: 3", '
                f'but found "{part.strip()}". The names are {", ".join(known)}.'
            )
        cards += [known[name]] * int(number)
    if not cards:
        raise UserError("The option encounters needs at least one card.")
    return tuple(cards)


def in_short(cards: Iterable[tuple[Card, int]]) -> str:
    """Return cards and their numbers as ``cards_of`` reads them."""
    return ", ".join(f"{card.value}: {number}" for card, number in cards)
