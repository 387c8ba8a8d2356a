"""The economy of a robot: metal to industry, ships from metal, and ships for empty keys."""

from referee.rulesets.starweb.robots.plan import Key, Plan
from referee.rulesets.starweb.state import Character, World

LANDING = 12
"""The ships on a key that a Berserker shares: half of them can still land on a small world."""


def deliver(plan: Plan) -> None:
    """Unload metal where industry can use it."""
    for key in plan.keys.values():
        world = plan.sight.own_world(key.world)
        if world is not None and world.industry and key.cargo:
            plan.unload(key)


def build(plan: Plan) -> None:
    """Use all industry: a guard, industry if it pays, and ships on the keys that are there."""
    for world in plan.worlds:
        stock = plan.stocks[world.number]
        if stock.usable and not stock.pships and plan.sight.state.turn > 1:
            plan.build_guards(world, 1)
        _invest(plan, world)
        keys = [key for key in plan.at(world.number) if not key.cargo]
        _arm(plan, world, keys)


def _invest(plan: Plan, world: World) -> None:
    """Build industry for an Empire Builder, who gets points for it (s4A)."""
    if plan.character is Character.EMPIRE_BUILDER and plan.sight.state.turn > 2:
        share = int(plan.stocks[world.number].usable * plan.skills.invests)
        if world.population > world.industry:
            plan.build_industry(world, share // plan.price)


def _arm(plan: Plan, world: World, keys: list[Key]) -> None:
    """Build ships onto keys, evenly, and lift the I-Ships above the reserve."""
    stock = plan.stocks[world.number]
    if gathers(plan) and keys:
        keys = [max(keys, key=lambda key: (key.ships, -key.number))]
    for place, key in enumerate(sorted(keys, key=lambda key: (key.ships, key.number))):
        share = -(-stock.usable // (len(keys) - place))
        plan.build_on(world, share, key)
    if keys and plan.skills.reserve:
        plan.lift(world, stock.iships - plan.skills.reserve, keys[0])


def gathers(plan: Plan) -> bool:
    """Return whether ships stay together, because a Berserker needs many to land (s22)."""
    return plan.character is Character.BERSERKER and plan.skills.powers


def man_keys(plan: Plan) -> None:
    """Give ships to empty keys, so that each can capture a world."""
    least = LANDING if gathers(plan) else plan.skills.share
    for number in plan.places():
        keys = [key for key in plan.at(number) if not key.busy and not key.cargo]
        empty = [key for key in keys if not key.ships]
        manned = sorted((key for key in keys if key.ships), key=lambda key: -key.ships)
        for source in manned:
            if not empty or source.ships < least:
                break
            share = max(1, source.ships // (len(empty) + 1))
            while empty and source.ships > share:
                plan.transfer(source, share, empty.pop())
