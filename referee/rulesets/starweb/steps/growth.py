"""The growth of worlds without orders: turns number, mines, metal, births and deaths."""

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.state import MOST, MOST_MINES, Character, World
from referee.rulesets.starweb.steps.deaths import kill_people
from referee.rulesets.starweb.turn_state import Turn

TURNS_TO_A_MINE = 7


def grow(turn: Turn) -> None:
    """Count turns, dig, grow and starve on every world of a player (s10, s23)."""
    for world in turn.state.worlds.values():
        if world.owner is not None and not world.recovery:
            _count_turn(world)
            _produce(turn, world)
            _breed(turn, world, world.owner)
        if world.population > world.limit and not world.robots:
            _starve(turn, world)


def _count_turn(world: World) -> None:
    """Count a turn of ownership; after the seventh add a mine (s23, settled case 4)."""
    if not world.mines:
        return
    world.turns += 1
    if world.turns > TURNS_TO_A_MINE:
        world.turns = 1
        world.mines = min(MOST_MINES, world.mines + 1)


def _produce(turn: Turn, world: World) -> None:
    """Dig metal with the people who do not run industry (s23, settled case 4)."""
    free = max(0, world.population - turn.workers[world.number])
    world.metal = min(MOST, world.metal + min(world.mines, free))


def _breed(turn: Turn, world: World, owner: Seat) -> None:
    """Grow the population by a tenth, up to the limit (s10, settled case 3)."""
    if world.robots or world.population >= world.limit:
        return
    tenths, rest = divmod(world.population, 10)
    lucky = rest and turn.dice.at("growth", world.number).chance(rest, 10)
    born = min(tenths + bool(lucky), min(MOST, world.limit) - world.population)
    world.population += born
    if born and turn.plays(owner, Character.APOSTLE) and world.apostle in (None, owner):
        world.converts += born
        world.apostle = owner


def _starve(turn: Turn, world: World) -> None:
    """Kill the people over the limit (s10, settled case 5)."""
    kill_people(turn, world, world.population - world.limit, "starving")
