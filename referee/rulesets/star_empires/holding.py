"""The worlds that an empire's own orders leave without a ship that holds them (R6.3.6, R6.4.7)."""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.rulesets.star_empires.scratch import Scratch
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import Ship, World


@dataclass(frozen=True, slots=True)
class Loss:
    """A world that is lost, the words about it, and the places of the orders that lose it."""

    world: str
    words: str
    causes: frozenset[int]
    is_final: bool
    """Whether no own ship arrives to take it again in the same turn."""


def guards_of(scratch: Scratch) -> dict[str, list[Ship]]:
    """Return the ships that hold each own world now."""
    return {
        world.name: list(_holding(scratch, world.at))
        for world in scratch.state.worlds_of(scratch.seat)
    }


def losses(scratch: Scratch, guards: dict[str, list[Ship]]) -> list[Loss]:
    """Return the worlds that the orders so far lose, after combat or after all moves."""
    fleet = scratch.roster.fleet(scratch.seat)
    arrived = {_end(scratch, ship) for ship in fleet if _holds(scratch, ship)}
    found = []
    for name, before in guards.items():
        world = scratch.state.worlds[name]
        causes = frozenset(scratch.used[s.number] for s in before if s.number in scratch.used)
        is_final = world.at not in arrived
        if causes and (is_final or not any(_holding(scratch, world.at))):
            found.append(Loss(name, _words(world, is_final=is_final), causes, is_final))
    return found


def _holding(scratch: Scratch, at: Sector) -> Iterator[Ship]:
    """Return the own ships that hold a world in a sector before any ship moves."""
    for ship in scratch.roster.at(at):
        if ship.owner == scratch.seat and _holds(scratch, ship):
            yield ship


def _holds(scratch: Scratch, ship: Ship) -> bool:
    return scratch.state.conquers(ship) and ship.number not in scratch.gone


def _end(scratch: Scratch, ship: Ship) -> Sector | None:
    """Return where the journey of a ship ends, or None if that is random."""
    to = scratch.journeys.get(ship.number, ship.at)
    return ship.at if to is None and ship.number not in scratch.traversing else to


def _words(world: World, *, is_final: bool) -> str:
    name = f"your homeworld {world.name}" if world.homeworld else world.name
    why = "because no ship with guns stays there"
    if not is_final:
        return f"you lose {name} until other ships arrive, {why}. It builds nothing this turn"
    stock = f" and its {world.stockpile} RU" if world.stockpile else ""
    return f"you lose {name}{stock}, {why}"
