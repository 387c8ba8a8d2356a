"""The state of a game of A Fistful of Planets: the stars, the fleets, and what was reported."""

from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from referee.rules.hexes import Hex, distance
from referee.rules.ruleset import Seat
from referee.rulesets.fistful.orders import Letter, Ships, StarNumber

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Every player has at most 26 fleets (rule 7)."""
REACH: Final = 5
"""How far from friendly colonies a fleet may go, and how far a scout sees (rules 13, 16)."""
LINE: Final = 3
"""Two stars so near to each other are joined by a transport line (F17)."""


class Stage(Enum):
    """What the players are asked for now."""

    HOMES = "homes"
    ORDERS = "orders"
    OVER = "over"


class HomePick(Enum):
    """How homeworlds are chosen: one after the other, or both at once (F15)."""

    OPEN = "open"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers the GM chose, for what the rules leave open."""

    fog: bool = True
    dreadnought_cost: int = 4
    dreadnought_range: int = 4
    grow_at_1: bool = True
    besieged_produces: bool = True
    capture_size_loss: int = 0
    transports_capture: bool = False
    home_pick: HomePick = HomePick.OPEN
    turn_limit: int = 40
    colours: tuple[str, ...] = ("red", "orange", "yellow", "white", "blue")

    def cost(self, ships: Ships) -> int:
        """Return the production points that ships cost (rule 8)."""
        prices = (2, 2, 3, self.dreadnought_cost)
        return sum(a * b for a, b in zip(prices, ships.counts(), strict=True))

    @property
    def cheapest(self) -> int:
        """Return what the cheapest ship costs."""
        return min(2, self.dreadnought_cost)

    def range_of(self, ships: Ships) -> int:
        """Return the range of a fleet: that of its slowest ship (rule 12)."""
        ranges = (3, 5, 4, self.dreadnought_range)
        return min(a for a, b in zip(ranges, ships.counts(), strict=True) if b)


FORTIFYING: Final = 3
"""What each of the two turns of fortifying costs (rule 8)."""


@dataclass(slots=True)
class Star:
    """A star, and the colony on it if *owner* is somebody."""

    number: StarNumber
    row: int
    column: int
    capacity: int
    owner: Seat | None = None
    size: int = 0
    fortified: bool = False
    half_fortified: bool = False
    """The first of the two turns was paid last turn (rule 10)."""
    besieged: bool = False
    colonized: bool = False
    """The colony was founded this turn and produces nothing yet (rule 8)."""

    @property
    def at(self) -> Hex:
        """Return the hex it stands on."""
        return Hex(self.row, self.column)


@dataclass(slots=True)
class Fleet:
    """A fleet at a star."""

    letter: Letter
    owner: Seat
    star: StarNumber
    ships: Ships


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the report under its heading."""

    heading: str
    text: str


@dataclass(slots=True)
class Player:
    """A player, and what his last report shows."""

    seat: Seat
    name: str
    home: StarNumber | None = None
    conceded: bool = False
    notes: list[Note] = field(default_factory=list)


@dataclass(slots=True)
class State:
    """A whole game before the orders of *turn*."""

    turn: int
    stage: Stage
    rules: Rules
    stars: dict[StarNumber, Star]
    fleets: list[Fleet]
    players: dict[Seat, Player]
    chooser: Seat
    """Who chooses his homeworld now, or chose first."""
    game: str = "FP"
    opening: int = 0
    """How many turns it took to choose homeworlds; the limit does not count them."""
    winners: tuple[Seat, ...] = ()
    """Who has won once it is over; both for a draw."""
    ending: str = ""
    """Why it is over, in a sentence."""

    @property
    def last_turn(self) -> int:
        """Return the turn after which the larger colonies win (F20)."""
        return self.opening + self.rules.turn_limit

    def copy(self) -> "State":
        """Return a copy that shares nothing that changes."""
        return deepcopy(self)

    def fleet(self, seat: Seat, letter: Letter) -> Fleet | None:
        """Return a player's fleet of that letter; None while the letter is vacant."""
        return next((f for f in self.fleets if f.owner == seat and f.letter == letter), None)

    def fleets_at(self, star: StarNumber, seat: Seat | None = None) -> list[Fleet]:
        """Return the fleets at a star, or those of one player there."""
        return [f for f in self.fleets if f.star == star and seat in (None, f.owner)]

    def fleets_of(self, seat: Seat) -> list[Fleet]:
        """Return a player's fleets by their letters."""
        return sorted((f for f in self.fleets if f.owner == seat), key=lambda f: f.letter)

    def colonies_of(self, seat: Seat) -> list[Star]:
        """Return a player's colonies by their numbers."""
        return [star for star in self.stars.values() if star.owner == seat]

    def other(self, seat: Seat) -> Seat:
        """Return the enemy of a player."""
        return next(each for each in self.players if each != seat)

    def apart(self, one: StarNumber, other: StarNumber) -> int:
        """Return the hexes between two stars."""
        return distance(self.stars[one].at, self.stars[other].at)

    def supplied(self, seat: Seat, star: StarNumber) -> bool:
        """Return whether a star is near enough to a colony of the player (rule 13, F18)."""
        return any(self.apart(star, own.number) <= REACH for own in self.colonies_of(seat))
