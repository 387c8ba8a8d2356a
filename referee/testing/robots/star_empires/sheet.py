"""An order sheet that a robot is writing, with the ships and RU that are still free."""

from dataclasses import dataclass, field

from referee.testing.robots.star_empires.hexes import Sector, written
from referee.testing.robots.star_empires.reading import SeenGame, SeenShip, SeenWorld


@dataclass(slots=True)
class Sheet:
    """Orders, and the ships and RU they leave: each method adds an order if it is possible.

    The methods return whether they added one.
    """

    game: SeenGame
    orders: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    moves: dict[tuple[Sector, Sector], list[SeenShip]] = field(default_factory=dict)
    """The ships that move, by start and destination."""
    busy: set[str] = field(default_factory=set)
    """The ships that fire, move, are loaded or blow up, and can do nothing else."""
    stocks: dict[str, int] = field(default_factory=dict)
    """The remaining RU of each own world."""
    classes: set[str] = field(default_factory=set)
    """The classes that can be built now."""
    aims: set[Sector] = field(default_factory=set)
    """The destinations of ships, so that other ships go elsewhere."""
    rooms: dict[str, int] = field(default_factory=dict)
    """The free racks of each carrier."""

    def __post_init__(self) -> None:
        self.stocks = {
            world.name: 0 if world.interdicted else world.stock for world in self.game.my_worlds()
        }
        self.classes = {name for name, kind in self.game.designs.items() if kind.cost is not None}
        self.rooms = {ship.name: ship.room for ship in self.game.ships}

    def say(self, order: str) -> bool:
        """Add any order."""
        self.orders.append(order)
        return True

    def write(self, to: str, words: str) -> None:
        """Add a message to an empire."""
        self.messages.append(f"PRESS TO {to}\n{words}\nEND")

    def is_free(self, ship: SeenShip) -> bool:
        """Return whether a ship can still be given an order."""
        return ship.name not in self.busy and not ship.loaded

    def is_gunship(self, ship: SeenShip) -> bool:
        """Return whether a ship has guns and is not a missile."""
        design = self.game.designs.get(ship.kind)
        return ship.guns > 0 and (design is None or design.hull != "missile")

    def cost(self, kind: str) -> int:
        """Return the cost of a class, or a prohibitive cost for an unknown one."""
        design = self.game.designs.get(kind)
        return design.cost if design is not None and design.cost is not None else 10**9

    def build(self, world: SeenWorld, kind: str, prefix: str, most: int = 1) -> int:
        """Build up to *most* ships, and return the number."""
        cost = self.cost(kind)
        count = min(most, self.stocks.get(world.name, 0) // cost)
        if count < 1:
            return 0
        self.stocks[world.name] -= count * cost
        self.say(f"BUILD {world.name} {count} {kind} {prefix}*")
        return count

    def design(self, world: SeenWorld, line: str, fee: int) -> bool:
        """Design a class with ``NAME HULL NUMBERS``, if it is new and the world can pay."""
        name = line.split()[0]
        if name in self.game.designs or self.stocks.get(world.name, 0) < fee:
            return False
        self.stocks[world.name] -= fee
        return self.say(f"DESIGN {world.name} {line}")

    def move(self, ships: list[SeenShip], to: Sector) -> bool:
        """Move ships together, if any of them is free and not already there."""
        able = [ship for ship in ships if self.is_free(ship) and ship.engines and ship.at != to]
        if not able:
            return False
        self.busy |= {ship.name for ship in able}
        for ship in able:
            self.moves.setdefault((ship.at, to), []).append(ship)
        return True

    def lines(self) -> list[str]:
        """Return all orders, with one MOVE for all ships that move together."""
        jumps = (f"MOVE {_names(ships)} TO {written(to)}" for (_, to), ships in self.moves.items())
        return [*self.orders, *jumps]

    def fire(self, ships: list[SeenShip], at: str, *, smallest_first: bool = False) -> bool:
        """Fire with all ships that can."""
        able = [ship for ship in ships if self.is_gunship(ship) and self.is_free(ship)]
        if not able:
            return False
        self.busy |= {ship.name for ship in able}
        return self.say(f"FIRE {'asc ' if smallest_first else ''}{_names(able)} AT {at}")

    def launch(self, missiles: list[SeenShip], at: str) -> bool:
        """Fire missiles from their carriers."""
        able = [ship for ship in missiles if ship.loaded and ship.name not in self.busy]
        self.busy |= {ship.name for ship in able}
        return bool(able) and self.say(f"FIRE {_names(able)} AT {at}")

    def load(self, ship: SeenShip, carrier: SeenShip) -> bool:
        """Load a ship onto a carrier with enough free racks."""
        design = self.game.designs.get(ship.kind)
        if design is None or not self.is_free(ship) or carrier.loaded or ship.at != carrier.at:
            return False
        if design.tonnage > self.rooms[carrier.name]:
            return False
        self.rooms[carrier.name] -= design.tonnage
        self.busy.add(ship.name)
        return self.say(f"LOAD {ship.name} ONTO {carrier.name}")

    def unload(self, ships: list[SeenShip]) -> bool:
        """Unload ships; they can still get another order."""
        able = [ship for ship in ships if ship.loaded and ship.name not in self.busy]
        return bool(able) and self.say(f"UNLOAD {_names(able)}")

    def repair(self, ship: SeenShip, world: SeenWorld) -> bool:
        """Repair a ship, paid by a world, if that is allowed."""
        missing = ship.whole - ship.dp
        here = self.game.world_at(ship.at)
        barred = here is not None and here.mine and here.interdicted
        if not missing or barred or (world.blocked and world.at != ship.at):
            return False
        fee = -(-missing // 2)
        if self.stocks.get(world.name, 0) < fee:
            return False
        self.stocks[world.name] -= fee
        return self.say(f"REPAIR {ship.name} max {world.name}")

    def transfer(self, world: SeenWorld, amount: int, to: str, empire: str) -> bool:
        """Send RU to a world of another empire, from the unspent RU."""
        if world.blocked or self.stocks.get(world.name, 0) + world.makes < amount:
            return False
        return self.say(f"TRANSFER {world.name} {amount} {to} {empire}")


def _names(ships: list[SeenShip]) -> str:
    return " ".join(ship.name for ship in ships)
