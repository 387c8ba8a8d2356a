"""Maps for tests: a web of places that a player explores turn by turn."""

from dataclasses import dataclass
from random import Random

from referee.rules.views import Chart, Link, Node, Sighting

OWNERS = ("CERES", "MARS", "HATYSA", "TEJAT")


@dataclass(frozen=True)
class Exploration:
    """A web, and the turn in which each of its places was visited."""

    gates: dict[int, set[int]]
    visited: dict[int, int]

    def chart(self, turn: int) -> Chart:
        """Return the map as it is known in that turn."""
        visited = {place: at for place, at in self.visited.items() if at <= turn}
        since = dict(visited)
        links: dict[tuple[int, int], int] = {}
        for place, at in visited.items():
            for gate in self.gates[place]:
                ends = (min(place, gate), max(place, gate))
                links[ends] = min(at, links.get(ends, at))
                since[gate] = min(at, since.get(gate, at))
        return Chart(
            nodes=tuple(node(place, place in visited, since[place]) for place in sorted(since)),
            links=tuple(Link(f"W{a}", f"W{b}", at) for (a, b), at in sorted(links.items())),
            title=f"Turn {turn}",
            owners=OWNERS,
        )


def node(place: int, visited: bool, since: int) -> Node:
    """Return a place with typical lines in it."""
    if not visited:
        return Node(f"W{place}", (), sighting=Sighting.UNEXPLORED, since=since)
    if place % 4 == 0:
        return Node(f"W{place}", (), sighting=Sighting.REMEMBERED, since=since)
    lines = (f"I={place % 31} M={place % 7}", f"F{place} F{place + 1}")
    return Node(f"W{place}", lines[: place % 3], OWNERS[place % 4], since=since)


def explored(count: int, turns: int, seed: int) -> Exploration:
    """Explore a web of that many places from one place on, an equal part of it every turn."""
    draw = Random(seed)
    gates: dict[int, set[int]] = {place: set() for place in range(1, count + 1)}
    for place in range(2, count + 1):
        link(gates, place, draw.randint(max(1, place - 20), place - 1))
    for _ in range(count * 3 // 4):
        place = draw.randint(1, count)
        link(gates, place, min(count, place + draw.randint(1, 20)))
    visited = {1: 1}
    for turn in range(2, turns + 1):
        edge = sorted({gate for place in visited for gate in gates[place]} - visited.keys())
        draw.shuffle(edge)
        visited.update(dict.fromkeys(edge[: count // turns + 1], turn))
    return Exploration(gates, visited)


def link(gates: dict[int, set[int]], one: int, other: int) -> None:
    """Link two places."""
    if one != other:
        gates[one].add(other)
        gates[other].add(one)
