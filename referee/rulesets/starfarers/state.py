"""The state of a game of Starfarers: galaxies as laid, ships, bases, hands, decks, stances."""

from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import BaseKind, Enhancement

Place = tuple[int, int]
"""Axial coordinates in a galaxy; its mothership is at (0, 0)."""

STEPS: Final[tuple[Place, ...]] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The directions 1, north-east, to 6, north-west."""
DIRECTIONS: Final = ("north-east", "east", "south-east", "south-west", "west", "north-west")
CORNERS: Final = "abcdef"
"""Corner a is north; each lies between two directions: a between 6 and 1, b between 1 and 2."""


def apart(one: Place, other: Place) -> int:
    """Return the steps between two places of one galaxy."""
    q, r = other[0] - one[0], other[1] - one[1]
    return max(abs(q), abs(r), abs(q + r))


def beside(at: Place, direction: int) -> Place:
    """Return the place next to one, in a direction from 1 to 6."""
    q, r = STEPS[direction - 1]
    return at[0] + q, at[1] + r


def ring_place(one: Place, other: Place) -> int:
    """Return how far round *other* lies on its ring about *one*, from direction 1 on clockwise."""
    distance = apart(one, other)
    at = one[0] + distance * STEPS[0][0], one[1] + distance * STEPS[0][1]
    for turn in range(6 * distance):
        if at == other:
            return turn
        # From the corner in direction 1 the ring goes on in direction 3, and bends at each corner.
        at = beside(at, (turn // distance + 2) % 6 + 1)
    return 0


def around_corner(at: Place, corner: str) -> frozenset[Place]:
    """Return the three places that meet at a corner of one of them (G7)."""
    index = CORNERS.index(corner)
    return frozenset({at, beside(at, (index - 1) % 6 + 1), beside(at, index + 1)})


class Kind(Enum):
    """What lies on a hex."""

    MOTHERSHIP = "mothership"
    PLANET = "planet"
    EMPTY = "empty"
    PIRATES = "pirates"
    TRADER = "trader"
    MERCENARIES = "mercenaries"
    TELEPORTER = "teleporter"
    WORMHOLE = "wormhole"


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as it comes out of a bag."""

    kind: Kind
    resource: str = ""
    occupied: bool = False
    cannons: int = 0


class Card(Enum):
    """What may live on an occupied planet (G5)."""

    ALIENS_2 = "aliens 2"
    ALIENS_4 = "aliens 4"
    ALIENS_6 = "aliens 6"
    TOLL = "toll"
    BARTER = "barter"
    MERCENARIES = "mercenary colony"
    FRIENDLY = "friendly"
    QUARANTINE = "quarantine"
    RELIC = "relic"

    @property
    def strength(self) -> int:
        """Return the fighters and cannons of hostile aliens; 0 for everybody else."""
        return int(self.value.split()[1]) if self.value.startswith("aliens") else 0


@dataclass(slots=True)
class Hex:
    """A hex that has been laid."""

    number: int
    galaxy: Seat
    """Whose galaxy it is in."""
    at: Place
    kind: Kind
    resource: str = ""
    occupied: bool = False
    """Whether somebody lives on the planet who has not been dealt with."""
    cannons: int = 0
    card: Card | None = None
    """The encounter that lies open on it."""
    met: set[Seat] = field(default_factory=set)
    """Who knows which encounter that is."""
    quarantined_until: int = 0
    """The round from which ships may land again."""

    def settle(self) -> None:
        """Make the planet free: whoever lived there has been dealt with."""
        self.occupied, self.card = False, None
        self.met = set()


@dataclass(slots=True)
class Ship:
    """A starship, or a mercenary's."""

    number: int
    owner: Seat
    hex: int
    mercenary: bool = False
    ready: int = 0
    """The round from which it can move: a rebuilt ship waits for the next."""


