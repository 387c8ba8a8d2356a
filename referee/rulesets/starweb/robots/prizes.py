"""Prizes: what a world would be worth to a robot that sends ships there."""

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.robots.characters import WORKS, landing_force
from referee.rulesets.starweb.robots.plan import Plan
from referee.rulesets.starweb.robots.trade import is_watched
from referee.rulesets.starweb.ships import defenders_of
from referee.rulesets.starweb.state import Character, World
from referee.rulesets.starweb.treasures import treasure_points

UNKNOWN = 1.0
"""The worth of a world that was never seen."""
FORGOTTEN = 0.1
"""The worth of a world that was passed once, and is out of sight."""
SEARCH = 0.03
"""The worth of each ship in looking for others there."""
LOOSE_KEY = 0.3


def prize(plan: Plan, number: o.WorldNumber, ships: int) -> float:
    """Return the worth of a world for a fleet of *ships*: about 1 for a usual world, or 0."""
    world = plan.sight.world(number)
    if number in plan.stocks:
        return _conversion(plan, world, ships)
    if world is None:
        return UNKNOWN if plan.sight.gates(number) is None else FORGOTTEN + ships * SEARCH
    if is_watched(plan, world):
        return 0.0 if plan.at(number) else UNKNOWN
    if plan.at(number) and not _guards(plan, world):
        # A key that is there already captures what can be captured.
        return 0.0
    if _guards(plan, world) * 2 > ships:
        return 0.0
    loose = sum(not fleet.ships for fleet in plan.fleets[number])
    return _worth(plan, world) + LOOSE_KEY * loose


def _conversion(plan: Plan, world: World | None, ships: int) -> float:
    """Return what it is worth to land robots on a world of our own (s22)."""
    if plan.character is not Character.BERSERKER or not plan.skills.powers:
        return 0.0
    if world is None or world.robots or ships <= landing_force(world):
        return 0.0
    return 0.5 + world.population / 50 if world.industry < WORKS else 0.0


def _guards(plan: Plan, world: World) -> int:
    """Return the ships there that resist."""
    return defenders_of(world) + sum(foe.ships for foe in plan.foes(world.number))


def _worth(plan: Plan, world: World) -> float:
    if not world.population or (world.robots and plan.character is not Character.BERSERKER):
        return 0.0
    if world.owner is None:
        return _riches(plan, world) if plan.skills.storms else UNKNOWN
    if not plan.is_foe(world.owner):
        return 0.0
    return plan.skills.prey * (_riches(plan, world) + world.industry / 5)


def _riches(plan: Plan, world: World) -> float:
    treasures = sum(max(0, treasure_points(n, plan.character)) for n in world.artifacts)
    return _by_character(plan.character, world) + world.mines / 8 + treasures / 15


def _by_character(character: Character, world: World) -> float:
    match character:
        case Character.EMPIRE_BUILDER:
            return 0.3 + (world.population / 10 + world.mines + world.industry) / 10
        case Character.BERSERKER | Character.APOSTLE:
            return 0.5 + world.population / 100
        case Character.PIRATE:
            return 1.2
        case _:
            return 0.8
