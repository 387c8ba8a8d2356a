"""The plan of a robot: the orders of one sheet, and the points left to spend."""

from collections.abc import Callable, Iterable
from typing import Final

from referee.testing.robots.singularity.reading import SeenPlanet, SeenShip, SeenWar
from referee.testing.robots.singularity.space import Board, Space

COSTS: Final = {"F": 4, "S": 5, "R": 5, "J": 5, "T": 5, "C": 10, "B": 15}
ARMED: Final = frozenset({"fighter", "raider", "jumper", "cruiser", "basestar"})
WORTH_REPAIR: Final = 2
"""The least damage that is worth a repair. Dark ships are always worth it."""


class Plan:
    """An order sheet in progress, for one report."""

    def __init__(self, war: SeenWar) -> None:
        self.war = war
        self.orders: list[str] = []
        levels = 1 + max(planet.at.level for planet in war.planets.values())
        self.board = Board(len(war.planets), levels)
        self.left = war.points + war.income - len(war.ships)
        """The points that are left after income and upkeep."""
        self.scrapped: set[int] = set()
        self.targets: set[int] = set()
        """The planets that a ship is already sent to."""

    def add(self, order: str) -> None:
        """Add an order to the sheet."""
        self.orders.append(order)

    def enemies_at(self, at: Space) -> list[SeenShip]:
        """Return the visible ships in a space that are not allied."""
        return [ship for ship in self.war.enemies() if ship.at == at]

    def nearest(
        self, at: Space, wanted: Callable[[SeenPlanet], bool], *, but: Iterable[int] = ()
    ) -> SeenPlanet | None:
        """Return the nearest wanted planet, or None; of equally near ones the most valuable."""
        found = [p for p in self.war.planets.values() if p.number not in set(but) and wanted(p)]
        return min(
            found, key=lambda p: (self.board.apart(at, p.at), -p.worth, p.number), default=None
        )

    def spend(self, points: int) -> bool:
        """Spend points if enough are left. Return whether they were."""
        if points > self.left:
            return False
        self.left -= points
        return True

    def send(self, ship: SeenShip, goal: Space) -> None:
        """Move a ship towards a space: slip first if possible, then warp."""
        at, way, left = ship.at, "", ship.drive
        if "L" in ship.working:
            for length in range(left, 1, -1):
                slip = self.board.nearer(at, goal, length)
                if (
                    slip is not None
                    and self.board.apart(slip.to, goal) <= self.board.apart(at, goal) - length
                ):
                    at, way = slip.to, f"V{slip.vector}{length}"
                    break
        while left and (step := self.board.nearer(at, goal)) is not None:
            at, way, left = step.to, f"{way}W{step.vector}", left - 1
        if way:
            self.add(f"S{ship.number}{way}")
