"""The powers of a Pirate and a Berserker: plunder, and robots that land."""

from referee.rulesets.starweb.robots.plan import Plan
from referee.rulesets.starweb.state import Character, World
from referee.rulesets.starweb.steps.landing import PEOPLE_PER_ROBOT

WORKS = 5
"""A world with so much industry is not plundered: it builds ships."""
MOST_PLUNDERS, ENDLESSLY = 4, 99
"""How often a world is plundered: after four times it brings only 10 points (s4C)."""


def use_powers(plan: Plan) -> None:
    """Add the orders that are special to the character."""
    match plan.character:
        case Character.PIRATE:
            _plunder(plan)
        case Character.BERSERKER:
            _land(plan)
        case _:
            pass


def _plunder(plan: Plan) -> None:
    """Plunder worlds that have little industry, as soon as they recover (s4C).

    A world that was plundered often brings fewer points than its metal is worth.
    """
    most = MOST_PLUNDERS if plan.skills.powers else ENDLESSLY
    for world in plan.worlds:
        if not world.recovery and world.industry < WORKS and world.plunders < most:
            plan.plunder(world)


def _land(plan: Plan) -> None:
    """Land as many robots as kill all people and leave some to run the mines (s22)."""
    for number in plan.places():
        world = plan.sight.world(number)
        if world is None or not _is_target(plan, world):
            continue
        needed = landing_force(world)
        keys = [key for key in plan.at(number) if not key.busy and key.ships > needed]
        if keys:
            plan.land_robots(min(keys, key=lambda key: (key.ships, key.number)), needed)


def _is_target(plan: Plan, world: World) -> bool:
    """Return whether robots should land on a world: not on an ally's, nor on own industry."""
    if not world.population or world.robots or world.owner in plan.player.allies:
        return False
    return world.industry < WORKS or world.owner != plan.sight.seat


def landing_force(world: World) -> int:
    """Return the ships that kill all people of a world as robots, and leave a few robots."""
    lost = -(-world.population // PEOPLE_PER_ROBOT)
    return (lost + max(2, world.mines)) // 2 + 1
