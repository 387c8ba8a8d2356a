"""The robot's phase I: landings, growth, fortifications and ships."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.rulesets.fistful.orders import Build, Fortify, Grow, Land, Move, Ships, StarNumber
from referee.rulesets.fistful.planning import objection_to_growth, objection_to_land, points
from referee.rulesets.fistful.robots.position import Position
from referee.rulesets.fistful.robots.styles import Style
from referee.rulesets.fistful.state import FORTIFYING, LINE, REACH, Star

_TRANSPORT: Final = Ships(transports=1)
_NEAR: Final = 2 * REACH
"""The distance of enemy fleets at which the homeworld is fortified."""


def land(position: Position) -> None:
    """Land a transport at each star where that is possible."""
    for fleet in list(position.fleets.values()):
        star = position.stars[fleet.star]
        if objection_to_land(position.known, position.seat, fleet.star, fleet.ships):
            continue
        position.orders.append(Land(fleet.letter))
        fleet.ships -= _TRANSPORT
        star.owner, star.size, star.colonized = position.seat, 1, True
        if not fleet.ships:
            del position.fleets[fleet.letter]


def free_stars(position: Position) -> list[StarNumber]:
    """Return the stars without a colony, where no enemy is."""
    return [
        s.number
        for s in position.stars.values()
        if s.owner is None and s.number not in position.foes
    ]


def produce(position: Position, style: Style) -> None:
    """Spend the points of all colonies, the largest first."""
    under_way = sum(fleet.ships.transports for fleet in position.fleets.values())
    goals = free_stars(position)
    wanted = min(style.transports, len(goals)) - under_way
    for star in sorted(position.colonies(position.seat), key=lambda s: (-s.size, s.number)):
        left = points(position.known, star)
        if _grows(position, style, star):
            position.orders.append(Grow(star.number))
            continue
        if left < 2:
            continue
        if _fortifies(position, style, star, left):
            position.orders.append(Fortify(star.number))
            left -= FORTIFYING
        near = sum(position.apart[star.number][to] <= 2 * LINE for to in goals)
        while wanted > 0 and near > 0 and left >= 2:
            wanted, near, left = wanted - 1, near - 1, left - 2
            _build(position, star, _TRANSPORT, joins=False)
        if ships := _warships(position, left):
            _build(position, star, ships, joins=True)


def _grows(position: Position, style: Style, star: Star) -> bool:
    if star.size >= style.grown or objection_to_growth(position.known, star):
        return False
    return not star.half_fortified


def _fortifies(position: Position, style: Style, star: Star, left: int) -> bool:
    if star.number != position.home or star.fortified or left < FORTIFYING:
        return False
    near = any(position.apart[star.number][at] <= _NEAR for at in position.foes)
    return star.half_fortified or (style.fortifies and near)


def _warships(position: Position, left: int) -> Ships:
    """Return the warships to build for some points."""
    price = position.rules.dreadnought_cost
    found = Ships()
    while left >= 2:
        if left >= price and left - price != 1:
            found, left = found + Ships(dreadnoughts=1), left - price
        elif left == 3 or left >= 5:
            found, left = found + Ships(cruisers=1), left - 3
        else:
            found, left = found + Ships(scouts=1), left - 2
    return found


def _build(position: Position, star: Star, ships: Ships, *, joins: bool) -> None:
    """Build ships, into a fleet that is there if *joins*, else into a new one."""
    letter = next(_joined(position, star.number, ships), "") if joins else ""
    letter = letter or position.free_letter()
    if letter:
        position.orders.append(Build(star.number, ships, letter))
        position.add(letter, star.number, ships)


def _joined(position: Position, star: StarNumber, ships: Ships) -> Iterator[str]:
    """Yield the fleets at a star that new ships can join, even if they move now."""
    goals = {order.fleet: order.to for order in position.orders if isinstance(order, Move)}
    for fleet in position.fleets_at(star):
        together = replace(fleet, ships=fleet.ships + ships)
        stays = fleet.letter not in goals
        if not fleet.ships.transports and (
            stays or position.can_reach(together, goals[fleet.letter])
        ):
            yield fleet.letter
