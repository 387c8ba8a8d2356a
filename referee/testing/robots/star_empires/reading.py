"""The facts in the text of a report of Star Empires."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from referee.testing.robots.star_empires.hexes import HOME, Sector

_HEADING: Final = re.compile(r"^(\w+), turn (\d+)\. Your homeworld is (\w+)\.", re.MULTILINE)
_HOMELESS: Final = re.compile(r"^(\w+), turn (\d+)\. You have no homeworld\.", re.MULTILINE)
_RULER: Final = re.compile(r"-+(  -+)*")
_MAP_ROW: Final = re.compile(r" *(\(-?\d+,-?\d+\)) (.*)")
_CELL: Final = re.compile(r"[A-Za-z.:][*!?]*")
_CELL_WIDTH: Final = 4
YOU: Final = "you"
NOBODY: Final = "nobody"

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SeenWorld:
    """A world in a report."""

    name: str
    at: Sector
    owner: str
    """``you``, ``nobody`` or an empire."""
    makes: int
    stock: int
    current: bool
    """Whether its values are current."""
    blocked: bool
    interdicted: bool
    homeworld: bool

    @property
    def mine(self) -> bool:
        """Return whether it is an own world."""
        return self.owner == YOU


@dataclass(frozen=True, slots=True)
class SeenShip:
    """An own ship."""

    at: Sector
    name: str
    kind: str
    dp: int
    whole: int
    guns: int
    engines: int
    scan: int
    room: int
    carrier: str

    @property
    def loaded(self) -> bool:
        """Return whether another ship carries it."""
        return bool(self.carrier)


@dataclass(frozen=True, slots=True)
class SeenFoe:
    """A foreign ship seen closely; DP and guns are unknown for an unknown class."""

    at: Sector
    owner: str
    kind: str
    dp: int | None
    guns: int | None


@dataclass(frozen=True, slots=True)
class SeenDesign:
    """A known design."""

    name: str
    hull: str
    tonnage: int
    cost: int | None


@dataclass(frozen=True, slots=True)
class SeenPortal:
    """A known portal."""

    name: str
    at: Sector
    open: bool
    charted: bool
    """Whether the player has its navigation data."""
    exits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenContact:
    """An empire in contact: the scans shared with it, and whether it is an ally."""

    name: str
    sees: str
    ally: str


@dataclass(frozen=True, slots=True)
class SeenGame:
    """The facts of a report."""

    turn: int
    name: str
    home: str
    """The homeworld, or "" if there is none."""
    worlds: tuple[SeenWorld, ...]
    ships: tuple[SeenShip, ...]
    foes: tuple[SeenFoe, ...]
    designs: Mapping[str, SeenDesign]
    portals: tuple[SeenPortal, ...]
    storms: Mapping[Sector, int]
    contacts: tuple[SeenContact, ...]
    known: frozenset[Sector]
    """The sectors on the map."""
    transponders: Mapping[str, frozenset[str]]
    """The ships whose transponders ``all`` and each empire can read."""

    def my_worlds(self) -> list[SeenWorld]:
        """Return the own worlds, the homeworld first, then by production."""
        mine = [world for world in self.worlds if world.mine]
        return sorted(mine, key=lambda world: (world.name != self.home, -world.makes, world.name))

    @property
    def base(self) -> Sector:
        """Return the sector of the homeworld, or of the first homeworld."""
        return next((world.at for world in self.worlds if world.name == self.home), HOME)

    def foes_at(self, at: Sector) -> list[SeenFoe]:
        """Return the foreign ships in a sector."""
        return [foe for foe in self.foes if foe.at == at]

    def ships_at(self, at: Sector) -> list[SeenShip]:
        """Return the own ships in a sector."""
        return [ship for ship in self.ships if ship.at == at]

    def world_at(self, at: Sector) -> SeenWorld | None:
        """Return the known world in a sector, or None."""
        return next((world for world in self.worlds if world.at == at), None)


def read_report(report: str) -> SeenGame:
    """Return the facts of a report. Raises ValueError if the text has no report."""
    heading = _HEADING.search(report) or _HOMELESS.search(report)
    if heading is None:
        raise ValueError("this letter has no report of Star Empires")
    text = report[heading.start() :]
    return SeenGame(
        turn=int(heading[2]),
        name=heading[1],
        home=heading[3] if heading.re is _HEADING else "",
        worlds=tuple(map(_world, table(text, "Worlds"))),
        ships=tuple(map(_ship, table(text, "Your ships"))),
        foes=tuple(map(_foe, table(text, "Foreign ships seen closely"))),
        designs={row["Class"]: _design(row) for row in table(text, "Designs")},
        portals=tuple(map(_portal, table(text, "Portals"))),
        storms={_sector(row["At"]): _strength(row) for row in table(text, "Storms and nebulae")},
        contacts=tuple(map(_contact, table(text, "Contacts"))),
        known=frozenset(_mapped(text)),
        transponders={
            row["Seen by"]: frozenset(row["Ships"].split(", "))
            for row in table(text, "Your transponders")
        },
    )


def table(text: str, title: str) -> Iterator[Row]:
    """Return the rows of the table under a title, as cells by column; none without a table."""
    lines = iter(text.splitlines())
    for line in lines:
        if line == title:
            break
    header, ruler = next(lines, ""), next(lines, "")
    if not _RULER.fullmatch(ruler):
        return
    spans = [(each.start(), each.end()) for each in re.finditer("-+", ruler)]
    columns = [header[begin:end].strip() for begin, end in spans]
    rows: list[list[str]] = []
    for line in lines:
        if not line:
            break
        cells = [line[begin:end].strip() for begin, end in spans]
        if rows and not cells[0]:
            rows[-1] = [f"{old} {new}".strip() for old, new in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
    for row in rows:
        yield dict(zip(columns, row, strict=True))


def _world(row: Row) -> SeenWorld:
    remarks = row["Remarks"]
    return SeenWorld(
        name=row["World"],
        at=_sector(row["At"]),
        owner=row["Owner"],
        makes=int(row["Makes"]),
        stock=int(row["RU"]) if row["RU"].isdecimal() else 0,
        current=row["Seen"] in ("visible", "scanned"),
        blocked="blockaded" in remarks or "interdicted" in remarks,
        interdicted="interdicted" in remarks,
        homeworld="homeworld" in remarks,
    )


def _ship(row: Row) -> SeenShip:
    dp, _, whole = row["DP"].partition("/")
    free, _, carrier = row["Racks"].partition("/")[0].partition("on ")
    return SeenShip(
        at=_sector(row["At"]),
        name=row["Serial"] if row["Ship"] == "-" else row["Ship"],
        kind=row["Class"],
        dp=int(dp),
        whole=int(whole),
        guns=int(row["Guns"]),
        engines=int(row["Eng"]),
        scan=int(row["Scan"]),
        room=int(free) if free.isdecimal() else 0,
        carrier=carrier,
    )


def _foe(row: Row) -> SeenFoe:
    dp, guns = row["DP"].partition("/")[0], row["Guns"]
    return SeenFoe(
        at=_sector(row["At"]),
        owner=row["Owner"],
        kind=row["Class"],
        dp=int(dp) if guns.isdecimal() else None,
        guns=int(guns) if guns.isdecimal() else None,
    )


def _design(row: Row) -> SeenDesign:
    cost = row["Cost"]
    return SeenDesign(
        name=row["Class"],
        hull=row["Hull"],
        tonnage=int(row["Tons"]),
        cost=int(cost) if cost.isdecimal() else None,
    )


def _portal(row: Row) -> SeenPortal:
    exits = row["Exits"]
    return SeenPortal(
        name=row["Portal"],
        at=_sector(row["At"]),
        open=row["State"] != "collapsed",
        charted=row["Navigation"] == "yes",
        exits=() if exits == "unknown" else tuple(exits.split(", ")),
    )


def _strength(row: Row) -> int:
    return int(row["Strength"]) if row["Strength"].isdecimal() else 0


def _contact(row: Row) -> SeenContact:
    return SeenContact(row["Empire"], row["Sees of your scans"], row["Ally"])


def _sector(text: str) -> Sector:
    oblique, y = re.findall("-?[0-9]+", text)
    return int(oblique), int(y)


def _mapped(text: str) -> Iterator[Sector]:
    """Return the sectors on the map; each row's label is its first sector."""
    for line in text.partition("\nMap\n")[2].splitlines():
        row = _MAP_ROW.fullmatch(line)
        if row is None:
            continue
        oblique, y = _sector(row[1])
        cells = list(_CELL.finditer(row[2]))
        for cell in cells:
            right = (cell.start() - cells[0].start()) // _CELL_WIDTH
            yield oblique + right, y + right // 2
