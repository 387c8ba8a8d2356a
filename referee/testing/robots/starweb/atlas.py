"""A player's memory of the web: gates, black holes, and worlds as they were last seen."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from referee.testing.robots.starweb.reading import SeenGame, SeenWorld

LONGEST_MOVE: Final = 3


@dataclass(slots=True)
class Atlas:
    """The worlds a player has seen so far, each as last seen."""

    worlds: dict[int, SeenWorld] = field(default_factory=dict)

    def learn(self, game: SeenGame) -> None:
        """Record the worlds of a report."""
        self.worlds.update(game.worlds)

    def is_charted(self, world: int) -> bool:
        """Return whether the gates of a world are known."""
        return world in self.worlds

    def is_black_hole(self, world: int) -> bool:
        """Return whether a world is known to be a black hole."""
        return world in self.worlds and self.worlds[world].black_hole

    def way(self, start: int, wanted: Callable[[int], bool], turning: int = 0) -> tuple[int, ...]:
        """Return a shortest known way from *start* to a wanted world, empty if there is none.

        It avoids black holes. *turning* chooses among ways of equal length, so that fleets take
        different ones.
        """
        before: dict[int, int] = {}
        for here, there in self._hops(start, turning):
            before[there] = here
            if wanted(there):
                return _traced(before, start, there)
        return ()

    def _hops(self, start: int, turning: int) -> Iterator[tuple[int, int]]:
        """Yield each reachable world after the one before it, nearest first."""
        reached, front = {start}, deque([start])
        while front:
            here = front.popleft()
            gates = self.worlds[here].gates if here in self.worlds else ()
            turned = turning % len(gates) if gates else 0
            for there in gates[turned:] + gates[:turned]:
                if there not in reached and not self.is_black_hole(there):
                    reached.add(there)
                    front.append(there)
                    yield here, there


def _traced(before: Mapping[int, int], start: int, goal: int) -> tuple[int, ...]:
    way = [goal]
    while before[way[-1]] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))
