"""The building plans of a robot, and the cards it saves for them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from referee.testing.robots.starfarers.reading import Cards, SeenBase, SeenGame


@dataclass(frozen=True, slots=True)
class Wish:
    """An order to build and its cost. Without an order, the robot only saves the cards."""

    cost: Cards
    order: str = ""


def cards(code: str) -> Cards:
    """Return the cards for a code such as ``2O1U``, with one digit for each number."""
    return Counter({code[at + 1]: int(code[at]) for at in range(0, len(code), 2)})


BASES = {"trade port": ("T", "1O1U2G"), "colony": ("C", "1O1U1C1F")}
RING = "3C2F"
STARSHIP = "2O2U1C"


def parts(game: SeenGame, galaxy: str) -> Counter[str]:
    """Return the number of the reader's bases in a galaxy, by kind."""
    return Counter(base.kind for base in own_bases(game) if base.galaxy == galaxy)


def own_bases(game: SeenGame) -> list[SeenBase]:
    """Return the reader's bases."""
    return [base for base in game.bases if base.owner == game.name]


def has_system(game: SeenGame, galaxy: str) -> bool:
    """Return whether the reader has all three bases in a galaxy."""
    return len(parts(game, galaxy)) == 3


def system_wishes(game: SeenGame) -> Iterator[Wish]:
    """Yield the wishes for galaxies where a ship is, the most complete ones first."""
    galaxies = {game.hexes[ship.hex].galaxy for ship in game.fleet(game.name)}
    wanting = [galaxy for galaxy in galaxies if not has_system(game, galaxy)]
    for galaxy in sorted(wanting, key=lambda name: (-len(parts(game, name)), name)):
        there = parts(game, galaxy)
        if not there["spaceport"] and there["colony"] > 1:
            colonies = (base for base in own_bases(game)
                        if base.galaxy == galaxy and base.kind == "colony")  # fmt: skip
            yield Wish(cards(RING), f"B{min(base.number for base in colonies)}R")
        for kind, (letter, cost) in BASES.items():
            if there[kind] < (2 if kind == "colony" and not there["spaceport"] else 1):
                yield Wish(cards(cost), _site(game, galaxy, letter))


def _site(game: SeenGame, galaxy: str, letter: str) -> str:
    """Return an order for a base at a planet where a ship is, or an empty string."""
    for ship in game.fleet(game.name):
        place = game.hexes[ship.hex]
        if place.galaxy != galaxy or not place.is_free:
            continue
        taken = {base.corner for base in game.bases if base.hex == place.number}
        corners = (corner for corner in ["", *"abcdef"] if corner not in taken)
        if (corner := next(corners, None)) is not None:
            return f"H{place.number}B{letter}{corner}"
    return ""


def purchases(wishes: list[Wish], hand: Cards) -> Iterator[str]:
    """Yield the orders that the hand pays for. Earlier wishes keep their cards."""
    left, big = Counter(hand), False
    for wish in wishes:
        is_big = wish.order[:1] in ("H", "M") or wish.order.endswith("BS")
        pays = all(left[letter] >= number for letter, number in wish.cost.items())
        left -= wish.cost
        if pays and wish.order and not (big and is_big):
            big = big or is_big
            yield wish.order


def needs(wishes: list[Wish], hand: Cards) -> Cards:
    """Return the cards that the wishes need and the hand does not have."""
    wanted: Cards = Counter()
    for wish in wishes:
        wanted += wish.cost
    return wanted - hand
