"""A robot that wins in peace: it mines, trades and builds colony systems."""

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, Final

from referee.testing.robots.starfarers.building import (
    STARSHIP,
    Wish,
    cards,
    needs,
    own_bases,
    purchases,
    system_wishes,
)
from referee.testing.robots.starfarers.moving import Pilot
from referee.testing.robots.starfarers.reading import (
    BUSY,
    EXPLORING,
    READY,
    Cards,
    SeenGame,
    SeenHex,
    SeenShip,
    read_report,
)

_PLENTY: Final = 3
"""The number of surplus cards from which the robot offers them to others."""


class Settler:
    """A player who knows only its reports. The same reports give the same orders."""

    cannons: ClassVar[int] = 2
    """The number of cannons to build."""
    rings: ClassVar[int] = 3

    def __init__(self) -> None:
        self._give, self._take = "F", "F"
        """The cards that the robot offers, and those it wants."""

    def sheet(self, report: str) -> str:
        """Return the order sheet for a report, empty if no orders are needed."""
        game = read_report(report)
        if game is None:
            return ""
        return " ".join(self.orders(game)) + "\n"

    def orders(self, game: SeenGame) -> Iterator[str]:
        """Yield the orders of a turn, or of the current half of a round."""
        wishes = self.wishes(game)
        if game.part != "Trade and build":
            yield from self.diplomacy(game)
            pilot = Pilot(game, needs(wishes, game.hand))
            yield from self.encounters(game)
            yield from pilot.moves()
            game.hand += pilot.mined
        if game.part != "Travel and encounter":
            # Bases can be built only where a ship is, and exploring ships are gone.
            game.ships = [ship for ship in game.ships if ship.kind != EXPLORING]
            wishes = self.wishes(game)
            yield from self.trades(game, wishes)
            yield from purchases(wishes, game.hand)

    def wishes(self, game: SeenGame) -> list[Wish]:
        """Return the wishes to build, the most urgent first."""
        me, ships = game.me, len(game.fleet(game.name))
        wishes = [] if me.boosters else [Wish(cards("2U"), "E1B")]
        wishes += list(system_wishes(game))[:2]
        if ships < 3 and own_bases(game):
            wishes.append(Wish(cards(STARSHIP), f"M{game.seat}BS"))
        if me.rings < self.rings:
            wishes.append(Wish(cards("2O"), "E1R"))
        if me.cannons < self.cannons:
            wishes.append(Wish(cards("2C"), "E1C"))
        if me.boosters < 2:
            wishes.append(Wish(cards("2U"), "E1B"))
        return wishes

    def diplomacy(self, game: SeenGame) -> Iterator[str]:
        """Yield offers of an alliance to players who have lost the mothership."""
        for other in game.players.values():
            lost = "held by" in other.relations
            lost &= not any(word in other.relations for word in ("allied", "eliminated", "left"))
            own = f"held by {game.name}" in other.relations or "held by" in game.me.relations
            if lost and not own:
                yield f"P{other.seat}L"

    def encounters(self, game: SeenGame) -> Iterator[str]:
        """Yield orders for encounters where a ship already is. The ship stays there."""
        for ship in game.fleet(game.name):
            orders = list(self._encounter(game, ship)) if ship.kind == READY else []
            ship.kind = BUSY if orders else ship.kind
            yield from orders

    def _encounter(self, game: SeenGame, ship: SeenShip) -> Iterator[str]:
        place = game.hexes[ship.hex]
        if place.what.endswith("toll") and game.hand.total():
            yield f"S{ship.number}K1{_most(game.hand)}"
            game.hand[_most(game.hand)] -= 1
        elif self._beats(game, place):
            yield f"S{ship.number}AH{place.number}"
        elif place.what.endswith(("barter", "trader")):
            yield from self._barter(game, f"S{ship.number}")

    def _beats(self, game: SeenGame, place: SeenHex) -> bool:
        """Return whether the hex has aliens that are weaker than one of our ships."""
        word, _, strength = place.what.rpartition(" ")
        return word.endswith("aliens") and int(strength) < 1 + game.me.cannons

    def _barter(self, game: SeenGame, who: str) -> Iterator[str]:
        wanted = needs(self.wishes(game), game.hand)
        surplus = _surplus(game.hand, self.wishes(game))
        for letter, other in zip(surplus.elements(), wanted.elements(), strict=False):
            game.hand[letter] -= 1
            game.hand[other] += 1
            yield f"{who}T1{letter}>1{other}"

    def trades(self, game: SeenGame, wishes: list[Wish]) -> Iterator[str]:
        """Yield trades of surplus cards: at ports, for offers of others, and own offers."""
        yield from self._port_trades(game, wishes)
        wanted, surplus = needs(wishes, game.hand), _surplus(game.hand, wishes)
        for offer in game.offers:
            gives, takes = cards(offer.take), cards(offer.give)
            if not gives - surplus and takes & wanted:
                surplus -= gives
                yield f"X{offer.seat}:{offer.take}>{offer.give}"
        yield from self._haggle(game, wanted, surplus)

    def _haggle(self, game: SeenGame, wanted: Cards, surplus: Cards) -> Iterator[str]:
        """Yield offers to all players, for two rounds in every five, so that they can answer."""
        if game.round % 5 > 1 or surplus[_most(surplus)] < _PLENTY:
            return
        if game.round % 5 == 0:
            self._give, self._take = _most(surplus), _most(wanted)
        for other in game.players.values():
            number = min(surplus[self._give], wanted[self._take], 4)
            if other.name != game.name and number:
                surplus[self._give] -= number
                yield f"X{other.seat}:{number}{self._give}>{number}{self._take}"

    def _port_trades(self, game: SeenGame, wishes: list[Wish]) -> Iterator[str]:
        for base in own_bases(game):
            if base.kind != "trade port" or base.corner:
                continue
            letter = game.hexes[base.hex].resource
            wanted, surplus = needs(wishes, game.hand), _surplus(game.hand, wishes)
            number = min(surplus[letter], sum(wanted.values()))
            if number > 0:
                take = Counter(list(wanted.elements())[:number])
                game.hand[letter] -= number
                game.hand += take
                code = "".join(f"{n}{each}" for each, n in take.items())
                yield f"B{base.number}T{number}{letter}>{code}"


def _most(hand: Cards) -> str:
    return max("FCGOU", key=lambda letter: hand[letter])


def _surplus(hand: Cards, wishes: list[Wish]) -> Cards:
    """Return the cards that no wish needs."""
    wanted: Cards = Counter()
    for wish in wishes:
        wanted += wish.cost
    return hand - wanted
