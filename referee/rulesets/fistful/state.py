"""The state of a game of A Fistful of Planets: stars, fleets and players."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from referee.rules.hexes import Hex, distance
from referee.rules.ruleset import Seat
from referee.rulesets.fistful.orders import Letter, Ships, StarNumber

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The letters of a player's fleets, at most 26 (rule 7)."""
REACH: Final = 5
"""The greatest distance of a fleet from its colonies, and the range of recon (rules 13, 16)."""
LINE: Final = 3
"""The length up to which a transport line joins two stars (F17)."""


class Stage(Enum):
    """The stage of the game, which decides what orders are awaited."""

    HOMES = "homes"
    ORDERS = "orders"
    OVER = "over"


class HomePick(Enum):
    """The way homeworlds are chosen: one after the other, or both at once (F15)."""

    OPEN = "open"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Rules:
    """The GM's options."""

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
        """Return the cost of the cheapest ship."""
        return min(2, self.dreadnought_cost)

    def range_of(self, ships: Ships) -> int:
        """Return the range of a fleet: that of its slowest ship (rule 12)."""
        ranges = (3, 5, 4, self.dreadnought_range)
        return min(a for a, b in zip(ranges, ships.counts(), strict=True) if b)


FORTIFYING: Final = 3
"""The cost of each half of a fortification (rule 8)."""


@dataclass(slots=True)
class Star:
    """A star, with a colony unless *owner* is None."""

    number: StarNumber
    row: int
    column: int
    capacity: int
    owner: Seat | None = None
    size: int = 0
    fortified: bool = False
    half_fortified: bool = False
    """Whether the first half was paid last turn (rule 10)."""
    besieged: bool = False
    colonized: bool = False
    """Whether the colony was founded this turn, so that it produces nothing yet (rule 8)."""

    @property
    def at(self) -> Hex:
        """Return the hex of the star."""
        return Hex(self.row, self.column)


@dataclass(slots=True)
class Fleet:
    """A fleet at a star."""

    letter: Letter
    owner: Seat
    star: StarNumber
    ships: Ships


@dataclass(slots=True)
class Player:
    """A player, with what their scouts saw last turn."""

    seat: Seat
    name: str
    home: StarNumber | None = None
    conceded: bool = False
    seen: dict[StarNumber, Ships] = field(default_factory=dict)
    """The enemy ships at each star that scouts looked at last turn (rule 16)."""


@dataclass(slots=True)
class State:
    """The whole state of a game before the orders of *turn*."""

    turn: int
    stage: Stage
    rules: Rules
    stars: dict[StarNumber, Star]
    fleets: list[Fleet]
    players: dict[Seat, Player]
    chooser: Seat
    """The seat that chooses a homeworld now, or chose first."""
    game: str = "FP"
    opening: int = 0
    """The number of turns spent on choosing homeworlds; the turn limit does not count them."""
    winners: tuple[Seat, ...] = ()
    """The winners of a finished game; both for a draw."""
    ending: str = ""
    """The reason for the end, as a sentence."""

    @property
    def last_turn(self) -> int:
        """Return the turn after which the larger colonies win (F20)."""
        return self.opening + self.rules.turn_limit

    def copy(self) -> "State":
        """Return a copy that shares nothing that changes."""
        return replace(
            self,
            stars={number: replace(star) for number, star in self.stars.items()},
            fleets=[replace(fleet) for fleet in self.fleets],
            players={s: replace(p, seen=dict(p.seen)) for s, p in self.players.items()},
        )

    def fleet(self, seat: Seat, letter: Letter) -> Fleet | None:
        """Return a player's fleet of that letter, or None."""
        return next((f for f in self.fleets if f.owner == seat and f.letter == letter), None)

    def fleets_at(self, star: StarNumber, seat: Seat | None = None) -> list[Fleet]:
        """Return the fleets at a star, optionally only those of one player."""
        return [f for f in self.fleets if f.star == star and seat in (None, f.owner)]

    def fleets_of(self, seat: Seat) -> list[Fleet]:
        """Return a player's fleets, ordered by their letters."""
        return sorted((f for f in self.fleets if f.owner == seat), key=lambda f: f.letter)

    def colonies_of(self, seat: Seat) -> list[Star]:
        """Return a player's colonies, ordered by their numbers."""
        return [star for star in self.stars.values() if star.owner == seat]

    def other(self, seat: Seat) -> Seat:
        """Return the enemy of a player."""
        return next(each for each in self.players if each != seat)

    def apart(self, one: StarNumber, other: StarNumber) -> int:
        """Return the distance between two stars in hexes."""
        return distance(self.stars[one].at, self.stars[other].at)

    def supplied(self, seat: Seat, star: StarNumber) -> bool:
        """Return whether a star is within REACH of a colony of the player (rule 13, F18)."""
        return any(self.apart(star, own.number) <= REACH for own in self.colonies_of(seat))
