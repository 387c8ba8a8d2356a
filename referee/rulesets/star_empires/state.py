"""The state of a Star Empires game: the galaxy, its ships, and the empires' knowledge."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.hulls import Hull, ShipClass, Table, operational
from referee.rulesets.star_empires.sectors import Frame, Sector


class Prohibition(Enum):
    """The effect of foreign guns on a world (RULES 6.4.9, 6.4.10)."""

    NONE = "none"
    BLOCKADED = "blockaded"
    INTERDICTED = "interdicted"


class Sighting(Enum):
    """How well an empire knows a sector now (RULES 3.0)."""

    STALE = "stale"
    SCANNED = "scanned"
    VISIBLE = "visible"


_BEST_FIRST = tuple(reversed(Sighting))


@dataclass(slots=True)
class World:
    """A world; *owner* is None while it is free."""

    name: str
    at: Sector
    production: int
    stockpile: int = 0
    owner: Seat | None = None
    homeworld: bool = False
    """Whether the world is its owner's homeworld."""
    prohibition: Prohibition = Prohibition.NONE

    @property
    def blockaded(self) -> bool:
        """Return whether no RU can leave the world; an interdicted world is blockaded too."""
        return self.prohibition is not Prohibition.NONE

    @property
    def interdicted(self) -> bool:
        """Return whether the world cannot design, build or repair."""
        return self.prohibition is Prohibition.INTERDICTED


@dataclass(slots=True)
class Portal:
    """A portal of a wormnet; *exits* are the portals it leads to."""

    name: str
    at: Sector
    exits: set[str] = field(default_factory=set)
    collapsed: bool = False

    def copy(self) -> "Portal":
        """Return a copy that shares nothing that changes."""
        return replace(self, exits=set(self.exits))


@dataclass(slots=True)
class Storm:
    """An ion storm, or with an intensity of 0 a nebula.

    Each turn it differs from *initial* by the next entry of its *fluctuations*, in a cycle, or it
    changes at random up to *initial*.
    """

    name: str
    at: Sector
    intensity: int
    fluctuations: tuple[int, ...] = ()
    random: bool = False
    initial: int = 0


@dataclass(slots=True)
class Ship:
    """A ship; the fields after the blank line describe its last turn."""

    number: int
    """Its id inside the state, which no player ever sees."""
    owner: Seat
    serial: str
    name: str
    """Empty if the ship is known by its serial number."""
    kind: str
    """The key of its class; each empire has its own names of classes."""
    at: Sector
    dp: int
    carrier: int | None = None
    """The number of the ship that carries it."""
    public: bool = False
    identified: set[Seat] = field(default_factory=set)
    """The empires that can read its private transponder."""

    did: list[str] = field(default_factory=list)
    """Its visible actions last turn, one word each: ``fired``, ``moved``."""

    def copy(self) -> "Ship":
        """Return a copy that shares nothing that changes."""
        return Ship(
            self.number,
            self.owner,
            self.serial,
            self.name,
            self.kind,
            self.at,
            self.dp,
            self.carrier,
            self.public,
            set(self.identified),
            list(self.did),
        )

    @property
    def callsign(self) -> str:
        """Return its name, or its serial number if it has none."""
        return self.name or self.serial

    @property
    def loaded(self) -> bool:
        """Return whether another ship carries it."""
        return self.carrier is not None


@dataclass(slots=True)
class Share:
    """The part of an empire's scans that another empire can see (RULES 6.8.2)."""

    everything: bool = False
    sectors: set[Sector] = field(default_factory=set)
    ships: set[int] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)

    def copy(self) -> "Share":
        """Return a copy that shares nothing that changes."""
        return Share(self.everything, set(self.sectors), set(self.ships), set(self.classes))


