"""The state of a StarWeb game: the galaxy, its players, and what their reports showed."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from operator import attrgetter

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import ArtifactNumber, FleetNumber, WorldNumber

MOST = 255
"""The most of anything on a world or key, except mines (s31, settled case 2)."""
MOST_MINES = 31


class Character(Enum):
    """The six character types (s4)."""

    EMPIRE_BUILDER = "Empire Builder"
    MERCHANT = "Merchant"
    PIRATE = "Pirate"
    COLLECTOR = "Artifact Collector"
    BERSERKER = "Berserker"
    APOSTLE = "Apostle"


class BoxPower(Enum):
    """The power of the Black Box, drawn when the game begins (s14)."""

    NOTHING = "nothing"
    METAL = "metal"
    MINES = "mines"
    GATES = "gates"
    FLIGHT = "flight"
    PROBE = "probe"
    UNMASKING = "unmasking"
    INDUSTRY = "industry"


@dataclass(slots=True)
class BlackBox:
    """The Black Box of a game: its power, and how long it has been held."""

    power: BoxPower = BoxPower.NOTHING
    turns: int = 0
    """The number of turns in which somebody held it."""


@dataclass(slots=True)
class World:
    """A world. The fields after the blank line are for the report of the last turn."""

    number: WorldNumber
    gates: tuple[WorldNumber, ...]
    """The worlds next door, ascending."""
    owner: Seat | None = None
    industry: int = 0
    metal: int = 0
    mines: int = 0
    population: int = 0
    """The people, including converts; on a world of robots, the robots."""
    robots: bool = False
    """Whether the population is robots."""
    converts: int = 0
    apostle: Seat | None = None
    """The owner of the converts."""
    limit: int = 0
    turns: int = 0
    """The turns number, 1 to 7; 0 on a world without mines (s23)."""
    iships: int = 0
    pships: int = 0
    black_hole: bool = False
    busted: bool = False
    plunders: int = 0
    recovery: int = 0
    """The turns until it has recovered from the last plunder."""
    goods: int = 0
    """The number of turns in which consumer goods were unloaded here."""
    artifacts: list[ArtifactNumber] = field(default_factory=list)

    usable: int = 0
    """The industry that can build next turn."""
    captured: bool = False
    lost_by: Seat | None = None
    gift_from: Seat | None = None
    deaths: int = 0
    convert_deaths: int = 0
    iships_did: str = ""
    """``Ambush``, ``AF137`` or the like."""
    pships_did: str = ""

    def copy(self) -> "World":
        """Return a copy that shares no mutable values."""
        twin = World(*_WORLD_VALUES(self))
        twin.artifacts = list(self.artifacts)
        return twin


@dataclass(slots=True)
class Fleet:
    """A key with its ships. The fields after the blank line are for the last turn's report."""

    number: FleetNumber
    world: WorldNumber
    owner: Seat | None = None
    ships: int = 0
    cargo: int = 0
    at_peace: bool = False
    bomb: bool = False
    """Whether the fleet carries a planet buster bomb (s21)."""
    artifacts: list[ArtifactNumber] = field(default_factory=list)

    bomb_built: bool = False
    captured: bool = False
    lost_by: Seat | None = None
    gift_from: Seat | None = None
    did: str = ""
    """``Moved``, ``AF37``, ``D``, ``R``, ``N``, ``Ambush`` or the like."""

    def copy(self) -> "Fleet":
        """Return a copy that shares no mutable values."""
        twin = Fleet(*_FLEET_VALUES(self))
        twin.artifacts = list(self.artifacts)
        return twin


# A turn copies the whole galaxy, and this is three times as fast as dataclasses.replace.
_WORLD_VALUES = attrgetter(*(each.name for each in fields(World)))
_FLEET_VALUES = attrgetter(*(each.name for each in fields(Fleet)))


@dataclass(frozen=True, slots=True)
class Departure:
    """The departure of a fleet from *world* to *to* last turn, seen by all players there."""

    world: WorldNumber
    fleet: FleetNumber
    owner: Seat | None
    to: WorldNumber


# Not frozen, because a turn makes thousands of these and a frozen one takes three times as long.
@dataclass(slots=True)
class Echo:
    """One order of the last sheet as the report repeats it, with the referee's comment."""

    text: str
    comment: str = ""


@dataclass(slots=True)
class Player:
    """A player, their declarations, and what their last report showed."""

    seat: Seat
    name: str
    character: Character
    home: WorldNumber
    score: int = 0
    met: list[Seat] = field(default_factory=list)
    """In the order they were met."""
    allies: set[Seat] = field(default_factory=set)
    loaders: set[Seat] = field(default_factory=set)
    jihad: Seat | None = None
    sign: tuple[str, ...] = ()
    ending: int | None = None
    """The vote for the ending score (s30)."""
    charted: dict[WorldNumber, dict[WorldNumber, int]] = field(default_factory=dict)
    """The worlds that were ever in a report: their latest known gates, each with the turn in which
    it was first known."""

    worlds: set[WorldNumber] = field(default_factory=set)
    """The worlds in the last report."""
    seen: tuple[Seat, ...] = ()
    """The players seen this turn, in the random order of the report."""
    signs: tuple[Seat, ...] = ()
    """The players whose signs the report shows."""
    echo: tuple[Echo, ...] = ()


@dataclass(slots=True)
class State:
    """A whole game of StarWeb before the orders of *turn*."""

    turn: int
    worlds: dict[WorldNumber, World]
    fleets: dict[FleetNumber, Fleet]
    players: dict[Seat, Player]
    departures: list[Departure] = field(default_factory=list)
    game: str = "SW"
    """The name of the game, for the head of a report."""
    fairness: str = ""
    """A sentence about how even the start was, for the GM's report."""
    box: BlackBox = field(default_factory=BlackBox)
    ending: int = 8000
    """The score that ends the game if nobody voted (s30)."""
    finished: bool = False

    def copy(self) -> "State":
        """Return a copy that shares no mutable values."""
        return State(
            turn=self.turn,
            worlds={number: world.copy() for number, world in self.worlds.items()},
            fleets={number: fleet.copy() for number, fleet in self.fleets.items()},
            players={seat: _copy(player) for seat, player in self.players.items()},
            departures=list(self.departures),
            game=self.game,
            fairness=self.fairness,
            box=replace(self.box),
            ending=self.ending,
            finished=self.finished,
        )


def chart(player: Player, worlds: Iterable[World], turn: int) -> None:
    """Record the gates of *worlds*, which are in the player's report of that turn."""
    for world in worlds:
        known = player.charted.get(world.number, {})
        if tuple(known) != world.gates:
            player.charted[world.number] = {gate: known.get(gate, turn) for gate in world.gates}


def _copy(player: Player) -> Player:
    twin = Player(*_PLAYER_VALUES(player))
    twin.met = list(player.met)
    twin.allies = set(player.allies)
    twin.loaders = set(player.loaders)
    twin.charted = dict(player.charted)
    twin.worlds = set(player.worlds)
    return twin


_PLAYER_VALUES = attrgetter(*(each.name for each in fields(Player)))