@dataclass(slots=True)
class Base:
    """A base on a planet, or in orbit at a corner of *hex*."""

    number: int
    owner: Seat
    kind: BaseKind
    hex: int
    corner: str = ""

    @property
    def orbital(self) -> bool:
        """Return whether it is in orbit."""
        return bool(self.corner)


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the reports."""

    heading: str
    text: str
    readers: frozenset[Seat] | None = None
    """Who may know of it; None is everybody."""


@dataclass(frozen=True, slots=True)
class Bid:
    """Cards that a player offers to another for others (rule 24)."""

    offerer: Seat
    to: Seat
    give: Goods
    take: Goods


FIRST_HAND: Final = Goods(1, 1, 1, 1, 1)
"""One card of each resource (rule 5)."""


@dataclass(slots=True)
class Player:
    """A player with his prototype and his hand."""

    seat: Seat
    name: str
    colour: str = ""
    hand: Goods = FIRST_HAND
    boosters: int = 0
    cannons: int = 0
    rings: int = 0
    captor: Seat | None = None
    """Who has captured his mothership."""
    hostile: set[Seat] = field(default_factory=set)
    turning: set[Seat] = field(default_factory=set)
    """Towards whom his stance changes with the next round."""
    seeks: set[Seat] = field(default_factory=set)
    """Whom he has offered an alliance."""
    allies: set[Seat] = field(default_factory=set)
    peaceful: int = 0
    """At the ends of how many rounds in a row he held a colony system in every galaxy."""
    resigned: bool = False
    private: list[Note] = field(default_factory=list)

    def count(self, part: Enhancement) -> int:
        """Return how many of an enhancement the prototype has."""
        return {
            Enhancement.BOOSTER: self.boosters,
            Enhancement.CANNON: self.cannons,
            Enhancement.RING: self.rings,
        }[part]

    def fit(self, part: Enhancement) -> None:
        """Add an enhancement to the prototype."""
        if part is Enhancement.BOOSTER:
            self.boosters += 1
        elif part is Enhancement.CANNON:
            self.cannons += 1
        else:
            self.rings += 1


class Mode(Enum):
    """How orders are asked for."""

    BATCH = "batch"
    """Everybody's whole turn at once."""
    SERIAL = "serial"
    """One player after the other."""
    PHASED = "phased"
    """First travel and encounter, then trade and build."""


