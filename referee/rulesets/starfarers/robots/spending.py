"""The cards of a robot: swaps at ports and with traders, and what they buy."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import LETTERS, Goods, of
from referee.rulesets.starfarers.orders import Barter, BaseKind, BuildBase, Order, PortTrade
from referee.rulesets.starfarers.robots.board import beyond, lacking
from referee.rulesets.starfarers.robots.plans import Wish

_SAVED: Final = 2
"""The number of wishes that the hand cannot pay yet, for which the robot keeps cards."""


def total(costs: Iterable[Goods]) -> Goods:
    """Return the sum of some costs."""
    return sum(costs, Goods())


def needs(wishes: Iterable[Wish], hand: Goods) -> Goods:
    """Return the cards that the first wishes need and the hand does not have."""
    return lacking(total(wish.cost for wish in [*wishes][: _SAVED + 1]), hand)


def purchases(wishes: Iterable[Wish], hand: Goods, ports: dict[str, int]) -> Iterator[Order]:
    """Yield the swaps and the orders to build that the hand pays for, the first wishes first.

    A wish that is too dear keeps its cards, and so does the next one.
    """
    swaps, orders, big, saved = list[Order](), list[Order](), False, 0
    swappable = Goods(*(hand.of(a) if a in ports else 0 for a in LETTERS))
    for wish in wishes:
        if wish.order is None or (big and wish.big) or not _payable(wish.cost, hand, swappable):
            if saved < _SAVED and not (big and wish.big):
                kept = lacking(wish.cost, lacking(wish.cost, hand))
                hand, swappable, saved = hand - kept, lacking(swappable, kept), saved + 1
            continue
        for swap, give, take in _swaps(wish.cost, hand, swappable, ports):
            swaps.append(swap)
            hand, swappable = hand - give + take, swappable - give
        hand -= wish.cost
        swappable = lacking(swappable, beyond(swappable, hand))
        orders.append(wish.order)
        big = big or wish.big
    yield from (*swaps, *orders)


def sites(wishes: Iterable[Wish], hand: Goods, ports: dict[str, int]) -> set[Seat]:
    """Return the galaxies of bases that would be built if a ship were at a planet there."""
    placed = [
        replace(wish, order=BuildBase(int(wish.galaxy), BaseKind.COLONY)) if wish.galaxy else wish
        for wish in wishes
    ]
    orders = purchases(placed, hand, ports)
    return {Seat(order.hex) for order in orders if isinstance(order, BuildBase)}


def _payable(cost: Goods, hand: Goods, swappable: Goods) -> bool:
    spare = lacking(swappable, cost)
    return lacking(cost, hand).total <= spare.total


def _swaps(
    cost: Goods, hand: Goods, swappable: Goods, ports: dict[str, int]
) -> Iterator[tuple[Order, Goods, Goods]]:
    """Yield the swaps at ports for what a cost lacks, each with its cards."""
    missing = list(_letters(lacking(cost, hand)))
    spare = lacking(swappable, cost)
    for letter in sorted(ports, key=lambda each: -spare.of(each)):
        number = min(spare.of(letter), len(missing))
        if number:
            give, take = of(letter, number), total(of(each) for each in missing[:number])
            del missing[:number]
            yield PortTrade(ports[letter], give, take), give, take


def barter(ship: int, wanted: Goods, spare: Goods) -> Order | None:
    """Return the swap of spare cards for wanted ones with a trader, or None."""
    number = min(wanted.total, spare.total)
    if not number:
        return None
    give = total(of(each) for each in [*_letters(spare)][:number])
    take = total(of(each) for each in [*_letters(wanted)][:number])
    return Barter(ship, give, take)


def _letters(cards: Goods) -> Iterator[str]:
    return (letter for letter, number in cards.each() for _ in range(number))