# Not frozen, because a turn makes thousands of these and a frozen one takes twice as long.
@dataclass(slots=True)
class Seen:
    """A sector on an empire's map: how well its own ships and other empires see it.

    A nebula or storm seen from outside is stale, even if it is in scan range.
    """

    at: Sector
    own: Sighting = Sighting.STALE
    shown: dict[Seat, Sighting] = field(default_factory=dict)
    """How well each empire that shares it now sees it."""
    ours: bool = False
    """Whether the empire itself ever scanned it; only such sectors are shared with others."""
    turn: int = 0
    """The turn in which the empire itself last saw into it; 0 for never."""
    heard: int = 0
    """The last turn in which an empire that shares it saw into it; 0 for never."""

    @property
    def last_seen(self) -> int:
        """Return the last turn of which the empire knows what was there; 0 for never."""
        return max(self.turn, self.heard)

    @property
    def status(self) -> Sighting:
        """Return how well the sector is seen, by the empire or by those who share it."""
        views = (self.own, *self.shown.values())
        return next(how for how in _BEST_FIRST if how in views)


@dataclass(frozen=True, slots=True)
class KnownWorld:
    """A world as an empire knew it in *turn*; None for unknown values."""

    name: str
    at: Sector
    production: int
    owner: Seat | None
    stockpile: int | None
    homeworld: bool
    turn: int
    heard: bool = False
    """Whether the knowledge came from another empire, so it is not passed on (R6.8.4)."""


@dataclass(frozen=True, slots=True)
class KnownPortal:
    """A portal as an empire knew it in *turn*."""

    name: str
    at: Sector
    collapsed: bool
    turn: int
    heard: bool = False


@dataclass(frozen=True, slots=True)
class KnownStorm:
    """A storm or nebula as an empire knew it in *turn*."""

    name: str
    at: Sector
    intensity: int
    turn: int
    heard: bool = False


Known = KnownWorld | KnownPortal | KnownStorm


@dataclass(frozen=True, slots=True)
class Account:
    """The RU account of a world in the last turn."""

    world: str
    before: int
    spent: int
    """RU spent on designs, ships and repairs."""
    made: int
    moved: int
    """RU received from other worlds, less RU sent to them."""
    after: int


@dataclass(slots=True)
class Empire:
    """An empire, its knowledge, and the scans it shares."""

    seat: Seat
    name: str
    code: str
    """The two letters with which the serial numbers of its ships begin."""
    frame: Frame = field(default_factory=Frame)
    homeworld: str | None = None
    """None for a homeless empire (RULES 7)."""
    home: Sector = (0, 0)
    """The sector of the empire's last homeworld."""
    dedication: int = 0
    attackers: set[Seat] = field(default_factory=set)
    """The empires that fired at its ships last turn."""
    allies: set[Seat] = field(default_factory=set)
    """The empires declared allies; an alliance counts only if all members declare it."""

    classes: set[str] = field(default_factory=set)
    """The classes whose designs the empire has, by their keys."""
    class_names: dict[str, str] = field(default_factory=dict)
    """The empire's names of other classes than those of the start, by their keys."""
    contacts: set[Seat] = field(default_factory=set)
    named: list[Seat] = field(default_factory=list)
    """The empires whose names the empire has seen, in the order in which it saw them first."""
    navigation: set[str] = field(default_factory=set)
    """The portals for which the empire has navigation data."""
    shares: dict[Seat, Share] = field(default_factory=dict)
    chart: list[Seen] = field(default_factory=list)
    worlds: dict[str, KnownWorld] = field(default_factory=dict)
    portals: dict[str, KnownPortal] = field(default_factory=dict)
    storms: dict[str, KnownStorm] = field(default_factory=dict)
    ledger: list[Account] = field(default_factory=list)

    @property
    def homeless(self) -> bool:
        """Return whether the empire has no homeworld (RULES 7)."""
        return self.homeworld is None

    def objects(self) -> tuple[Known, ...]:
        """Return the worlds, portals and storms that the empire knows."""
        return *self.worlds.values(), *self.portals.values(), *self.storms.values()

    def copy(self) -> "Empire":
        """Return a copy that shares nothing that changes."""
        return replace(
            self,
            attackers=set(self.attackers),
            allies=set(self.allies),
            classes=set(self.classes),
            class_names=dict(self.class_names),
            contacts=set(self.contacts),
            named=list(self.named),
            navigation=set(self.navigation),
            shares={seat: share.copy() for seat, share in self.shares.items()},
            chart=list(self.chart),
            worlds=dict(self.worlds),
            portals=dict(self.portals),
            storms=dict(self.storms),
            ledger=list(self.ledger),
        )


