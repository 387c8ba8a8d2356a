"""The state of a game: explored galaxies, ships, bases, hands, decks and stances."""

from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import BaseKind, Enhancement

Place = tuple[int, int]
"""Axial coordinates in a galaxy. Its mothership is at (0, 0)."""

STEPS: Final[tuple[Place, ...]] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The steps in the directions 1, north-east, to 6, north-west."""
DIRECTIONS: Final = ("north-east", "east", "south-east", "south-west", "west", "north-west")
CORNERS: Final = "abcdef"
"""Corner a is north. Each is between two directions: a between 6 and 1, b between 1 and 2."""


def apart(one: Place, other: Place) -> int:
    """Return the steps between two places of one galaxy."""
    q, r = other[0] - one[0], other[1] - one[1]
    return max(abs(q), abs(r), abs(q + r))


def next_to(at: Place, direction: int) -> Place:
    """Return the place next to one, in a direction from 1 to 6."""
    q, r = STEPS[direction - 1]
    return at[0] + q, at[1] + r


def ring_place(one: Place, other: Place) -> int:
    """Return the place of *other* on its ring around *one*, clockwise from direction 1."""
    distance = apart(one, other)
    at = one[0] + distance * STEPS[0][0], one[1] + distance * STEPS[0][1]
    for turn in range(6 * distance):
        if at == other:
            return turn
        # From the corner in direction 1 the ring goes on in direction 3, and bends at each corner.
        at = next_to(at, (turn // distance + 2) % 6 + 1)
    return 0


def around_corner(at: Place, corner: str) -> frozenset[Place]:
    """Return the three places that meet at a corner of one of them (G7)."""
    index = CORNERS.index(corner)
    return frozenset({at, next_to(at, (index - 1) % 6 + 1), next_to(at, index + 1)})


class Kind(Enum):
    """The kind of a hex."""

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
    """A tile from a bag."""

    kind: Kind
    resource: str = ""
    occupied: bool = False
    cannons: int = 0


class Card(Enum):
    """An encounter with the people of an occupied planet (G5)."""

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
        """Return the fighters and cannons of hostile aliens, 0 for all others."""
        return int(self.value.split()[1]) if self.value.startswith("aliens") else 0


@dataclass(slots=True)
class Hex:
    """An explored hex."""

    number: int
    galaxy: Seat
    """The owner of the galaxy."""
    at: Place
    kind: Kind
    resource: str = ""
    occupied: bool = False
    """Whether people live on the planet who are not beaten, paid or satisfied."""
    cannons: int = 0
    card: Card | None = None
    """The encounter that lies open here."""
    met: set[Seat] = field(default_factory=set)
    """The players who know this encounter."""
    quarantined_until: int = 0
    """The round from which ships can land again."""

    def settle(self) -> None:
        """Make the planet free, after its people were beaten, paid or satisfied."""
        self.occupied, self.card = False, None
        self.met = set()


@dataclass(slots=True)
class Ship:
    """A starship or a mercenary."""

    number: int
    owner: Seat
    hex: int
    mercenary: bool = False
    ready: int = 0
    """The round from which the ship can move. A rebuilt ship waits for the next round."""


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
        """Return whether the base is in orbit."""
        return bool(self.corner)


@dataclass(frozen=True, slots=True)
class Bid:
    """An offer of cards to another player (rule 24)."""

    offerer: Seat
    to: Seat
    give: Goods
    take: Goods


FIRST_HAND: Final = Goods(1, 1, 1, 1, 1)
"""One card of each resource (rule 5)."""


@dataclass(slots=True)
class Player:
    """A player with prototype and hand."""

    seat: Seat
    name: str
    colour: str = ""
    hand: Goods = FIRST_HAND
    boosters: int = 0
    cannons: int = 0
    rings: int = 0
    captor: Seat | None = None
    """The player who has captured the mothership."""
    hostile: set[Seat] = field(default_factory=set)
    turning: set[Seat] = field(default_factory=set)
    """The players towards whom the stance changes in the next round."""
    seeks: set[Seat] = field(default_factory=set)
    """The players who were offered an alliance."""
    allies: set[Seat] = field(default_factory=set)
    peaceful: int = 0
    """The number of rounds in a row that ended with a colony system in every galaxy."""
    out: str = ""
    """How the player went out of the game: left or eliminated, or empty (G27)."""
    ships: int = 0
    """The ships that were built and hired so far, in fog."""
    bases: int = 0
    """The bases that were built so far, in fog."""

    def count(self, part: Enhancement) -> int:
        """Return the number of an enhancement on the prototype."""
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
    """The way in which players send the orders of a round."""

    BATCH = "batch"
    """All players send a whole turn at once."""
    SERIAL = "serial"
    """One player after the other."""
    PHASED = "phased"
    """First travel and encounter, then trade and build."""


class Stage(Enum):
    """The part of a round whose orders are collected now."""

    TURN = "turn"
    TRAVEL = "travel"
    BUILD = "build"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that the GM chose."""

    mode: Mode = Mode.BATCH
    costs: dict[str, Goods] = field(default_factory=dict)
    caps: dict[str, int] = field(default_factory=dict)
    thrust: tuple[int, ...] = (0, 1, 2, 2, 3)
    thrust_boosters: bool = False
    encounters: tuple[Card, ...] = ()
    peace_hold: int = 1
    turn_limit: int = 60
    """The last round."""
    cluster: bool = False
    combine_moves: bool = False
    mine_on_stay: bool = False
    start_hostile: bool = False
    pirates_destroy: bool = True
    rotate: bool = True
    hand_limit: int = 0
    """The most cards of a hand, 0 for no limit."""
    fog: bool = False


