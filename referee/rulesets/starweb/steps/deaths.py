"""Deaths of people, and the players who answer for them."""

from collections.abc import Set

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.state import MOST, World
from referee.rulesets.starweb.turn_state import Turn


def slay(turn: Turn, world: World, killers: Set[Seat], count: int, cause: str) -> int:
    """Kill people, charge *killers* with them and return the number of the dead (s4E, s4F, s10)."""
    apostle = world.apostle
    killed, converts = kill_people(turn, world, count, cause)
    charge(turn, world, killers, killed)
    martyr(turn, world, apostle, converts)
    return killed


def charge(turn: Turn, world: World, killers: Set[Seat], killed: int) -> None:
    """Record who attacked the people of a world, and how many died (s4E, s10)."""
    toll = turn.toll(world)
    toll.killers |= killers
    toll.people += killed


def martyr(turn: Turn, world: World, apostle: Seat | None, converts: int) -> None:
    """Record the converts among the dead, and whose they were (s4F)."""
    if converts and apostle is not None:
        martyrs = turn.toll(world).martyrs
        martyrs[apostle] = martyrs.get(apostle, 0) + converts


def kill_people(turn: Turn, world: World, count: int, cause: str) -> tuple[int, int]:
    """Kill people and return the number of the dead and of the converts among them.

    Each death is drawn among the survivors (settled case 8).
    """
    count = min(count, world.population)
    dice = turn.dice.at("deaths", cause, world.number)
    converts = 0
    for left in range(world.population, world.population - count, -1):
        if world.converts > converts and dice.below(left) < world.converts - converts:
            converts += 1
    world.population -= count
    world.deaths = min(MOST, world.deaths + count)
    bury_converts(world, converts)
    return count, converts


def bury_converts(world: World, count: int) -> None:
    """Subtract dead converts; the population has been reduced already."""
    world.converts -= count
    world.convert_deaths = min(MOST, world.convert_deaths + count)
    if not world.converts:
        world.apostle = None
