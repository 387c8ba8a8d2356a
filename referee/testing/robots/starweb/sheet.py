"""An order sheet while a robot writes it, with the ships and supplies that are left."""

from dataclasses import dataclass, field
from typing import Final

from referee.testing.robots.starweb.atlas import LONGEST_MOVE, Atlas
from referee.testing.robots.starweb.reading import SeenFleet, SeenGame, SeenWorld

MOST_GIFTS: Final = 2
SHIPS_PER_BOMB: Final = 25
ALL: Final = 0
"""All metal, as an amount."""


@dataclass(slots=True)
class Supply:
    """The industry, metal and home fleets that a world has left this turn."""

    usable: int
    metal: int
    iships: int
    pships: int
    people: int
    converts: int

    @property
    def spare_metal(self) -> int:
        """The metal that can be loaded. Industry without orders uses the rest for I-Ships."""
        return max(0, self.metal - self.usable)


@dataclass(slots=True)
class Sheet:
    """Orders, and what they leave.

    Each method writes an order if it can be carried out, and returns whether it did. Keys and
    worlds are given by their numbers.
    """

    game: SeenGame
    atlas: Atlas
    orders: list[str] = field(default_factory=list)
    fleets: dict[int, SeenFleet] = field(default_factory=dict)
    """The player's own keys."""
    ships: dict[int, int] = field(default_factory=dict)
    idle: dict[int, int] = field(default_factory=dict)
    """The ships of each key that were there when the turn began."""
    cargo: dict[int, int] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)
    """The cargo of each key from before the turn, which can be unloaded."""
    supplies: dict[int, Supply] = field(default_factory=dict)
    """The supplies of the player's own worlds."""
    busy: set[int] = field(default_factory=set)
    """Keys that move, fire, land robots, drop a bomb or are given away."""
    settled: set[int] = field(default_factory=set)
    """Worlds that fire, send migrants, are plundered or given away."""
    moved_artifacts: set[int] = field(default_factory=set)
    laden: set[int] = field(default_factory=set)
    """Keys that get an artifact this turn."""
    probed: set[int] = field(default_factory=set)
    goals: set[int] = field(default_factory=set)
    """Worlds to which fleets go this turn."""
    gifts: int = 0

    def __post_init__(self) -> None:
        for fleet in self.game.own_fleets():
            self.fleets[fleet.number] = fleet
            self.ships[fleet.number] = self.idle[fleet.number] = fleet.ships
            self.cargo[fleet.number] = self.held[fleet.number] = fleet.cargo
        for world in self.game.own_worlds():
            self.supplies[world.number] = Supply(
                usable=min(world.usable, world.metal, world.population),
                metal=world.metal,
                iships=world.iships,
                pships=world.pships,
                people=0 if world.robots else world.population - world.converts,
                converts=world.converts,
            )

    def say(self, order: str) -> bool:
        """Write any order and return True."""
        self.orders.append(order)
        return True

    def world_of(self, fleet: int) -> SeenWorld:
        """Return the world where an own key is."""
        return self.game.worlds[self.fleets[fleet].world]

    @property
    def price(self) -> int:
        """The price of a new industry in industry, metal and people."""
        return 4 if self.game.character == "Empire Builder" else 5

    @property
    def scrap_price(self) -> int:
        """The price of a new industry in I-Ships."""
        return 4 if self.game.character == "Empire Builder" else 6

    def room(self, fleet: int) -> int:
        """Return the metal that a key can still load."""
        per_ship = 2 if self.game.character == "Merchant" else 1
        return self.ships[fleet] * per_ship - self.cargo[fleet]

    # ---- ships -----------------------------------------------------------------------------

    def transfer(self, fleet: int, count: int, to: int) -> bool:
        """Transfer ships to another key there; at least one ship stays."""
        if fleet == to or not self._can_spare(fleet, count):
            return False
        self._take(fleet, count)
        if to in self.ships:
            self.ships[to] += count
        return self.say(f"F{fleet}T{count}F{to}")

    def land(self, fleet: int, count: int, home: str) -> bool:
        """Transfer ships to the home fleet ``I`` or ``P``; at least one ship stays."""
        if not self._can_spare(fleet, count):
            return False
        self._take(fleet, count)
        return self.say(f"F{fleet}T{count}{home}")

    def lift(self, world: int, count: int, home: str, to: int) -> bool:
        """Transfer ships of a home fleet to a key there."""
        if not self._take_home(world, count, home):
            return False
        if to in self.ships:
            self.ships[to] += count
        return self.say(f"{home}{world}T{count}F{to}")

    def shift(self, world: int, count: int, home: str) -> bool:
        """Transfer ships of a home fleet to the other one."""
        other = "P" if home == "I" else "I"
        return self._take_home(world, count, home) and self.say(f"{home}{world}T{count}{other}")

    def scrap(self, world: int, count: int) -> bool:
        """Scrap I-Ships for industry."""
        supply = self.supplies.get(world)
        if supply is None or not 0 < count * self.scrap_price <= supply.iships:
            return False
        supply.iships -= count * self.scrap_price
        return self.say(f"W{world}S{count}")

    def probe(self, source: str, goal: int) -> bool:
        """Probe a world next door with a ship of ``F12``, ``I12`` or ``P12``."""
        kind, number = source[0], int(source[1:])
        seen = self.game.worlds.get(goal)
        if goal in self.probed or (seen and (seen.owner == self.game.name or seen.fleets)):
            return False
        if kind == "F":
            if self.idle.get(number, 0) < 2 or self.ships[number] < 2 or self.cargo[number]:
                return False
            self._take(number, 1)
        elif not self._take_home(number, 1, kind):
            return False
        self.probed.add(goal)
        return self.say(f"{source}P{goal}")

    # ---- industry --------------------------------------------------------------------------

    def build(self, world: int, count: int, where: str) -> bool:
        """Build as ``I``, ``P`` or ``R``, or on a key ``F12`` there."""
        if not self._spend(world, count, 1):
            return False
        if where[0] == "F" and int(where[1:]) in self.ships:
            self.ships[int(where[1:])] += count
        return self.say(f"W{world}B{count}{where}")

    def expand(self, world: int, count: int, what: str) -> bool:
        """Build industry (``I``) or raise the population limit (``L``)."""
        return self._spend(world, count, self.price) and self.say(f"W{world}I{count}{what}")

    def migrate(self, world: int, count: int, to: int, who: str) -> bool:
        """Send people or robots (``P``) or converts (``C``) next door."""
        supply, seen = self.supplies.get(world), self.game.worlds[world]
        if supply is None or world in self.settled or self.atlas.is_black_hole(to):
            return False
        there = supply.converts if who == "C" else seen.population - supply.converts
        if there <= count or not self._spend(world, count, 1):
            return False
        self.settled.add(world)
        return self.say(f"{who}{world}M{count}W{to}")

    # ---- metal and artifacts ---------------------------------------------------------------

    def load(self, fleet: int, count: int = ALL) -> bool:
        """Load metal at an own world."""
        supply = self.supplies.get(self.fleets[fleet].world)
        room = self.room(fleet)
        metal = min(room, supply.spare_metal if supply else 0)
        if metal < max(1, count):
            return False
        metal = count or metal
        self.cargo[fleet] += metal
        if supply is not None:
            supply.metal -= metal
        return self.say(f"F{fleet}L{count or ''}")

    def unload(self, fleet: int, how: str, count: int = ALL) -> bool:
        """Take metal off a key: unload ``U``, jettison ``J``, as consumer goods ``N``."""
        if self.held[fleet] < max(1, count):
            return False
        metal = count or self.held[fleet]
        self.held[fleet] -= metal
        self.cargo[fleet] -= metal
        supply = self.supplies.get(self.fleets[fleet].world)
        if how == "U" and supply is not None:
            supply.metal += metal
        return self.say(f"F{fleet}{how}{count or ''}")

    def hook(self, artifact: int, to: int) -> bool:
        """Attach an own artifact on the world to a key there."""
        if not self._touch(artifact):
            return False
        self.laden.add(to)
        return self.say(f"V{artifact}F{to}")

    def drop(self, artifact: int) -> bool:
        """Drop an artifact from the key that carries it."""
        return self._touch(artifact) and self.say(f"V{artifact}W")

    # ---- war and peace ---------------------------------------------------------------------

    def move(self, fleet: int, way: tuple[int, ...]) -> bool:
        """Move along the first worlds of a way."""
        if not way or not self.ships[fleet] or not self._occupy(fleet):
            return False
        hops = way[:LONGEST_MOVE]
        self.goals.add(hops[-1])
        return self.say(f"F{fleet}" + "".join(f"W{hop}" for hop in hops))

    def fire(self, fleet: int, target: str) -> bool:
        """Fire with a key: ``AF3``, ``AI``, ``AP``, ``AH``, or with ``C`` for ``A``."""
        return self.ships[fleet] > 0 and self._occupy(fleet) and self.say(f"F{fleet}{target}")

    def home_fire(self, world: int, home: str, target: str) -> bool:
        """Fire with a home fleet: ``AF3``, ``AC``, or with ``C`` for ``A``."""
        supply = self.supplies.get(world)
        if supply is None or world in self.settled:
            return False
        if not (supply.iships if home == "I" else supply.pships):
            return False
        self.settled.add(world)
        return self.say(f"{home}{world}{target}")

    def robots(self, fleet: int, count: int) -> bool:
        """Land ships of a Berserker as robots."""
        if not 0 < count < self.ships[fleet] or not self._occupy(fleet):
            return False
        return self.say(f"F{fleet}R{count}")

    def build_bomb(self, fleet: int) -> bool:
        """Build a planet buster bomb."""
        if self.fleets[fleet].bomb or self.ships[fleet] <= SHIPS_PER_BOMB:
            return False
        self.ships[fleet] -= SHIPS_PER_BOMB
        return self.say(f"F{fleet}B")

    def drop_bomb(self, fleet: int) -> bool:
        """Drop a planet buster bomb that was built in an earlier turn."""
        return self.fleets[fleet].bomb and self._occupy(fleet) and self.say(f"F{fleet}D")

    def plunder(self, world: int) -> bool:
        """Plunder an own world that does not recover."""
        seen = self.game.worlds[world]
        if world in self.settled or world not in self.supplies or seen.recovery:
            return False
        self.settled.add(world)
        return self.say(f"W{world}X")

    def give_fleet(self, fleet: int, name: str) -> bool:
        """Write a gift of a key to a player who was met."""
        if self.gifts >= MOST_GIFTS or not self._occupy(fleet):
            return False
        self.gifts += 1
        return self.say(f"F{fleet}G={name}")

    def give_world(self, world: int, name: str) -> bool:
        """Write a gift of a world to a player who was met."""
        if self.gifts >= MOST_GIFTS or world in self.settled or world not in self.supplies:
            return False
        self.gifts += 1
        self.settled.add(world)
        return self.say(f"W{world}G={name}")

    def _can_spare(self, fleet: int, count: int) -> bool:
        return 0 < count < self.ships[fleet] and not self.cargo[fleet]

    def _take(self, fleet: int, count: int) -> None:
        self.ships[fleet] -= count
        self.idle[fleet] = min(self.idle[fleet], self.ships[fleet])

    def _take_home(self, world: int, count: int, home: str) -> bool:
        supply = self.supplies.get(world)
        if supply is None or not 0 < count <= (supply.iships if home == "I" else supply.pships):
            return False
        if home == "I":
            supply.iships -= count
        else:
            supply.pships -= count
        return True

    def _spend(self, world: int, count: int, price: int) -> bool:
        supply = self.supplies.get(world)
        if supply is None or not 0 < count * price <= supply.usable:
            return False
        supply.usable -= count * price
        supply.metal -= count * price
        return True

    def _touch(self, artifact: int) -> bool:
        if artifact in self.moved_artifacts:
            return False
        self.moved_artifacts.add(artifact)
        return True

    def _occupy(self, fleet: int) -> bool:
        if fleet in self.busy:
            return False
        self.busy.add(fleet)
        return True
