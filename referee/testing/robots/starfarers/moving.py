"""The moves of a robot's starships: mining, exploring, and jumps to other galaxies."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from referee.testing.robots.starfarers.building import has_system
from referee.testing.robots.starfarers.reading import EXPLORING, READY, Cards, SeenGame, SeenShip

_ENOUGH: Final = 12
"""If this number of free planets is known, the robot explores only as a last choice."""


class Pilot:
    """The planner of moves. It marks the actions of ships in *game*."""

    def __init__(self, game: SeenGame, wanted: Cards) -> None:
        self.game = game
        self.wanted = wanted
        self.dangers = set(_dangers(game))
        self.taken: set[int] = set()
        """The planets that a ship already mines this turn."""
        self.mined: Cards = Counter()

    def moves(self) -> Iterator[str]:
        """Yield an order for every starship that can move."""
        for ship in self.game.fleet(self.game.name):
            if ship.kind == READY and (order := self._move(ship)):
                yield order

    def _move(self, ship: SeenShip) -> str:
        here = self.game.hexes[ship.hex]
        if self._wants_away(ship) and (jump := self.jump_to(ship, self._goal())):
            return jump
        if self._lacks(here.galaxy) and (explore := self._explore(ship)):
            return explore
        return self._mine(ship) or self._explore(ship) or self._wander(ship)

    def _lacks(self, galaxy: str) -> bool:
        """Return whether a wanted card has no known planet in a galaxy."""
        known = [place.resource for place in self.game.hexes.values()
                 if place.galaxy == galaxy and place.is_free]  # fmt: skip
        return len(known) < _ENOUGH and any(letter not in known for letter in self.wanted)

    def _wants_away(self, ship: SeenShip) -> bool:
        """Return whether a ship leaves its galaxy for one without a colony system."""
        galaxy = self.game.hexes[ship.hex].galaxy
        others = [each for each in self.game.fleet(self.game.name) if each is not ship
                  and self.game.hexes[each.hex].galaxy == galaxy]  # fmt: skip
        return bool(self._goal()) and (has_system(self.game, galaxy) or len(others) > 1)

    def _goal(self) -> str:
        """Return a galaxy that needs one of our ships, or an empty string."""
        game = self.game
        manned = {game.hexes[ship.hex].galaxy for ship in game.fleet(game.name)}
        wanting = [p.name for p in game.players.values()
                   if not has_system(game, p.name) and p.name not in manned]  # fmt: skip
        free = [name for name in wanting if "held by" not in game.players[name].relations]
        return free[game.seat % len(free)] if free else ""

    def jump_to(self, ship: SeenShip, galaxy: str) -> str:
        """Return an order to jump to a galaxy, or to go to the nearest node."""
        game = self.game
        if not galaxy or not game.me.boosters or game.hexes[ship.hex].galaxy == galaxy:
            return ""
        nodes = [number for number in game.hexes if self._is_node(number)]
        if ship.hex not in nodes:
            return self.towards(ship, nodes)
        ship.kind = EXPLORING
        if "held by" not in game.players[galaxy].relations:
            return f"S{ship.number}JM{game.players[galaxy].seat}"
        there = [number for number in nodes if game.hexes[number].galaxy == galaxy]
        return f"S{ship.number}JH{there[0]}" if there else ""

    def _is_node(self, number: int) -> bool:
        place = self.game.hexes[number]
        ports = {base.hex for base in self.game.bases if base.kind == "spaceport"}
        held = "held by" in self.game.players[place.galaxy].relations
        mothership = place.what == "mothership" and not held
        return mothership or place.what == "wormhole" or number in ports

    def paths(self, start: int) -> dict[int, list[int]]:
        """Return the shortest safe way to every hex that can be reached from *start*."""
        found: dict[int, list[int]] = {start: []}
        edge = [start]
        while edge:
            at = edge.pop(0)
            for number in self.game.hexes[at].ways.values():
                wormhole = self.game.hexes[number].what == "wormhole" and not self.game.me.boosters
                if number not in found and number not in self.dangers and not wormhole:
                    found[number] = [*found[at], number]
                    edge.append(number)
        return found

    def _mine(self, ship: SeenShip) -> str:
        """Return an order to go to the planet within reach with the most wanted cards."""
        reach, best, way = 1 + self.game.me.boosters, 0, list[int]()
        paths = self.paths(ship.hex)
        if reach > 1:
            # A ship that leaves and comes back counts as an arrival.
            back = [n for n in self.game.hexes[ship.hex].ways.values() if n in paths]
            paths[ship.hex] = [back[0], ship.hex] if back else []
        for number, path in paths.items():
            place = self.game.hexes[number]
            if not 0 < len(path) <= reach or number in self.taken or not place.is_free:
                continue
            worth = 2 + 3 * self.wanted[place.resource]
            if worth > best:
                best, way = worth, path
        if not way:
            return ""
        ship.hex = way[-1]
        self.taken.add(ship.hex)
        self.mined[self.game.hexes[ship.hex].resource] += 1 + self.game.me.rings
        return f"S{ship.number}{_hexes(way)}"

    def _explore(self, ship: SeenShip) -> str:
        here = self.game.hexes[ship.hex]
        if not self.game.left[here.galaxy] or self.is_near_danger(ship.hex):
            return ""
        free = [direction for direction in range(1, 7) if direction not in here.ways]
        if not free:
            return ""
        self.game.left[here.galaxy] -= 1
        direction = free[(self.game.round + ship.number) % len(free)]
        ship.kind = EXPLORING
        return f"S{ship.number}E{direction}"

    def is_near_danger(self, number: int) -> bool:
        """Return whether a danger is next to a hex."""
        return any(each in self.dangers for each in self.game.hexes[number].ways.values())

    def _wander(self, ship: SeenShip) -> str:
        """Return an order to go to a hex with unexplored neighbours, or to any planet."""
        goals = [place.number for place in self.game.hexes.values()
                 if (len(place.ways) < 6 and self.game.left[place.galaxy]
                     and not self.is_near_danger(place.number)) or place.is_free]  # fmt: skip
        return self.towards(ship, [number for number in goals if number != ship.hex])

    def towards(self, ship: SeenShip, goals: list[int]) -> str:
        """Return an order to go towards the nearest of the goals, or an empty string."""
        paths = self.paths(ship.hex)
        ways = [paths[goal] for goal in goals if paths.get(goal)]
        if not ways:
            return ""
        way = min(ways, key=len)[: 1 + self.game.me.boosters]
        ship.hex = way[-1]
        return f"S{ship.number}{_hexes(way)}"


def _hexes(way: list[int]) -> str:
    return "".join(f"H{number}" for number in way)


def _dangers(game: SeenGame) -> Iterator[int]:
    """Yield the hexes in range of pirates and foes."""
    for place in game.hexes.values():
        if place.cannons >= max(game.me.cannons, 1):
            yield from (place.number, *place.ways.values())
    foes = [ship.hex for ship in game.ships if game.is_foe(ship.owner)]
    foes += [base.hex for base in game.bases if game.is_foe(base.owner)]
    for number in foes:
        yield from (number, *game.hexes[number].ways.values())