@dataclass(slots=True)
class State:
    """The whole state of a game before the orders of *turn*."""

    turn: int
    table: Table
    worlds: dict[str, World]
    portals: dict[str, Portal]
    storms: dict[str, Storm]
    ships: dict[int, Ship]
    classes: dict[str, ShipClass]
    empires: dict[Seat, Empire]
    devices: bool = False
    alliance_size: int = 1
    abandoned: int = 3
    """The turns in a row that a player misses before the empire is abandoned (R8); 0 is never."""
    radius: int = 0
    game: str = "SE"
    commissioned: int = 0
    """The number of ships ever built, so that no id is used twice."""

    @property
    def players(self) -> Mapping[Seat, Empire]:
        """Return the empires by seat, under the name that all games use."""
        return self.empires

    def copy(self) -> "State":
        """Return a copy that shares nothing that changes, sorted like a stored state."""
        return replace(
            self,
            worlds={name: replace(world) for name, world in sorted(self.worlds.items())},
            portals={name: portal.copy() for name, portal in sorted(self.portals.items())},
            storms={name: replace(storm) for name, storm in sorted(self.storms.items())},
            ships={number: ship.copy() for number, ship in self.ships.items()},
            classes=dict(self.classes),
            empires={seat: empire.copy() for seat, empire in sorted(self.empires.items())},
        )

    def kind(self, ship: Ship) -> ShipClass:
        """Return the class of a ship."""
        return self.classes[ship.kind]

    def operational(self, ship: Ship, rating: int) -> int:
        """Return one of the ship's ratings, reduced by its damage (RULES 4.1)."""
        return operational(rating, ship.dp, self.kind(ship).ratings.dp)

    def guns(self, ship: Ship) -> int:
        """Return its operational guns."""
        return self.operational(ship, self.kind(ship).ratings.guns)

    def engines(self, ship: Ship) -> int:
        """Return its operational engines."""
        return self.operational(ship, self.kind(ship).ratings.engines)

    def self_repair(self, ship: Ship) -> int:
        """Return the DP that it repairs itself in a turn (RULES 6.3.5)."""
        kind = self.kind(ship)
        return min(kind.repair, kind.ratings.dp - ship.dp)

    def engines_to_move(self, ship: Ship) -> int:
        """Return the engines with which a ship moves after its own repair (RULES 6.4.2)."""
        kind = self.kind(ship)
        dp = ship.dp + self.self_repair(ship)
        return operational(kind.ratings.engines, dp, kind.ratings.dp)

    def scan(self, ship: Ship) -> int:
        """Return the operational scan of a ship."""
        return self.operational(ship, self.kind(ship).ratings.scan)

    def conquers(self, ship: Ship) -> bool:
        """Return whether a ship can take and hold a world (RULES 4.0, 6.3.3)."""
        hull = self.kind(ship).hull
        one_shot = hull in (Hull.MISSILE, Hull.DEVICE)
        return ship.dp > 0 and not one_shot and not ship.loaded and self.guns(ship) >= 1

    def cargo(self, carrier: Ship) -> list[Ship]:
        """Return the ships on a carrier, ordered by their numbers."""
        return [ship for ship in self.ships.values() if ship.carrier == carrier.number]

    def free_racks(self, carrier: Ship) -> int:
        """Return the tonnage that a carrier can still load."""
        taken = sum(self.kind(ship).tonnage for ship in self.cargo(carrier))
        return self.kind(carrier).ratings.racks - taken

    def fleet(self, seat: Seat) -> list[Ship]:
        """Return the ships of an empire."""
        return [ship for ship in self.ships.values() if ship.owner == seat]

    def worlds_of(self, seat: Seat) -> list[World]:
        """Return the worlds an empire owns."""
        return [world for world in self.worlds.values() if world.owner == seat]

    def storms_at(self, sector: Sector) -> list[Storm]:
        """Return the storms and nebulae of a sector."""
        return [storm for storm in self.storms.values() if storm.at == sector]
