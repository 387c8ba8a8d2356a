"""Trade: a Merchant's metal for the industry of others, and consumer goods (s4B)."""

from typing import Final

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.robots.plan import Key, Plan
from referee.rulesets.starweb.scoring import METAL_PER_INDUSTRY
from referee.rulesets.starweb.state import Character, World

MOST_GOODS: Final = 4
"""After so many times a world pays hardly anything for consumer goods."""
WORTH_WATCHING: Final = 5
"""A world of others with so much industry is kept in sight."""


def trades(plan: Plan) -> bool:
    """Return whether the player is a Merchant who trades."""
    return plan.character is Character.MERCHANT and plan.skills.storms


def is_watched(plan: Plan, world: World) -> bool:
    """Return whether a world pays so much for metal that the player keeps it in sight."""
    large = world.industry >= WORTH_WATCHING and world.owner not in (None, plan.sight.seat)
    return large and trades(plan) and plan.skills.powers


def customers(plan: Plan) -> list[World]:
    """Return the worlds of others that pay for metal now, largest industry first."""
    if not (trades(plan) and plan.skills.powers):
        return []
    seen = [w for n in sorted(plan.player.worlds) if (w := plan.sight.world(n)) is not None]
    paying = [w for w in seen if w.industry and w.owner not in (None, plan.sight.seat)]
    return sorted(paying, key=lambda world: (-world.industry, world.number))


def trade(plan: Plan) -> None:
    """Unload consumer goods and metal where they bring points."""
    if not trades(plan):
        return
    for number in plan.places():
        _sell_goods(plan, plan.sight.world(number), plan.at(number))
    for world in customers(plan):
        _sell_metal(plan, world)


def _sell_goods(plan: Plan, world: World | None, keys: list[Key]) -> None:
    laden = next((key for key in keys if key.cargo), None)
    if laden is not None and world is not None and world.goods < MOST_GOODS:
        plan.sell_goods(laden)


def _sell_metal(plan: Plan, world: World) -> None:
    """Unload metal that the world pays for; a key with more waits, and one keeps it in sight."""
    left = METAL_PER_INDUSTRY * world.industry
    keys = [key for key in plan.at(world.number) if key.ships]
    for key in keys:
        sold = min(left, key.cargo)
        if sold:
            plan.unload(key, sold)
            left -= sold
            key.busy = key.cargo > 0 and is_watched(plan, world)
    if keys and is_watched(plan, world):
        agent = min(keys, key=lambda key: (key.ships, key.number))
        plan.set_peace(agent, peace=True)
        agent.busy = True


def routes(plan: Plan, key: Key) -> list[tuple[float, tuple[o.WorldNumber, ...]]]:
    """Return the ways to customers for a laden key, with the metal that they pay for."""
    ways = plan.web.ways(key.world)
    return [
        (min(key.cargo, METAL_PER_INDUSTRY * world.industry), ways[world.number])
        for world in customers(plan)
        if world.number in ways
    ]
