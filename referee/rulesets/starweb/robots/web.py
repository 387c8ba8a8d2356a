"""The web of gates as a seat knows it, with the shortest ways through it."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import cached_property

from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.sight import Sight

FARTHEST = 12
"""The most gates of a way that a robot looks for."""


class KnownWeb:
    """The gates that reports have shown. Ways avoid known black holes."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._ways: dict[WorldNumber, dict[WorldNumber, tuple[WorldNumber, ...]]] = {}

    def ways(self, start: WorldNumber) -> Mapping[WorldNumber, tuple[WorldNumber, ...]]:
        """Return a shortest way to each world that is near enough, nearest first."""
        if start not in self._ways:
            self._ways[start] = self._searched(start)
        return self._ways[start]

    def nearest(
        self, start: WorldNumber, goals: Iterable[WorldNumber]
    ) -> tuple[WorldNumber, ...] | None:
        """Return a shortest way to one of *goals*, empty if *start* is one, or None."""
        ways, goals = self.ways(start), frozenset(goals)
        if start in goals:
            return ()
        return next((way for goal, way in ways.items() if goal in goals), None)

    def _searched(self, start: WorldNumber) -> dict[WorldNumber, tuple[WorldNumber, ...]]:
        found: dict[WorldNumber, tuple[WorldNumber, ...]] = {start: ()}
        front = deque([start])
        while front:
            here = front.popleft()
            way = found[here]
            if len(way) == FARTHEST:
                break
            for there in self._gates[here]:
                if there not in found:
                    found[there] = (*way, there)
                    front.append(there)
        del found[start]
        return found

    @cached_property
    def _gates(self) -> Mapping[WorldNumber, Iterable[WorldNumber]]:
        """The gates of each world, in both directions, but not those into black holes."""
        player = self._sight.player
        gates: defaultdict[WorldNumber, set[WorldNumber]] = defaultdict(set)
        for here in player.charted.keys() | player.worlds:
            for there in self._sight.gates(here) or ():
                gates[here].add(there)
                gates[there].add(here)
        holes = {number for number in gates if self._sight.is_black_hole(number)}
        return {here: sorted(there - holes) for here, there in gates.items()}
