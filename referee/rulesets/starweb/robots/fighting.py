"""Fighting: the shots of a robot's keys at fleets that are there, and at home fleets."""

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.robots.plan import Key, Plan
from referee.rulesets.starweb.ships import defenders_of
from referee.rulesets.starweb.state import Character, Fleet

HITS_PER_SHIP = 2
"""The shots that destroy a ship without cargo (s15)."""
BOARDING = 3
"""A Pirate takes fleets with more than so many times all other ships (s4C)."""


def fight(plan: Plan) -> None:
    """Fire where the player is strong enough; a Pirate with many ships waits to board."""
    for number in plan.places():
        foes = plan.foes(number)
        ready = sorted(
            (key for key in plan.at(number) if key.ships), key=lambda key: (-key.ships, key.number)
        )
        if foes and _boards(plan, number, ready):
            for key in ready:
                key.busy = True
        elif foes:
            _answer(plan, number, ready, foes)
        elif plan.skills.storms:
            _storm(plan, number, ready)


def _boards(plan: Plan, number: o.WorldNumber, ready: list[Key]) -> bool:
    if plan.character is not Character.PIRATE or not plan.skills.storms:
        return False
    others = sum(f.ships for f in plan.fleets[number] if f.owner != plan.sight.seat)
    return sum(key.ships for key in ready if not key.fleet.at_peace) > BOARDING * others


def _answer(plan: Plan, number: o.WorldNumber, ready: list[Key], foes: list[Fleet]) -> None:
    """Fire at foes, each fleet with as many shots as destroy it, if it is no lost battle."""
    strength = sum(key.ships for key in ready)
    if not plan.skills.storms and plan.sight.own_world(number) is None:
        return
    if strength < sum(foe.ships for foe in foes) or plan.character is Character.APOSTLE:
        return
    for foe in foes:
        needed = HITS_PER_SHIP * foe.ships
        while needed > 0 and ready:
            key = ready.pop(0)
            plan.fire(key, foe)
            needed -= key.ships


def _storm(plan: Plan, number: o.WorldNumber, ready: list[Key]) -> None:
    """Fire at the home fleets of a neutral or hostile world, with as few keys as are enough."""
    world = plan.sight.world(number)
    if world is None or not defenders_of(world) or not (_is_open(plan, number)):
        return
    needed = HITS_PER_SHIP * defenders_of(world)
    if sum(key.ships for key in ready) < needed or not world.population:
        return
    single = [key for key in ready if key.ships >= needed]
    for key in single[-1:] or ready:
        plan.storm(key)
        needed -= key.ships
        if needed <= 0:
            break


def _is_open(plan: Plan, number: o.WorldNumber) -> bool:
    """Return whether the player can capture the world once its home fleets are gone."""
    world = plan.sight.world(number)
    if world is None or (world.robots and plan.character is not Character.BERSERKER):
        return False
    return world.owner is None or plan.is_foe(world.owner)
