"""The state of a StarWeb game: the galaxy, its players, and what they were shown last."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from operator import attrgetter

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import ArtifactNumber, FleetNumber, WorldNumber

MOST = 255
"""No count but the mines of a world exceeds this (s31, settled case 2)."""
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
    """What the Black Box does in this game, drawn when it begins (s14)."""

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
    """The Black Box of a game: its one power, and how long it has been at work."""

    power: BoxPower = BoxPower.NOTHING
    turns: int = 0
    """For how many turns somebody has held it."""


@dataclass(slots=True)
class World:
    """A world, and below the blank line what last turn's report shows of it."""

    number: WorldNumber
    gates: tuple[WorldNumber, ...]
    """The worlds next door, ascending."""
    owner: Seat | None = None
    industry: int = 0
    metal: int = 0
    mines: int = 0
    population: int = 0
    """People, converts among them; on a world of robots, the robots."""
    robots: bool = False
    """Whether the population are robots."""
    converts: int = 0
    apostle: Seat | None = None
    """Whose the converts are."""
    limit: int = 0
    turns: int = 0
    """The turns number, 1 to 7; 0 on a world without mines (s23)."""
    iships: int = 0
    pships: int = 0
    black_hole: bool = False
    busted: bool = False
    plunders: int = 0
    recovery: int = 0
    """Turns until it recovers from the last plunder."""
    goods: int = 0
    """How often consumer goods were unloaded here."""
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
        """Return a copy that shares nothing that changes."""
        twin = World(*_WORLD_VALUES(self))
        twin.artifacts = list(self.artifacts)
        return twin


@dataclass(slots=True)
class Fleet:
    """A key with its ships, and below the blank line what last turn's report shows of it."""

    number: FleetNumber
    world: WorldNumber
    owner: Seat | None = None
    ships: int = 0
    cargo: int = 0
    at_peace: bool = False
    bomb: bool = False
    """Whether it carries a planet buster bomb (s21)."""
    artifacts: list[ArtifactNumber] = field(default_factory=list)

    bomb_built: bool = False
    captured: bool = False
    lost_by: Seat | None = None
    gift_from: Seat | None = None
    did: str = ""
    """``Moved``, ``AF37``, ``D``, ``R``, ``N``, ``Ambush`` or the like."""

    def copy(self) -> "Fleet":
        """Return a copy that shares nothing that changes."""
        twin = Fleet(*_FLEET_VALUES(self))
        twin.artifacts = list(self.artifacts)
        return twin


# A turn copies the whole galaxy; this is three times as fast as dataclasses.replace.
_WORLD_VALUES = attrgetter(*(each.name for each in fields(World)))
_FLEET_VALUES = attrgetter(*(each.name for each in fields(Fleet)))


@dataclass(frozen=True, slots=True)
class Departure:
    """A fleet left *world* for *to* last turn, as everybody there could see."""

    world: WorldNumber
    fleet: FleetNumber
    owner: Seat | None
    to: WorldNumber


@dataclass(frozen=True, slots=True)
class Echo:
    """One order of the last sheet as it is repeated in the report, with the referee's comment."""

    text: str
    comment: str = ""


@dataclass(slots=True)
class Player:
    """A player, what stays declared, and what his last report shows."""

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
    """Worlds that ever stood in a report of his: the gates he saw there last, each with the turn
    since which he knows it."""

    worlds: set[WorldNumber] = field(default_factory=set)
    """Worlds that stand in his last report."""
    seen: tuple[Seat, ...] = ()
    """The players he sees this turn, in the random order of the report."""
    signs: tuple[Seat, ...] = ()
    """Whose signs are shown to him this turn."""
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
    """The game's name, for the head of a report."""
    fairness: str = ""
    """How even the start was, for the GM's report."""
    box: BlackBox = field(default_factory=BlackBox)
    ending: int = 8000
    """The score that ends the game when nobody voted (s30)."""
    finished: bool = False

    def copy(self) -> "State":
        """Return a copy that shares nothing that changes."""
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
    """Note the gates of *worlds*, which stand in the player's report of that turn."""
    for world in worlds:
        known = player.charted.get(world.number, {})
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
