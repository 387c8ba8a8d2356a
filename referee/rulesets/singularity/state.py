"""The state of a war: planets, ships, players and factions."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.board import Board, Column, Space
from referee.rulesets.singularity.orders import ShipNumber
from referee.rulesets.singularity.units import (
    DRIVE,
    MULTIFIRE,
    SENSOR,
    SYSTEM,
    WEAPON,
    ShipType,
    Units,
)

START_POINTS: Final = 5


class Mode(Enum):
    """The way in which players send the orders of a turn."""

    SINGLE = "single"
    TWO = "two"
    FULL = "full"


class Edge(Enum):
    """The effect of a way that leads off the board (T3)."""

    STOP = "stop"
    """The way ends there."""
    SKIP = "skip"
    """The way goes on with the next segment."""


class Leaving(Enum):
    """The fate of ships and planets of a player who resigns (T18)."""

    NEUTRAL = "neutral"
    """The ships are removed, and the planets become free."""
    STAY = "stay"
    """They stay and defend themselves."""


class Section(Enum):
    """The section whose orders are collected now."""

    TURN = "turn"
    """All orders at once (``mode=single``)."""
    PLAN = "plan"
    """Sections A and B (``mode=two``)."""
    SETTLE = "settle"
    """Sections C and D (``mode=two``)."""
    ECONOMIC = "economic"
    MOVEMENT = "movement"
    COMBAT = "combat"
    """One round of combat (``mode=full``)."""
    ECOPOLITICAL = "ecopolitical"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that the GM chose."""

    mode: Mode
    types: dict[str, ShipType]
    wheel: str = "ROYGBV"
    board: Board = field(default_factory=Board)
    slip_consumes_drive: bool = False
    sensor_base: int = 1
    ownership_public: bool = True
    scrap_refund: int = 0
    weakest_first: bool = False
    turn_limit: int = 40
    edge: Edge = Edge.STOP
    factions: bool = True
    """Whether players can declare factions, if there are enough players (rule 2, T19)."""
    resign: Leaving = Leaving.NEUTRAL

    @property
    def to_win(self) -> int:
        """Return the number of planets that win: two thirds of the board, 25 of 37."""
        return -(-2 * len(self.board.columns) // 3)

    @property
    def dominant(self) -> int:
        """Return the planets that the head of an empire needs: a third, 13 of 37 (rule 3)."""
        return -(-len(self.board.columns) // 3)


@dataclass(slots=True)
class Planet:
    """The planet of a column."""

    column: Column
    level: int
    colour: str
    owner: Seat | None = None

    @property
    def at(self) -> Space:
        """Return the space of the planet or ship."""
        return Space(self.column, self.level)


@dataclass(slots=True)
class Ship:
    """A ship. *units* has only working units."""

    number: ShipNumber
    """Ends with the seat of the owner, so that it does not reveal how many ships others built."""
    owner: Seat
    kind: str
    column: Column
    level: int
    units: Units
    moving: bool = False
    """Whether the ship moved this turn, even if only in place (rule 12)."""

    @property
    def at(self) -> Space:
        """Return the space of the planet or ship."""
        return Space(self.column, self.level)

    @property
    def dark(self) -> bool:
        """Return whether the ship is dark: nobody else can see it (rule 19)."""
        return not self.units[SYSTEM]

    @property
    def weapons(self) -> int:
        """Return the number of working weapon units."""
        return self.units.get(WEAPON, 0)

    @property
    def shots(self) -> int:
        """Return the number of shots in a round (rules 17, 19)."""
        if not self.weapons:
            return 0
        return self.weapons if self.units.get(MULTIFIRE) else 1

    @property
    def drive(self) -> int:
        """Return the number of working drive units."""
        return self.units.get(DRIVE, 0)

    @property
    def lost(self) -> bool:
        """Return whether the ship is destroyed: it has no weapon and no drive left (rule 19)."""
        return not self.weapons and not self.drive

    def copy(self) -> "Ship":
        """Return a copy that shares no mutable parts."""
        return replace(self, units=dict(self.units))

    @property
    def sensor(self) -> int:
        """Return how many spaces farther the ship sees with its sensor unit."""
        return 1 if self.units.get(SENSOR) else 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A jump that a player knows."""

    start: Space
    end: Space


@dataclass(slots=True)
class Player:
    """A player, with their settings."""

    seat: Seat
    name: str
    colour: str
    points: int = START_POINTS
    votes: set[Seat] = field(default_factory=set)
    """The players wanted as allies."""
    allies: set[Seat] = field(default_factory=set)
    """The allies of this turn (rule 24)."""
    wishes: dict[Column, str] = field(default_factory=dict)
    """The chosen colours of planets, for when there is a choice."""
    built: int = 0
    """The number of ships ever built, so that no ship number is used twice."""
    successive: int = 0
    """The number of turns in a row that began with enough planets to win."""
    charts: list[Chart] = field(default_factory=list)
    resigned: bool = False
    lost: bool = False
    """Whether the player has no planet and no ship left (T18)."""

    def copy(self) -> "Player":
        """Return a copy that shares no mutable parts."""
        return replace(
            self,
            votes=set(self.votes),
            allies=set(self.allies),
            wishes=dict(self.wishes),
            charts=list(self.charts),
        )


@dataclass(frozen=True, slots=True)
class Faction:
    """A declared faction. The first member of an empire is its head (rule 3)."""

    members: tuple[Seat, ...]
    empire: bool
    since: int
    """The faction was formed at the beginning of this turn."""


@dataclass(slots=True)
class State:
    """A war before the orders of *section* in *turn*."""

    turn: int
    section: Section
    rules: Rules
    planets: dict[Column, Planet]
    ships: dict[ShipNumber, Ship]
    players: dict[Seat, Player]
    jumps: list[Chart]
    factions: list[Faction] = field(default_factory=list)
    round: int = 0
    """The rounds of combat fought this turn (``mode=full``)."""
    game: str = "ST"
    winners: tuple[Seat, ...] = ()
    ending: str = ""

    def copy(self) -> "State":
        """Return a copy that shares no mutable parts."""
        return replace(
            self,
            planets={column: replace(planet) for column, planet in self.planets.items()},
            ships={number: ship.copy() for number, ship in self.ships.items()},
            players={seat: player.copy() for seat, player in self.players.items()},
            jumps=list(self.jumps),
            factions=list(self.factions),
        )

    def next_number(self, seat: Seat, ordered: int = 0) -> ShipNumber:
        """Return the number of a player's next ship, after those that are *ordered* by now.

        It ends in the player's number.
        """
        return 10 * (self.players[seat].built + ordered + 1) + seat

    def fleet(self, seat: Seat) -> list[Ship]:
        """Return a player's ships."""
        return [ship for ship in self.ships.values() if ship.owner == seat]

    def ships_at(self, at: Space) -> list[Ship]:
        """Return the ships in a space, dark ones among them."""
        return [ship for ship in self.ships.values() if ship.at == at]

    def planets_of(self, seat: Seat) -> list[Planet]:
        """Return a player's planets."""
        return [planet for planet in self.planets.values() if planet.owner == seat]

    def chart_from(self, at: Space) -> Chart | None:
        """Return the jump from a space. In the known state of a player it can be None."""
        return next((chart for chart in self.jumps if chart.start == at), None)

    def allied(self, one: Seat, other: Seat) -> bool:
        """Return whether two players are allies this turn, or the same player."""
        return one == other or other in self.players[one].allies

    @property
    def left_behind(self) -> str:
        """The fate of the ships and planets of a player who leaves (T18)."""
        if self.rules.resign is Leaving.STAY:
            return "your ships and planets stay and defend themselves"
        return "your ships are removed, and your planets become free"

    def active(self) -> list[Seat]:
        """Return the players still in the war: not resigned, with a planet or a ship."""
        owners = {planet.owner for planet in self.planets.values()}
        owners |= {ship.owner for ship in self.ships.values()}
        return [s for s, player in self.players.items() if not player.resigned and s in owners]

    def sees(self, seat: Seat, at: Space) -> bool:
        """Return whether a player or one of their allies sees a space (T7)."""
        friends = {seat, *self.players[seat].allies}
        base, apart = self.rules.sensor_base, self.rules.board.distance
        if any(p.owner in friends and apart(p.at, at) <= base for p in self.planets.values()):
            return True
        return any(
            ship.owner in friends and not ship.dark and apart(ship.at, at) <= base + ship.sensor
            for ship in self.ships.values()
        )

    def kind(self, ship: Ship) -> ShipType:
        """Return the type of a ship."""
        return self.rules.types[ship.kind]
