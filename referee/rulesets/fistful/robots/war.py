"""The fleets of the robot: attacks, raids, the guard of the homeworld, transports and recon."""

from collections.abc import Sequence
from typing import Final

from referee.rulesets.fistful.orders import FleetOrder, Move, Recon, Ships, StarNumber, Transfer
from referee.rulesets.fistful.robots.colonies import free_stars
from referee.rulesets.fistful.robots.position import Position, strength
from referee.rulesets.fistful.robots.styles import Style
from referee.rulesets.fistful.state import REACH, Fleet

_MARGIN: Final = 5
"""How many times what the enemy's homeworld needs an army has before it sets out."""


def merge(position: Position) -> None:
    """Merge the warships at each star into one fleet."""
    first: dict[StarNumber, Fleet] = {}
    for fleet in list(position.idle()):
        leader = first.setdefault(fleet.star, fleet)
        if leader is not fleet:
            position.orders.append(Transfer(fleet.letter, None, leader.letter))
            leader.ships += fleet.ships
            del position.fleets[fleet.letter]


def command(position: Position, style: Style) -> None:
    """Send the warships: to win at once, else to guard the homeworld, to attack and to raid."""
    prize = position.prize
    if position.home is None or prize is None or _storm(position, style, prize):
        return
    _guard(position, style, position.home)
    goals = _goals(position, position.home)
    rally = _lead(position, style, prize) if style.gathers else None
    for goal in goals:
        if goal not in position.foes and goal != prize:
            _raid(position, style, goal)
        elif not style.gathers:
            _attack(position, goal, _need(position, style, goal))
    for fleet in list(position.idle()):
        aim = rally if style.gathers else _nearest(position, style, fleet, goals)
        if aim is not None:
            _approach(position, fleet, aim)


