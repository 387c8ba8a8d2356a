"""The reader of reports: a parser of the printout as a player would write it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_SEAT: Final = re.compile(r"^Game \S+, Turn (\d+), \[(\w+)\]$", re.MULTILINE)
_CHARACTER: Final = re.compile(r"^\[\w+\]: (.+)$", re.MULTILINE)
_RELATION: Final = re.compile(r"(Met|Ally/Loader|Ally|Loader)=\[(\w+)\]")
_WORLD: Final = re.compile(r"W(\d+) \(([\d,]*)\) \[(\w*)\](?: C\[(\w+)\])?")
_FLEET: Final = re.compile(r"F(\d+)\[(\w*)\]=(\d+)")
_COUNT: Final = re.compile(r"(?<![\w-])([A-Z][\w-]*+)=(\d+)(?:/(\d+))?([CR]?)")
_ARTIFACT: Final = re.compile(r"\bV(\d+):")
_SIGN: Final = re.compile(r"^Sign of \[(\w+)\]:\n((?:#.*\n?)+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SeenFleet:
    """A fleet in a report, and the world where it is."""

    number: int
    world: int
    owner: str
    ships: int
    cargo: int
    at_peace: bool
    bomb: bool
    fired: bool
    """Whether it fired or attacked in another way."""
    artifacts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeenWorld:
    """A world in a report; values that are not shown are 0."""

    number: int
    gates: tuple[int, ...]
    owner: str
    apostle: str
    black_hole: bool
    robots: bool
    industry: int
    usable: int
    metal: int
    mines: int
    population: int
    converts: int
    limit: int
    iships: int
    pships: int
    plunders: int
    recovery: int
    artifacts: tuple[int, ...]
    fleets: tuple[SeenFleet, ...]


@dataclass(frozen=True, slots=True)
class SeenGame:
    """The content of a report: the turn, the player, the worlds, and other players."""

    turn: int
    name: str
    character: str
    worlds: dict[int, SeenWorld]
    met: tuple[str, ...]
    """All players met, whatever the relation."""
    allies: frozenset[str]
    loaders: frozenset[str]
    signs: dict[str, str]
    """The signs in this report, by their owners."""

    def own_worlds(self) -> list[SeenWorld]:
        """Return the player's own worlds, ascending."""
        return [world for world in self.worlds.values() if world.owner == self.name]

    def own_fleets(self) -> list[SeenFleet]:
        """Return the player's own keys, world by world."""
        fleets = (fleet for world in self.worlds.values() for fleet in world.fleets)
        return [fleet for fleet in fleets if fleet.owner == self.name]

    def own_at(self, world: SeenWorld) -> list[SeenFleet]:
        """Return the player's own keys at a world."""
        return [fleet for fleet in world.fleets if fleet.owner == self.name]

    def others_at(self, world: SeenWorld) -> list[SeenFleet]:
        """Return the fleets of others at a world without allies, largest first."""
        friends = {"", self.name, *self.allies}
        others = [each for each in world.fleets if each.ships and each.owner not in friends]
        return sorted(others, key=lambda each: (-each.ships, each.number))

    def is_foreign(self, world: SeenWorld) -> bool:
        """Return whether a world belongs to another player who is not an ally."""
        return world.owner not in {"", self.name, *self.allies}


def read_report(report: str) -> SeenGame:
    """Return the content of a report. Raises ValueError if it has no printout."""
    seat, character = _SEAT.search(report), _CHARACTER.search(report)
    if seat is None or character is None:
        raise ValueError("there is no printout in this report")
    printout = report[seat.start() :]
    relations = _RELATION.findall(_heading(printout))
    worlds = (_world(lines) for lines in _records(printout))
    return SeenGame(
        turn=int(seat[1]),
        name=seat[2],
        character=character[1],
        worlds={world.number: world for world in worlds},
        met=tuple(name for _, name in relations),
        allies=frozenset(name for relation, name in relations if "Ally" in relation),
        loaders=frozenset(name for relation, name in relations if "Loader" in relation),
        signs={found[1]: found[2] for found in _SIGN.finditer(printout)},
    )


def _heading(printout: str) -> str:
    return printout.partition("   ------------")[0].replace(",\n   ", ",")


def _records(printout: str) -> Iterator[list[str]]:
    """Yield the lines of each world, with broken lines joined again."""
    record: list[str] = []
    for line in printout.splitlines():
        if line.startswith("      ") and record:
            gap = "" if record[-1].endswith(",") else "  "
            record[-1] += gap + line.strip()
        elif line.startswith("   ") and record:
            record.append(line.strip())
        else:
            if record:
                yield record
            record = [line] if _WORLD.match(line) else []
    if record:
        yield record


def _world(lines: list[str]) -> SeenWorld:
    head, *rest = lines
    match = _WORLD.match(head)
    assert match is not None
    number, gates, owner, apostle = match.groups(default="")
    counts = {name: (int(n), m, letter) for name, n, m, letter in _COUNT.findall(head)}
    industry, usable, _ = counts.get("Industry", (0, "", ""))
    people, some, letter = counts.get("Population", (0, "", ""))
    converts = int(some) if some else people if letter == "C" else 0
    plunders, recovery, _ = counts.get("Plunder", (0, "", ""))

    def count(name: str) -> int:
        return counts.get(name, (0, "", ""))[0]

    return SeenWorld(
        number=int(number),
        gates=tuple(int(gate) for gate in gates.split(",") if gate),
        owner=owner,
        apostle=apostle,
        black_hole="B*L*A*C*K" in head,
        robots=letter == "R",
        industry=industry,
        usable=int(usable) if usable else industry,
        metal=count("Metal"),
        mines=count("Mines"),
        population=people,
        converts=converts,
        limit=count("Limit"),
        iships=count("I-Ships"),
        pships=count("P-Ships"),
        plunders=plunders,
        recovery=int(recovery) if recovery else 0,
        artifacts=tuple(int(found) for found in _ARTIFACT.findall(head)),
        fleets=tuple(_fleet(line, int(number)) for line in rest if _FLEET.match(line)),
    )


def _fleet(line: str, world: int) -> SeenFleet:
    match = _FLEET.match(line)
    assert match is not None
    cargo = re.search(r"Cargo=(\d+)", line)
    return SeenFleet(
        number=int(match[1]),
        world=world,
        owner=match[2],
        ships=int(match[3]),
        cargo=int(cargo[1]) if cargo else 0,
        at_peace="At-Peace" in line,
        bomb="PLANET-BUSTER" in line,
        fired=re.search(r"[(,]([AC](F\d+|[IPH])|[DR])[,)]", line) is not None,
        artifacts=tuple(int(found) for found in _ARTIFACT.findall(line)),
    )
