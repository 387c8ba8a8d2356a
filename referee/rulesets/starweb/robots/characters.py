"""What only one character does: plunder, trade, robots, and artifacts."""

from referee.rulesets.starweb.robots.plan import Plan
from referee.rulesets.starweb.state import Character, World
from referee.rulesets.starweb.steps.landing import PEOPLE_PER_ROBOT

WORKS = 5
"""A world with so much industry is not plundered: it builds ships."""
MOST_PLUNDERS, ENDLESSLY = 4, 99
"""After four times a world brings only 10 points (s4C)."""


def use_powers(plan: Plan) -> None:
    """Give the orders special to the character."""
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
        if world is None or not world.population or world.robots:
            continue
        if world.industry >= WORKS and world.owner == plan.sight.seat:
            continue
        needed = landing_force(world)
        keys = sorted(
            (k for k in plan.at(number) if not k.busy and k.ships > needed), key=lambda k: k.ships
        )
        if keys:
            plan.land_robots(keys[0], needed)


def landing_force(world: World) -> int:
    """Return the ships that kill all people of a world as robots, and leave a few robots."""
    lost = -(-world.population // PEOPLE_PER_ROBOT)
    return (lost + max(2, world.mines)) // 2 + 1