def _need(position: Position, style: Style, star: StarNumber) -> int:
    """Return the strength that an attack on a star needs."""
    hostile = position.stars[star].owner == position.enemy
    built = 5 * position.stars[star].capacity if hostile else 0
    return max(style.least, (position.foes.get(star, 0) + built) * style.odds // 100)


def _storm(position: Position, style: Style, prize: StarNumber) -> bool:
    """Attack the enemy's homeworld with all fleets in range, if they are strong enough."""
    able = _in_range(position, prize)
    built = 10 * position.stars[prize].capacity
    need = (position.foes.get(prize, 0) + built) * style.odds // 100
    if _sum(able) < max(need, style.least):
        return False
    for fleet in able:
        position.order(Move(fleet.letter, prize))
    return True


def _in_range(position: Position, star: StarNumber) -> list[Fleet]:
    return [fleet for fleet in position.idle() if position.can_reach(fleet, star)]


def _sum(fleets: Sequence[Fleet]) -> int:
    return sum(strength(fleet.ships) for fleet in fleets)


def _guard(position: Position, style: Style, home: StarNumber) -> None:
    """Keep at home what the enemy can bring there, and call for help if that is not enough."""
    apart = position.apart[home]
    threat = sum(foe for at, foe in position.foes.items() if apart[at] <= REACH)
    need = max(style.guard, threat) - 10 * position.stars[home].size
    for fleet in position.idle():
        if fleet.star == home and need > 0:
            need -= _keep(position, fleet, need)
    for fleet in sorted(_in_range(position, home), key=lambda fleet: apart[fleet.star]):
        if need > style.guard:
            position.order(Move(fleet.letter, home))
            need -= strength(fleet.ships)


def _keep(position: Position, fleet: Fleet, need: int) -> int:
    """Keep as many ships of a fleet as needed, split off the others, and return what is kept."""
    kept = Ships()
    for ship in _singly(fleet.ships):
        if strength(kept) < need:
            kept += ship
    if kept != fleet.ships:
        position.split(fleet, fleet.ships - kept)
    position.busy.add(fleet.letter)
    return strength(fleet.ships)


def _singly(ships: Ships) -> list[Ships]:
    """Return warships one by one, the weakest first."""
    return [
        *[Ships(scouts=1)] * ships.scouts,
        *[Ships(cruisers=1)] * ships.cruisers,
        *[Ships(dreadnoughts=1)] * ships.dreadnoughts,
    ]


def _goals(position: Position, home: StarNumber) -> list[StarNumber]:
    """Return the stars to attack, the nearest to a homeworld first."""
    stars = {star.number for star in position.colonies(position.enemy)} | {*position.foes}
    return sorted(stars, key=lambda at: (position.apart[at][home], at))


def _lead(position: Position, style: Style, prize: StarNumber) -> StarNumber | None:
    """Send the army towards the enemy's homeworld if it is strong enough.

    Return the star where the other fleets join it, or None if there are none.
    """
    apart = position.apart[prize]
    leader = max(position.idle(), key=lambda f: (strength(f.ships), -apart[f.star]), default=None)
    if leader is None:
        return None
    enough = _MARGIN * _need(position, style, prize)
    to = position.step(leader, prize)
    army = _in_range(position, to) if to is not None else []
    if to is not None and _sum(army) >= max(enough, _need(position, style, to)):
        for fleet in army:
            position.order(Move(fleet.letter, to))
        return to
    if strength(leader.ships) >= enough:
        return leader.star
    own = [star.number for star in position.colonies(position.seat)]
    return min(own, key=lambda at: (apart[at], at), default=leader.star)


def _raid(position: Position, style: Style, goal: StarNumber) -> None:
    """Send a fleet to a star without enemy fleets, or only one ship of it."""
    able = _in_range(position, goal)
    fleet = min(able, key=lambda each: (strength(each.ships), each.letter), default=None)
    if fleet is None:
        return
    one = _singly(fleet.ships)[0]
    if style.raids and fleet.ships != one:
        fleet = position.split(fleet, one) or fleet
    position.order(Move(fleet.letter, goal))


def _attack(position: Position, goal: StarNumber, need: int) -> None:
    """Attack a star with the strongest fleet in range, if it is strong enough."""
    fleet = max(_in_range(position, goal), key=lambda f: strength(f.ships), default=None)
    if fleet is not None and strength(fleet.ships) >= need:
        position.order(Move(fleet.letter, goal))


def _nearest(
    position: Position, style: Style, fleet: Fleet, goals: Sequence[StarNumber]
) -> StarNumber | None:
    able = [at for at in goals if _need(position, style, at) <= strength(fleet.ships)]
    return min(able, key=lambda at: (position.apart[fleet.star][at], at), default=None)


def _approach(position: Position, fleet: Fleet, goal: StarNumber) -> None:
    """Move a fleet towards a goal, unless it holds a colony of the enemy under siege."""
    if fleet.star == goal or position.stars[fleet.star].owner == position.enemy:
        return
    to = position.step(fleet, goal)
    if to is not None and position.foes.get(to, 0) < strength(fleet.ships):
        position.order(Move(fleet.letter, to))


def settle(position: Position) -> None:
    """Send each transport towards a free star, each to another one."""
    goals = set(free_stars(position))
    for fleet in position.fleets.values():
        if not fleet.ships.transports or fleet.star in goals:
            goals.discard(fleet.star)
            continue
        ways = {goal: position.hops(fleet, goal).get(fleet.star, len(goals)) for goal in goals}
        goal = min(goals, key=lambda at: (ways[at], -position.stars[at].capacity, at), default=None)
        to = position.step(fleet, goal) if goal is not None else None
        if goal is not None and to is not None:
            goals.discard(goal)
            position.order(Move(fleet.letter, to))


def look(position: Position) -> None:
    """Order the fleets that stay to look at the nearest stars of the enemy."""
    sent = {order.fleet for order in position.orders if isinstance(order, FleetOrder)}
    for fleet in position.fleets.values():
        near = [
            at for at in _goals(position, fleet.star) if position.apart[at][fleet.star] <= REACH
        ]
        near.sort(key=lambda at: at not in position.foes)
        if fleet.ships.scouts and near and fleet.letter not in sent:
            position.order(Recon(fleet.letter, tuple(near[: fleet.ships.scouts])))
