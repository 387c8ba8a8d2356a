"""The distances on a star map and the ways over it, which stay the same for a whole game."""

from collections.abc import Mapping
from functools import lru_cache

from referee.rules.hexes import Hex, distance
from referee.rulesets.fistful.orders import StarNumber


class Ways:
    """The ways between the stars of one map, each worked out when it is first needed."""

    def __init__(self, places: tuple[tuple[StarNumber, Hex], ...]) -> None:
        hexes = dict(places)
        self.apart: dict[StarNumber, dict[StarNumber, int]] = {at: {at: 0} for at in hexes}
        """The distance of each star to each other star."""
        for one in hexes:
            for other in hexes:
                if one < other:
                    far = distance(hexes[one], hexes[other])
                    self.apart[one][other] = self.apart[other][one] = far
        self._hops: dict[tuple[StarNumber, int], Mapping[StarNumber, int]] = {}

    def hops(self, goal: StarNumber, reach: int) -> Mapping[StarNumber, int]:
        """Return the number of moves to a goal from each star from which it can be reached."""
        if (goal, reach) not in self._hops:
            self._hops[goal, reach] = self._flood(goal, reach)
        return self._hops[goal, reach]

    def _flood(self, goal: StarNumber, reach: int) -> Mapping[StarNumber, int]:
        found, edge, left = {goal: 0}, [goal], {*self.apart} - {goal}
        while edge:
            moves = 1 + found[edge[0]]
            edge = [to for to in left if any(self.apart[to][at] <= reach for at in edge)]
            left.difference_update(edge)
            found.update(dict.fromkeys(edge, moves))
        return found


@lru_cache(maxsize=8)
def ways(places: tuple[tuple[StarNumber, Hex], ...]) -> Ways:
    """Return the ways of a map, by its stars."""
    return Ways(places)
