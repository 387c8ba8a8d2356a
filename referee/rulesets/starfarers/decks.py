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
    """How many tiles of each kind a galaxy's bag begins with (G4)."""

    planets: Goods = _PLANETS
    """The free planets of each resource."""
    occupied: int = 6
    empty: int = 12
    pirates: tuple[int, ...] = (1, 1, 2, 2, 3, 4)
    """The cannons of each."""
    traders: int = 3
    mercenaries: int = 2
    teleporters: int = 1
    wormholes: int = 2
    soft_start: int = 3
    """How many of the first tiles have a free planet and nothing dangerous among them."""


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
    """Return the tiles of a galaxy; the same *dice* give the same ones for each."""
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
    """Return the tiles of a galaxy in the sequence in which they will be drawn.

    Of all sequences whose first *soft_start* tiles have a free planet, and neither pirates nor a
    wormhole, each is equally likely. Raises UserError when there is none.
    """
    safe = [tile for tile in everything if tile.kind not in (Kind.PIRATES, Kind.WORMHOLE)]
    if soft_start and not (len(safe) >= soft_start and any(map(_is_free_planet, safe))):
        raise UserError(
            f"With deck.soft_start={soft_start} a galaxy needs a free planet, and so many tiles "
            "without danger."
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


def encounters(cards: Sequence[Card], lying: Iterable[Card], times: int, dice: Dice) -> list[Card]:
    """Return the deck of encounters, shuffled for the n-th time, without the cards *lying* open.

    Where all of them lie open a second deck is taken.
    """
    left = Counter(cards) - Counter(lying)
    return dice.at("encounters", times).shuffled(sorted(left.elements(), key=cards.index) or cards)


def cards_of(text: str) -> tuple[Card, ...]:
    """Return the cards that ``toll: 3, relic: 1`` means. Raises UserError when it means none."""
    known, cards = {card.value: card for card in Card}, list[Card]()
    for part in text.split(","):
        name, _, number = (each.strip().lower() for each in part.partition(":"))
        if name not in known or not number.isdecimal() or len(number) > 2:
            raise UserError(
                f'The option encounters: "{part.strip()}" should be one of {", ".join(known)}, '
                "with its number: toll: 3."
            )
        cards += [known[name]] * int(number)
    if not cards:
        raise UserError("The option encounters needs one card at least.")
    return tuple(cards)


def in_short(cards: Iterable[tuple[Card, int]]) -> str:
    """Write cards and their numbers as ``cards_of`` reads them."""
    return ", ".join(f"{card.value}: {number}" for card, number in cards)
