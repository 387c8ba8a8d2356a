"""A report of The Singularity Trap as a robot reads it, from only its text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee.testing.robots.singularity.space import Space

_SUMMARY: Final = re.compile(
    r"(?<![A-Z])(?P<name>[A-Z]++), player (?P<number>\d), (?P<colour>[a-z]+)\. "
    r"Turn (?P<turn>\d+) of at most \d+: (?P<section>[A-Za-z ]+)\. "
    r"You have (?P<points>\d+) (?:saved \+|points?, \d+ planets? with an income of) "
    r"(?P<income>\d+)\b"
)
_PLANET: Final = re.compile(
    r"W(?P<number>\d+) +(?P<space>\d+[A-I]) +(?P<colour>[a-z]+) +(?P<worth>\d)(?: +(?P<owner>\S+))?"
)
_OWN: Final = re.compile(
    r"S(?P<number>\d+) +(?P<kind>[a-z]+) +(?P<space>\d+[A-I]) +(?P<working>[A-Z]+)"
    r"(?: +(?P<damage>[A-Z]*))?(?P<dark>, dark)?"
)
_FOREIGN: Final = re.compile(
    r"S(?P<number>\d+) +(?P<kind>[a-z]+) +(?P<owner>[A-Z]+) +(?P<space>\d+[A-I])(?: .*)?"
)
_PLAYER: Final = re.compile(
    r" *(?P<number>\d) +(?P<name>[A-Z]+)(?P<gone> \([a-z]+\))? +[a-z]+ +(?P<planets>\d+|\?)"
    r"(?: +(?P<allies>[A-Z, ]+))?"
)
_JUMP: Final = re.compile(r"(?P<start>\d+[A-I]) +(?P<end>\d+[A-I])")


@dataclass(slots=True)
class SeenPlanet:
    """A planet, from the list of planets."""

    number: int
    at: Space
    colour: str
    worth: int
    owner: str
    """The name of the owner, empty for a free planet, a question mark if unknown."""


@dataclass(slots=True)
class SeenShip:
    """A ship of the reader, or another one in sight."""

    number: int
    kind: str
    owner: str
    at: Space
    working: str
    """The letters of the working units, empty for ships of others."""
    damage: str = ""
    dark: bool = False

    @property
    def drive(self) -> int:
        """Return the number of drive units, 0 for a dark ship."""
        return 0 if self.dark else self.working.count("D")


@dataclass(frozen=True, slots=True)
class SeenPlayer:
    """A player, from the list of players."""

    number: int
    name: str
    planets: int
    allies: frozenset[str]
    gone: bool


@dataclass(slots=True)
class SeenWar:
    """The content of a report: the reader, the section, and all that the reader knows."""

    name: str
    number: int
    turn: int
    section: str
    points: int
    income: int
    awaited: bool
    planets: dict[int, SeenPlanet]
    ships: dict[int, SeenShip]
    others: dict[int, SeenShip]
    players: dict[int, SeenPlayer]
    jumps: dict[Space, Space]

    @property
    def me(self) -> SeenPlayer:
        """Return the reader's own row in the list of players."""
        return self.players[self.number]

    @property
    def to_win(self) -> int:
        """Return the number of planets that win: two thirds of all, 25 of 37."""
        return -(-2 * len(self.planets) // 3)

    @property
    def dominant(self) -> int:
        """Return the planets that the head of an empire needs: a third, 13 of 37."""
        return -(-len(self.planets) // 3)

    def friends(self) -> frozenset[str]:
        """Return the names of the reader and all allies."""
        return self.me.allies | {self.name}

    def own(self) -> list[SeenPlanet]:
        """Return the reader's planets."""
        return [planet for planet in self.planets.values() if planet.owner == self.name]

    def enemies(self) -> list[SeenShip]:
        """Return the ships in sight that are not allied."""
        return [ship for ship in self.others.values() if ship.owner not in self.friends()]


def read_report(report: str) -> SeenWar | None:
    """Return the content of a report, or None if the war is over for the reader."""
    summary = _SUMMARY.search(" ".join(report.split()))
    if summary is None:
        return None
    lines = report.splitlines()
    name = summary["name"]
    flat = " ".join(report.split())
    planets = (_planet(found) for found in _rows(lines, "Planets", _PLANET))
    ships = (_own(found, name) for found in _rows(lines, "Your ships", _OWN))
    others = (_foreign(found) for found in _rows(lines, "Ships in sight", _FOREIGN))
    players = (_player(found) for found in _rows(lines, "Players", _PLAYER))
    jumps = _rows(lines, "Jumps you know", _JUMP)
    return SeenWar(
        name=name,
        number=int(summary["number"]),
        turn=int(summary["turn"]),
        section=summary["section"],
        points=int(summary["points"]),
        income=int(summary["income"]),
        awaited="Please send your orders." in flat,
        planets={planet.number: planet for planet in planets},
        ships={ship.number: ship for ship in ships},
        others={ship.number: ship for ship in others},
        players={player.number: player for player in players},
        jumps={Space.read(found["start"]): Space.read(found["end"]) for found in jumps},
    )


def _rows(lines: list[str], title: str, row: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the rows of the table under a title. The table ends with an empty line."""
    if title not in lines:
        return
    for line in lines[lines.index(title) + 1 :]:
        if not line.strip():
            return
        if (found := row.fullmatch(line.rstrip())) is not None:
            yield found


def _planet(found: re.Match[str]) -> SeenPlanet:
    at = Space.read(found["space"])
    owner = found["owner"] or ""
    return SeenPlanet(int(found["number"]), at, found["colour"], int(found["worth"]), owner)


def _own(found: re.Match[str], name: str) -> SeenShip:
    return SeenShip(
        int(found["number"]),
        found["kind"],
        name,
        Space.read(found["space"]),
        found["working"],
        found["damage"] or "",
        dark=bool(found["dark"]),
    )


def _foreign(found: re.Match[str]) -> SeenShip:
    at = Space.read(found["space"])
    return SeenShip(int(found["number"]), found["kind"], found["owner"], at, "")


def _player(found: re.Match[str]) -> SeenPlayer:
    planets = 0 if found["planets"] == "?" else int(found["planets"])
    allies = frozenset(re.findall(r"[A-Z]+", found["allies"] or ""))
    return SeenPlayer(int(found["number"]), found["name"], planets, allies, bool(found["gone"]))
