"""The facts in the text of a report of A Fistful of Planets."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.hexes import Hex, distance

_TURN: Final = re.compile(r"turn\s+(\d+)(?:\s+of|,)[^.]*\.\s+Your\s+homeworld\s+is\s+W(\d+)")
_EXAMPLE: Final = re.compile(
    r"(?:choose\s+your|name\s+a)\s+homeworld\b.*?\bfor\s+example\s+([H\d\s]+)\.", re.DOTALL
)
_PLACES: Final = re.compile(r"^Fleets of \S+\nThey are at ([W\d\s]+)\.", re.MULTILINE)
_RECON: Final = re.compile(r"^Recon\n((?:.+\n)+)", re.MULTILINE)
_SIGHT: Final = re.compile(r"^W(\d+): (?:\S+ has|nothing of) ((?:.|\n  )*?)\.$", re.MULTILINE)
_SHIPS: Final = re.compile(r"(?<!\d)(\d++)[SCD]")


@dataclass(frozen=True, slots=True)
class SeenStar:
    """A star in the list of stars."""

    number: int
    at: Hex
    capacity: int


@dataclass(slots=True)
class SeenColony:
    """An own colony."""

    star: int
    size: int
    capacity: int
    points: int
    remarks: str


@dataclass(slots=True)
class SeenFleet:
    """An own fleet."""

    letter: str
    star: int
    transports: int
    scouts: int
    cruisers: int
    dreadnoughts: int
    ways: tuple[int, ...]
    """The stars that it can move to."""

    @property
    def warships(self) -> int:
        """Return the number of warships."""
        return self.scouts + self.cruisers + self.dreadnoughts


@dataclass(slots=True)
class SeenGame:
    """The facts of a report: the turn, the own side, the enemy's places, and the map."""

    turn: int
    home: int
    stars: dict[int, SeenStar]
    colonies: dict[int, SeenColony]
    fleets: dict[str, SeenFleet]
    prizes: dict[int, str]
    """The enemy's colonies, with their remarks."""
    threats: frozenset[int]
    """The stars with enemy fleets."""
    sights: dict[int, int]
    """The known enemy warships by star."""
    fog: bool
    """Whether the report shows only places, unless scouts look."""

    def apart(self, one: int, other: int) -> int:
        """Return the distance between two stars in hexes."""
        return distance(self.stars[one].at, self.stars[other].at)


def asked_for_home(report: str) -> str:
    """Return the example of a choice if a homeworld must be chosen, else ""."""
    found = _EXAMPLE.search(report)
    return " ".join(found[1].split()) if found is not None else ""


def read_report(report: str) -> SeenGame | None:
    """Return the facts of a report, or None in the home phase or after the game."""
    heading = _TURN.search(report)
    if heading is None:
        return None
    enemies = tuple(_rows(report, "Fleets of .*"))
    return SeenGame(
        turn=int(heading[1]),
        home=int(heading[2]),
        stars={star.number: star for star in map(_star, _rows(report, "Stars"))},
        colonies={each.star: each for each in map(_colony, _rows(report, "Your colonies"))},
        fleets={fleet.letter: fleet for fleet in map(_fleet, _rows(report, "Your fleets"))},
        prizes={int(row["Star"][1:]): row["Remarks"] for row in _rows(report, "Colonies of .*")},
        threats=_hidden(report) | {int(row["At"][1:]) for row in enemies},
        sights=_sights(report) if not enemies else _strengths(enemies),
        fog=not any("Size" in row for row in _rows(report, "Colonies of .*")),
    )


def _rows(report: str, title: str) -> Iterator[Mapping[str, str]]:
    """Return the rows of the table of that title, each as cells by heading."""
    found = re.search(rf"^{title}\n(.+)\n(-[- ]+)\n((?:.+\n?)*)", report, re.MULTILINE)
    if found is None:
        return
    ends = [rule.span() for rule in re.finditer("-+", found[2])]
    headings = [found[1][start:end].strip() for start, end in ends]
    row: list[str] = []
    for line in found[3].splitlines():
        cells = [line[start:end].strip() for start, end in ends]
        if cells[0] and row:
            yield dict(zip(headings, row, strict=True))
        # A wide cell continues on the next line, where the first cell is empty.
        row = (
            cells if cells[0] else [" ".join(pair).strip() for pair in zip(row, cells, strict=True)]
        )
    if row:
        yield dict(zip(headings, row, strict=True))


def _star(row: Mapping[str, str]) -> SeenStar:
    line, column = row["Hex"].split(",")
    return SeenStar(int(row["Star"][1:]), Hex(int(line), int(column)), int(row["Most"].split()[0]))


def _colony(row: Mapping[str, str]) -> SeenColony:
    size, capacity, points = (int(row[heading]) for heading in ("Size", "Most", "Points"))
    return SeenColony(int(row["Star"][1:]), size, capacity, points, row["Remarks"])


def _fleet(row: Mapping[str, str]) -> SeenFleet:
    ways = tuple(int(star) for star in row["Can move to"].lstrip("W").split())
    transports, *ships = (int(row[letter]) for letter in "TSCD")
    scouts, cruisers, dreadnoughts = ships
    letter, star = row["Fleet"][1:], int(row["At"][1:])
    return SeenFleet(letter, star, transports, scouts, cruisers, dreadnoughts, ways)


def _hidden(report: str) -> frozenset[int]:
    """Return the stars with enemy fleets from a report in fog: a sentence, not a table."""
    found = _PLACES.search(report)
    return (
        frozenset(int(star[1:]) for star in found[1].split()) if found is not None else frozenset()
    )


def _sights(report: str) -> dict[int, int]:
    """Return the enemy warships in the recon lines, by star."""
    news = _RECON.search(report)
    found = _SIGHT.findall(news[1]) if news is not None else []
    return {int(star): sum(map(int, _SHIPS.findall(seen))) for star, seen in found}


def _strengths(rows: Sequence[Mapping[str, str]]) -> dict[int, int]:
    """Return the enemy warships at each star, from the table of fleets."""
    counts: Counter[int] = Counter()
    for row in rows:
        counts[int(row["At"][1:])] += sum(int(row[letter]) for letter in "SCD")
    return dict(counts)