@dataclass(slots=True)
class State:
    """A game before the orders of *stage* in *round*."""

    round: int
    stage: Stage
    rules: Rules
    hexes: dict[int, Hex]
    ships: dict[int, Ship]
    bases: dict[int, Base]
    players: dict[Seat, Player]
    bags: dict[Seat, list[Tile]]
    """The tiles left in the bag of each galaxy, the next one first."""
    deck: list[Card]
    first: int = 0
    """The index of the seat that begins this round."""
    turn_of: Seat | None = None
    """The player whose turn it is (``mode=serial``)."""
    bids: list[Bid] = field(default_factory=list)
    acted: list[Seat] = field(default_factory=list)
    """The players who have traded this round."""
    standing_back: set[int] = field(default_factory=set)
    """The ships that do not support others this round."""
    escorts: dict[int, int] = field(default_factory=dict)
    """The mercenaries sent with a starship this round, and its number."""
    built_ships: int = 0
    built_bases: int = 0
    reshuffled: int = 0
    game: str = "SF"
    winners: tuple[Seat, ...] = ()
    ending: str = ""

    def copy(self) -> "State":
        """Return a copy that shares no mutable parts."""
        return deepcopy(self)

    def active(self) -> list[Seat]:
        """Return the players still in the game (G27)."""
        return [seat for seat, player in self.players.items() if not player.out]

    def order_of_play(self) -> list[Seat]:
        """Return the players in the order of this round (G25)."""
        seats = sorted(self.players)
        at = self.first % len(seats)
        return [seat for seat in (*seats[at:], *seats[:at]) if seat in self.active()]

    def fleet(self, seat: Seat) -> list[Ship]:
        """Return a player's ships, mercenaries among them."""
        return [ship for ship in self.ships.values() if ship.owner == seat]

    def is_ready(self, ship: Ship) -> bool:
        """Return whether a ship can move and fight, and is not being rebuilt (rule 36)."""
        return ship.ready <= self.round

    def bases_of(self, seat: Seat) -> list[Base]:
        """Return a player's bases."""
        return [base for base in self.bases.values() if base.owner == seat]

    def hex_at(self, galaxy: Seat, at: Place) -> Hex | None:
        """Return the explored hex at a place of a galaxy, or None."""
        for each in self.hexes.values():
            if each.galaxy == galaxy and each.at == at:
                return each
        return None

    def mothership(self, seat: Seat) -> Hex:
        """Return the hex of a player's mothership."""
        return self.hexes[int(seat)]

    def neighbours(self, number: int) -> list[Hex]:
        """Return the explored hexes next to one."""
        here = self.hexes[number]
        found = (self.hex_at(here.galaxy, next_to(here.at, d)) for d in range(1, 7))
        return [each for each in found if each is not None]

    def near(self, one: int, other: int) -> bool:
        """Return whether two hexes are the same, or next to each other."""
        a, b = self.hexes[one], self.hexes[other]
        return a.galaxy == b.galaxy and apart(a.at, b.at) <= 1

    def places_of(self, base: Base) -> frozenset[tuple[Seat, Place]]:
        """Return the places of a base: its planet, or the three around its corner."""
        here = self.hexes[base.hex]
        around = around_corner(here.at, base.corner) if base.orbital else frozenset({here.at})
        return frozenset((here.galaxy, at) for at in around)

    def zone_of(self, base: Base) -> frozenset[tuple[Seat, Place]]:
        """Return the places that enemies enter only with a battle (rule 12).

        These are the base's own places and the six nearest. For a corner, these are the three
        that meet there and the three between them.
        """
        own = self.places_of(base)
        around = [(seat, next_to(at, d)) for seat, at in own for d in range(1, 7)]
        return own | {each for each in around if around.count(each) >= min(len(own), 2)}

    def sees(self, seat: Seat | None, galaxy: Seat) -> bool:
        """Return whether a seat sees a galaxy: always, or in fog where it has a ship or base.

        The player's own mothership counts too, while it is not captured.
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

    def absent(self, name: str) -> str:
        """Return the words for a number that does not exist, or in fog is not seen."""
        return f"you see no {name}" if self.rules.fog else f"there is no {name}"

    def with_ship(self, ship: Ship) -> list[Ship]:
        """Return the mercenaries that go with a starship (rule 21).

        They are those sent with it, or all if no other starship stays.
        """
        here = [each for each in self.fleet(ship.owner) if each.hex == ship.hex]
        stays = any(each is not ship and not each.mercenary for each in here)
        sent = [each for each in here if self.escorts.get(each.number) == ship.number]
        return sent if stays else [each for each in here if each.mercenary]

    def hexes_of(self, base: Base) -> list[int]:
        """Return the explored hexes of a base, its own first."""
        around = [each.number for each in self.hexes.values()
                  if (each.galaxy, each.at) in self.places_of(base)]  # fmt: skip
        return sorted(around, key=lambda number: (number != base.hex, number))

    def friends(self, one: Seat, other: Seat) -> bool:
        """Return whether two players are allies, or the same player."""
        return one == other or other in self.players[one].allies

    def at_war(self, one: Seat, other: Seat) -> bool:
        """Return whether either is hostile to the other (G14)."""
        if self.friends(one, other):
            return False
        return other in self.players[one].hostile or one in self.players[other].hostile
