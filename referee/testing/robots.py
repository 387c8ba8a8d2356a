"""Robots that play StarWeb by mail: they read their reports and write sensible orders."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

_WORLD: Final = re.compile(r"^W(\d+) \(([\d,]*)\) \[(\w*)\](.*)$")
_FLEET: Final = re.compile(r"F(\d+)\[(\w*)\]=(\d+)(?: \(([^)]*(?:\([^)]*\))?[^)]*)\))?")
_FIELD: Final = re.compile(r"([A-Z][\w-]*)=(\d+)(?:/(\d+))?")
_SEAT: Final = re.compile(r"^Game \S+, Turn (\d+), \[(\w+)\]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SeenFleet:
    """A fleet in a report."""

    number: int
    owner: str
    ships: int
    cargo: int


@dataclass(frozen=True, slots=True)
class SeenWorld:
    """A world in a report; what is not told is 0."""

    number: int
    gates: tuple[int, ...]
    owner: str
    fields: dict[str, int]
    usable: int
    fleets: tuple[SeenFleet, ...]


@dataclass(frozen=True, slots=True)
class SeenGame:
    """What a report tells: the turn, one's own name, and the worlds."""

    turn: int
    name: str
    worlds: tuple[SeenWorld, ...]


@dataclass(slots=True)
class Robot:
    """An Empire Builder: guards what it has, builds on its keys, and explores what is next door."""

    charted: set[int] = field(default_factory=set)

    def orders(self, report: str) -> list[str]:
        """Give orders for the turn of a report; the same reports give the same orders."""
        game = read_report(report)
        self.charted.update(world.number for world in game.worlds)
        orders: list[str] = []
        for world in game.worlds:
            own = [fleet for fleet in world.fleets if fleet.owner == game.name]
            built = _ships_to_build(world, len(own)) if world.owner == game.name else 0
            for fleet in own:
                if built:
                    orders.append(f"W{world.number}B{built}F{fleet.number}")
                orders += self._fleet(game, world, fleet, fleet.ships + built)
        return orders

    def _fleet(
        self, game: SeenGame, world: SeenWorld, fleet: SeenFleet, ships: int
    ) -> Iterator[str]:
        if world.owner == game.name:
            if fleet.cargo:
                yield f"F{fleet.number}U"
            if fleet.ships > 1 and not world.fields.get("P-Ships"):
                yield f"F{fleet.number}T1P"
            if world.fields.get("Metal") and not world.fields.get("Industry"):
                yield f"F{fleet.number}L"
        if ships and world.gates:
            yield f"F{fleet.number}W{self._next(game, world, fleet)}"

    def _next(self, game: SeenGame, world: SeenWorld, fleet: SeenFleet) -> int:
        """Choose a world next door: an unknown one first, and not all fleets the same."""
        unknown = [gate for gate in world.gates if gate not in self.charted]
        choice = unknown or list(world.gates)
        return choice[(fleet.number + game.turn) % len(choice)]


def read_report(report: str) -> SeenGame:
    """Read the printout in a report, as a player's own program would."""
    seat = _SEAT.search(report)
    if seat is None:
        raise ValueError("there is no printout in this letter")
    worlds = tuple(_world(lines) for lines in _records(report.splitlines()))
    return SeenGame(int(seat.group(1)), seat.group(2), worlds)


def _ships_to_build(world: SeenWorld, keys: int) -> int:
    """Give how many ships the world's industry can build on each of so many keys."""
    ready = min(world.usable, world.fields.get("Metal", 0), world.fields.get("Population", 0))
    return ready // keys if keys else 0


def _records(lines: Sequence[str]) -> Iterator[list[str]]:
    """Give the lines of each world: its own, and the indented ones below."""
    record: list[str] = []
    for line in lines:
        if _WORLD.match(line):
            if record:
                yield record
            record = [line]
        elif record and line.startswith("   "):
            record.append(line)
        elif record:
            yield record
            record = []
    if record:
        yield record


def _world(lines: list[str]) -> SeenWorld:
    head = [lines[0]]
    rest = lines[1:]
    while rest and rest[0].startswith("      "):
        head.append(rest.pop(0).strip())
    match = _WORLD.match(" ".join(head))
    assert match is not None
    number, gates, owner, words = match.groups()
    fields = {name: int(value) for name, value, _ in _FIELD.findall(words)}
    usable = next((int(b) for a, _, b in _FIELD.findall(words) if a == "Industry" and b), None)
    fleets = tuple(_fleet(line) for line in rest if _FLEET.match(line.strip()))
    return SeenWorld(
        number=int(number),
        gates=tuple(int(gate) for gate in gates.split(",") if gate),
        owner=owner,
        fields=fields,
        usable=fields.get("Industry", 0) if usable is None else usable,
        fleets=fleets,
    )


def _fleet(line: str) -> SeenFleet:
    match = _FLEET.match(line.strip())
    assert match is not None
    number, owner, ships, flags = match.groups()
    cargo = re.search(r"Cargo=(\d+)", flags or "")
    return SeenFleet(int(number), owner, int(ships), int(cargo.group(1)) if cargo else 0)
