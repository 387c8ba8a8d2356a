"""The position as the robot knows it: points, own ships, and the ships of others in sight."""

from collections.abc import Iterator

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.economy import UPKEEP, unpaid, value
from referee.rulesets.singularity.knowledge import known_state
from referee.rulesets.singularity.orders import Build, Move, Order
from referee.rulesets.singularity.sections import ACCEPTED
from referee.rulesets.singularity.state import Planet, Ship, State
from referee.rulesets.singularity.units import TERRAFORM


class Position:
    """The position that a player knows, and the orders so far."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.known = known_state(state, seat)
        self.seat = seat
        self.player = self.known.players[seat]
        self.rules = self.known.rules
        self.board = self.known.rules.board
        self.orders: list[Order] = []
        self.builds = Build in ACCEPTED[state.section]
        self.moves = Move in ACCEPTED[state.section]
        self.planets = self.known.planets_of(seat)
        if self.builds:
            self._begin_turn()
        self.points = self.player.points
        """The points to spend, after income and upkeep."""
        self.ships = sorted(self.known.fleet(seat), key=lambda ship: ship.number)
        self.foes = self._foes()
        """The weapons of enemies in each space with ships of enemies; 0 if they are not armed."""
        self.busy: set[int] = set()
        """The ships that have a task."""
        self.taken: set[int] = set()
        """The columns of the planets to which ships go."""

    def _begin_turn(self) -> None:
        """Collect the income and pay the upkeep, and remove the ships that cannot be paid."""
        self.player.points += sum(self.worth(planet) for planet in self.planets)
        for ship in unpaid(self.known, self.player):
            del self.known.ships[ship.number]
        self.player.points -= UPKEEP * len(self.known.fleet(self.seat))

    def _foes(self) -> dict[Space, int]:
        foes: dict[Space, int] = {}
        for ship in self.known.ships.values():
            if not ship.dark and not self.known.allied(self.seat, ship.owner):
                foes[ship.at] = foes.get(ship.at, 0) + ship.weapons
        return foes

    def worth(self, planet: Planet) -> int:
        """Return the points that a planet brings us each turn."""
        return value(self.known, self.player, planet.colour)

    def targets(self) -> list[Planet]:
        """Return the planets that belong neither to us nor to an ally."""
        return [
            planet
            for planet in self.known.planets.values()
            if planet.owner is None or not self.known.allied(self.seat, planet.owner)
        ]

    def apart(self, one: Space, other: Space) -> int:
        """Return the distance of two spaces."""
        return self.board.distance(one, other)

    def idle(self) -> Iterator[Ship]:
        """Yield the armed ships without a task that can move."""
        for ship in self.ships:
            is_free = ship.number not in self.busy and ship.at not in self.foes
            if is_free and ship.weapons and ship.drive and not ship.dark:
                yield ship

    def terraformers(self) -> list[Ship]:
        """Return the ships that can change the colour of a planet."""
        return [ship for ship in self.ships if ship.units.get(TERRAFORM) and not ship.dark]

    def to_terraform(self, but: Ship | None = None) -> list[Planet]:
        """Return our planets of other colours where no enemy and no terraformer is.

        *but* is a terraformer that does not count.
        """
        busy = {ship.at for ship in self.terraformers() if ship is not but} | {*self.foes}
        own = self.player.colour
        return [planet for planet in self.planets if planet.colour != own and planet.at not in busy]

    def new_ship(self, planet: Planet, kind: str) -> Ship:
        """Return the next ship as it would be built at a planet."""
        ordered = sum(isinstance(order, Build) for order in self.orders)
        number = self.known.next_number(self.seat, ordered)
        units = self.rules.types[kind].undamaged()
        return Ship(number, self.seat, kind, planet.column, planet.level, units)

    def build(self, ship: Ship) -> None:
        """Order a new ship."""
        self.orders.append(Build(ship.column, ((1, ship.kind),)))
        self.ships.append(ship)
        self.points -= self.cost(ship.kind)

    def cost(self, kind: str) -> int:
        """Return the points that a ship costs, with its upkeep of the next turn."""
        return self.rules.types[kind].cost + UPKEEP
