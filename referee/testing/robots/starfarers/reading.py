"""A report of Starfarers as a robot reads it, from only its text."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

LETTERS: Final = {"food": "F", "carbon": "C", "goods": "G", "ore": "O", "fuel": "U"}
_HEAD: Final = re.compile(
    r"(?<![A-Z])(?P<name>[A-Z]++), player (?P<seat>\d+)\. Round (?P<round>\d+) of at most \d+:"
    r" (?P<part>[^.]+)\. You hold (?P<hand>[^.]+)\."
)
_TURN: Final = re.compile(r"It is the turn of [A-Z]+\.")
_GALAXY: Final = re.compile(r"Galaxy of (?P<name>[A-Z]+), (?P<left>\d+) tiles? left")
_OFFER: Final = re.compile(
    r"(?<![A-Z])(?P<name>[A-Z]++) offer(?:s|ed) you (?P<give>[^:,]+?) for (?P<take>[^:,]+)"
)

READY: Final = "-"
"""The kind that a report shows for a starship that can move."""
EXPLORING: Final = "exploring"
"""The kind of a ship whose next place is not known yet."""
BUSY: Final = "busy"
"""The kind of a ship that acts where it is."""

Cards = Counter[str]
"""The number of cards by letter."""


@dataclass(frozen=True, slots=True)
class SeenPlayer:
    """A row of the table of players."""

    seat: int
    name: str
    boosters: int
    cannons: int
    rings: int
    relations: str


@dataclass(frozen=True, slots=True)
class SeenHex:
    """An explored hex."""

    number: int
    galaxy: str
    what: str
    ways: Mapping[int, int]
    """The numbers of its neighbours by direction."""

    @property
    def resource(self) -> str:
        """Return the letter of a planet's resource, or an empty string."""
        word, _, rest = self.what.partition(" ")
        return LETTERS[word] if rest.startswith("planet") else ""

    @property
    def is_free(self) -> bool:
        """Return whether it is a planet that can be mined."""
        return bool(self.resource) and self.what.endswith("planet")

    @property
    def cannons(self) -> int:
        """Return the cannons of its pirates, or -1 without pirates."""
        return int(self.what.split()[1]) if self.what.startswith("pirates") else -1


@dataclass(slots=True)
class SeenShip:
    """A starship or a mercenary."""

    number: int
    owner: str
    hex: int
    kind: str


@dataclass(frozen=True, slots=True)
class SeenBase:
    """A base on a planet, or in orbit at a corner of its hex."""

    number: int
    owner: str
    kind: str
    hex: int
    corner: str
    galaxy: str


@dataclass(frozen=True, slots=True)
class SeenOffer:
    """An offer: the cards that another player gives, and those they take."""

    seat: int
    give: str
    take: str


@dataclass(slots=True)
class SeenGame:
    """The content of a report."""

    name: str
    seat: int
    round: int
    part: str
    hand: Cards
    players: dict[str, SeenPlayer] = field(default_factory=dict)
    hexes: dict[int, SeenHex] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    """The tiles that are left in each galaxy's bag."""
    ships: list[SeenShip] = field(default_factory=list)
    bases: list[SeenBase] = field(default_factory=list)
    offers: list[SeenOffer] = field(default_factory=list)

    @property
    def me(self) -> SeenPlayer:
        """Return the reader's own row."""
        return self.players[self.name]

    def fleet(self, owner: str) -> list[SeenShip]:
        """Return a player's starships."""
        return [ship for ship in self.ships if ship.owner == owner and ship.kind != "mercenary"]

    def is_foe(self, other: str) -> bool:
        """Return whether either is hostile to the other."""
        one = f"hostile to {other}" in self.me.relations or f", {other}" in self.me.relations
        theirs = self.players[other].relations
        return other != self.name and (one or ("hostile" in theirs and self.name in theirs))


def read_report(text: str) -> SeenGame | None:
    """Return the content of a report, or None if the reader must not send orders."""
    # Press could look like a report, so it is cut off.
    lines = text.partition("\nPRESS FROM ")[0].splitlines()
    found = _HEAD.search(" ".join(" ".join(lines).split()))
    if found is None or _TURN.search(" ".join(" ".join(lines).split())):
        return None
    game = SeenGame(found["name"], int(found["seat"]), int(found["round"]), found["part"],
                    _cards(found["hand"]))  # fmt: skip
    for number, title in enumerate(lines):
        rows = list(_rows(lines[number + 1 :]))
        if title.startswith("Players:"):
            players = (SeenPlayer(int(r[0]), r[1], int(r[4]), int(r[5]), int(r[6]), r[8])
                       for r in rows)  # fmt: skip
            game.players = {player.name: player for player in players}
        elif (galaxy := _GALAXY.match(title)) is not None:
            game.left[galaxy["name"]] = int(galaxy["left"])
            game.hexes.update((h.number, h) for h in (_hex(galaxy["name"], r) for r in rows))
        elif title == "Ships":
            game.ships = [SeenShip(int(r[0][1:]), r[1], int(r[2][1:]), r[4]) for r in rows]
        elif title == "Bases":
            game.bases = list(map(_base, rows))
    game.offers = list(_offers(game, lines))
    return None if {"eliminated", "left"} & {*game.me.relations.split("; ")} else game


def _cards(text: str) -> Cards:
    found = re.findall(r"(?<!\d)(\d++) (\w+)", text)
    return Counter({LETTERS[word]: int(number) for number, word in found})


def _rows(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the rows of the table that begins with its headings. Joins wrapped cells."""
    if len(lines) < 3 or not re.fullmatch(r"-+(?: +-+)*", lines[1]):
        return
    spans = [found.span() for found in re.finditer("-+", lines[1])]
    row: list[str] = []
    for line in lines[2:]:
        cells = [line[start:end].strip() for start, end in spans]
        if not any(cells):
            break
        if cells[0]:
            if row:
                yield row
            row = cells
        else:
            row = [f"{one} {more}".strip() for one, more in zip(row, cells, strict=True)]
    if row:
        yield row


def _hex(galaxy: str, row: Sequence[str]) -> SeenHex:
    ways = {int(d): int(n) for d, n in re.findall(r"(\d):(\d+)", row[3])}
    return SeenHex(int(row[0][1:]), galaxy, row[2], ways)


def _base(row: Sequence[str]) -> SeenBase:
    place = row[3].rstrip("abcdef")
    corner = row[3][len(place) :]
    return SeenBase(int(row[0][1:]), row[1], row[2], int(place[1:]), corner, row[5])


def _offers(game: SeenGame, lines: Sequence[str]) -> Iterator[SeenOffer]:
    for found in _OFFER.finditer(" ".join(" ".join(lines).split())):
        if found["name"] in game.players:
            give, take = (_code(_cards(found[side])) for side in ("give", "take"))
            yield SeenOffer(game.players[found["name"]].seat, give, take)


def _code(cards: Cards) -> str:
    return "".join(f"{number}{letter}" for letter, number in cards.items() if number)