class Stage(Enum):
    """What the players are asked for now."""

    TURN = "turn"
    TRAVEL = "travel"
    BUILD = "build"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the GM chose."""

    mode: Mode = Mode.BATCH
    costs: dict[str, Goods] = field(default_factory=dict)
    caps: dict[str, int] = field(default_factory=dict)
    thrust: tuple[int, ...] = (0, 1, 2, 2, 3)
    thrust_boosters: bool = False
    encounters: tuple[Card, ...] = ()
    peace_hold: int = 1
    cluster: bool = False
    combine_moves: bool = False
    mine_on_stay: bool = False
    start_hostile: bool = False
    pirates_destroy: bool = True
    rotate: bool = True
    hand_limit: int = 0
    """0 for none."""
    fog: bool = False


@dataclass(slots=True)
class State:
    """A whole game before the orders of *stage* of *round*."""

    round: int
    stage: Stage
    rules: Rules
    hexes: dict[int, Hex]
    ships: dict[int, Ship]
    bases: dict[int, Base]
    players: dict[Seat, Player]
    bags: dict[Seat, list[Tile]]
    """The tiles of each galaxy that are still in its bag, the next one first."""
    deck: list[Card]
    first: int = 0
    """Which seat of the table begins this round."""
    turn_of: Seat | None = None
    """Whose turn it is (``mode=serial``)."""
    bids: list[Bid] = field(default_factory=list)
    acted: list[Seat] = field(default_factory=list)
    """Who has traded this round."""
    standing_back: set[int] = field(default_factory=set)
    """The ships that support nobody this round."""
    notes: list[Note] = field(default_factory=list)
    built_ships: int = 0
    built_bases: int = 0
    reshuffled: int = 0
    game: str = "SF"
    winners: tuple[Seat, ...] = ()
    ending: str = ""

    def copy(self) -> "State":
        """Return a copy that shares nothing that changes."""
        return deepcopy(self)

    def active(self) -> list[Seat]:
        """Return who still plays (G27)."""
        return [s for s, p in self.players.items() if not p.resigned and not self.eliminated(s)]

    def eliminated(self, seat: Seat) -> bool:
        """Return whether a player has no mothership, no starship and no base (G27)."""
        lost = self.players[seat].captor is not None
        flying = any(not ship.mercenary for ship in self.fleet(seat))
        return lost and not flying and not self.bases_of(seat)

    def order_of_play(self) -> list[Seat]:
        """Return the players in the sequence of this round (G25)."""
        seats = sorted(self.players)
        at = self.first % len(seats)
        return [seat for seat in (*seats[at:], *seats[:at]) if seat in self.active()]

    def fleet(self, seat: Seat) -> list[Ship]:
        """Return a player's ships, mercenaries among them."""
        return [ship for ship in self.ships.values() if ship.owner == seat]

    def bases_of(self, seat: Seat) -> list[Base]:
        """Return a player's bases."""
        return [base for base in self.bases.values() if base.owner == seat]

    def hex_at(self, galaxy: Seat, at: Place) -> Hex | None:
        """Return the hex that lies at a place of a galaxy, if one does."""
        for each in self.hexes.values():
            if each.galaxy == galaxy and each.at == at:
                return each
        return None

    def mothership(self, seat: Seat) -> Hex:
        """Return the hex of a player's mothership."""
        return self.hexes[int(seat)]

    def neighbours(self, number: int) -> list[Hex]:
        """Return the laid hexes next to one."""
        here = self.hexes[number]
        found = (self.hex_at(here.galaxy, beside(here.at, d)) for d in range(1, 7))
        return [each for each in found if each is not None]

    def near(self, one: int, other: int) -> bool:
        """Return whether two hexes are the same, or next to each other."""
        a, b = self.hexes[one], self.hexes[other]
        return a.galaxy == b.galaxy and apart(a.at, b.at) <= 1

    def places_of(self, base: Base) -> frozenset[tuple[Seat, Place]]:
        """Return the places a base stands on: its planet, or the three around its corner."""
        here = self.hexes[base.hex]
        around = around_corner(here.at, base.corner) if base.orbital else frozenset({here.at})
        return frozenset((here.galaxy, at) for at in around)

    def zone_of(self, base: Base) -> frozenset[tuple[Seat, Place]]:
        """Return the places that nobody hostile enters without a battle (rule 12).

        They are the base's own and the six nearest; to a corner those are the three that meet
        there and the three between them.
        """
        own = self.places_of(base)
        around = [(seat, beside(at, d)) for seat, at in own for d in range(1, 7)]
        return own | {each for each in around if around.count(each) >= min(len(own), 2)}

    def sees(self, seat: Seat | None, galaxy: Seat) -> bool:
        """Return whether somebody sees a galaxy: all, or in fog where he has a ship or base.

        His mothership counts as well, while it is his.
        """
        if not self.rules.fog or self.stage is Stage.OVER:
            return True
        if seat is None:
            return False
        if seat == galaxy and self.players[seat].captor is None:
            return True
        hexes = [ship.hex for ship in self.fleet(seat)]
        hexes += [base.hex for base in self.bases_of(seat)]
        return any(self.hexes[number].galaxy == galaxy for number in hexes)

    def with_ship(self, ship: Ship) -> list[Ship]:
        """Return the mercenaries that go where a starship goes, if no other stays (rule 21)."""
        here = [each for each in self.fleet(ship.owner) if each.hex == ship.hex]
        if any(each is not ship and not each.mercenary for each in here):
            return []
        return [each for each in here if each.mercenary]

    def hexes_of(self, base: Base) -> list[int]:
        """Return the laid hexes a base stands on, its own first."""
        around = [each.number for each in self.hexes.values()
                  if (each.galaxy, each.at) in self.places_of(base)]  # fmt: skip
        return sorted(around, key=lambda number: (number != base.hex, number))

    def friends(self, one: Seat, other: Seat) -> bool:
        """Return whether two are allies, or one and the same."""
        return one == other or other in self.players[one].allies

    def at_war(self, one: Seat, other: Seat) -> bool:
        """Return whether either is hostile to the other (G14)."""
        if self.friends(one, other):
            return False
        return other in self.players[one].hostile or one in self.players[other].hostile
