"""The base of all robots of The Singularity Trap: build, move, fight, repair, negotiate."""

from collections import Counter
from itertools import cycle, islice
from typing import ClassVar, Final

from referee.testing.robots.singularity.plan import ARMED, COSTS, WORTH_REPAIR, Plan
from referee.testing.robots.singularity.reading import SeenPlanet, SeenShip, SeenWar, read_report

ECONOMY: Final = frozenset({"All orders of the turn", "Economy and movement", "Economy"})
MOVEMENT: Final = frozenset({"All orders of the turn", "Economy and movement", "Movement"})
COMBAT: Final = frozenset({"All orders of the turn", "Combat and politics", "Combat"})
POLITICS: Final = frozenset(
    {"All orders of the turn", "Combat and politics", "Colours and alliances"}
)
MOST_TERRAFORMERS: Final = 2
JUMP_INTERVAL: Final = 3
"""The number of turns between jumps of a jumper that only explore."""


class Robot:
    """A player who knows only its reports and uses no random numbers."""

    builds: ClassVar[str] = "FFRF"
    """The types of ships that the robot builds, repeated."""
    doctrine: ClassVar[str] = "KT"
    odds: ClassVar[int] = 1
    """The most armed enemies at a planet that the robot attacks."""

    def __init__(self) -> None:
        self.launched = 0
        """The number of ships ordered so far."""
        self.partners: frozenset[int] = frozenset()

    def sheet(self, report: str) -> str:
        """Return the orders that answer a report, or an empty string if none are needed."""
        war = read_report(report)
        if war is None or not war.awaited:
            return ""
        plan = Plan(war)
        if war.section in ECONOMY:
            self.run_economy(plan)
        if war.section in MOVEMENT:
            self.move(plan)
        if war.section in COMBAT:
            self.fight(plan)
        if war.section in POLITICS:
            self.negotiate(plan)
        return "\n".join(plan.orders) + "\n"

    def run_economy(self, plan: Plan) -> None:
        """Scrap ships that cannot be paid, repair, hide helpless ships, and build."""
        ships = sorted(plan.war.ships.values(), key=lambda ship: (len(ship.working), ship.number))
        for ship in ships:
            if plan.left < 0 or (not ship.dark and self.is_useless(ship)):
                plan.add(f"S{ship.number}X")
                plan.scrapped.add(ship.number)
                plan.left += 1
        for ship in ships:
            if ship.number not in plan.scrapped and ship.damage:
                self.repair(plan, ship)
        while (number := self.shipyard(plan)) and self.build(plan, number):
            pass

    def is_useless(self, ship: SeenShip) -> bool:
        """Return whether a ship is not worth its upkeep."""
        return ship.kind == "terraformer" and "T" not in ship.working

    def repair(self, plan: Plan, ship: SeenShip) -> None:
        """Repair a ship, or hide one that can only be shot at."""
        cost = len(ship.damage)
        if (ship.dark or cost >= WORTH_REPAIR) and plan.spend(cost):
            # A dark ship names its units, because its system must be repaired first.
            plan.add(f"S{ship.number}R{ship.damage if ship.dark else cost}")
        elif ship.dark and plan.spend(1):
            plan.add(f"S{ship.number}RS")
        elif not ship.dark and "W" not in ship.working and plan.enemies_at(ship.at):
            plan.add(f"S{ship.number}H")

    def shipyard(self, plan: Plan) -> int:
        """Return the own planet to build at: the nearest to planets of others, or 0."""
        friends = plan.war.friends()

        def to_next(planet: SeenPlanet) -> tuple[int, int]:
            goal = plan.nearest(planet.at, lambda p: p.owner not in friends)
            return plan.board.apart(planet.at, goal.at) if goal else 0, planet.number

        return min(plan.war.own(), key=to_next).number if plan.war.own() else 0

    def build(self, plan: Plan, number: int) -> bool:
        """Build the next ship if there are enough points. Return whether it was built."""
        kind = next(islice(cycle(self.builds), self.launched % len(self.builds), None))
        terraformers = sum(ship.kind == "terraformer" for ship in plan.war.ships.values())
        if kind == "T" and terraformers >= MOST_TERRAFORMERS:
            kind = "F"
        # One more point is kept for the upkeep of the new ship.
        if not plan.spend(COSTS[kind] + 1):
            return False
        self.launched += 1
        plan.add(f"W{number}B1{kind}")
        return True

    def move(self, plan: Plan) -> None:
        """Send every ship that can move to its goal."""
        for ship in sorted(plan.war.ships.values(), key=lambda ship: ship.number):
            if ship.number in plan.scrapped or not ship.drive or plan.enemies_at(ship.at):
                continue
            if ship.kind == "terraformer":
                self.terraform(plan, ship)
            elif ship.kind == "scout":
                self.scout(plan, ship)
            elif not self.jump(plan, ship):
                self.conquer(plan, ship)

    def terraform(self, plan: Plan, ship: SeenShip) -> None:
        """Stay at a planet that does not have the own colour yet, or go to the next one."""
        goal = plan.nearest(
            ship.at, lambda p: p.owner == plan.war.name and p.worth < 5, but=plan.targets
        )
        if goal is not None:
            plan.targets.add(goal.number)
            plan.send(ship, goal.at)

    def scout(self, plan: Plan, ship: SeenShip) -> None:
        """Go to the nearest planet of another player, and then move in place."""
        goal = plan.nearest(ship.at, lambda p: p.owner not in plan.war.friends() and bool(p.owner))
        if goal is not None and plan.board.apart(ship.at, goal.at) > 1:
            plan.send(ship, goal.at)
        else:
            plan.add(f"S{ship.number}W0=")

    def jump(self, plan: Plan, ship: SeenShip) -> bool:
        """Jump to an unknown space in some turns. Return whether the ship jumps."""
        if "J" not in ship.working or (plan.war.turn + ship.number // 10) % JUMP_INTERVAL:
            return False
        known = ship.at in plan.war.jumps
        # If the first jump is on the charts, a second one explores more than a warp.
        plan.add(f"S{ship.number}J{'J' if known and ship.drive > 1 else ''}")
        return True

    def conquer(self, plan: Plan, ship: SeenShip) -> None:
        """Go to the nearest planet that can be taken and that no other ship goes to."""
        goal = plan.nearest(ship.at, lambda p: self.is_prey(plan, p), but=plan.targets)
        if goal is None:
            goal = plan.nearest(ship.at, lambda p: self.is_prey(plan, p))
        if goal is not None and ship.kind in ARMED and "W" in ship.working:
            plan.targets.add(goal.number)
            plan.send(ship, goal.at)

    def is_prey(self, plan: Plan, planet: SeenPlanet) -> bool:
        """Return whether to take a planet: it is not a friend's and not guarded too well."""
        guards = sum(ship.kind in ARMED for ship in plan.enemies_at(planet.at))
        return planet.owner not in plan.war.friends() and guards <= self.odds

    def fight(self, plan: Plan) -> None:
        """Order which targets to fire at first: for all spaces, and for each ship with enemies."""
        plan.add(self.doctrine)
        for ship in plan.war.ships.values():
            there = plan.enemies_at(ship.at)
            if there and "W" in ship.working and not ship.dark:
                self.aim(plan, ship, there)

    def aim(self, plan: Plan, ship: SeenShip, there: list[SeenShip]) -> None:
        """Order the targets of one ship."""
        armed = [f"S{other.number}" for other in there if other.kind in ARMED]
        if armed:
            plan.add(f"S{ship.number}K{','.join(armed[:2])}")

    def negotiate(self, plan: Plan) -> None:
        """Choose colours. Subclasses also seek allies and declare factions."""
        for planet in plan.war.own():
            there = [s for s in plan.war.ships.values() if s.at == planet.at]
            if planet.worth in (1, 3) and any(s.kind == "terraformer" for s in there):
                plan.add(f"W{planet.number}T{self.colour_choice(planet)}")

    def colour_choice(self, planet: SeenPlanet) -> str:
        """Return the letter of the colour to choose for a planet that has a choice."""
        return "ROYGBV"[planet.number % 6]

    def set_allies(self, plan: Plan, wanted: frozenset[int]) -> None:
        """Ask for the wanted alliances, and end all others."""
        for number in sorted(wanted - self.partners):
            plan.add(f"L{number}Y")
        for number in sorted(self.partners - wanted):
            plan.add(f"L{number}N")
        self.partners = wanted

    def others(self, war: SeenWar) -> list[int]:
        """Return the numbers of the other players still in the war, the strongest first."""
        there = [p for p in war.players.values() if p.number != war.number and not p.gone]
        return [p.number for p in sorted(there, key=lambda p: (-p.planets, p.number))]

    def allied(self, war: SeenWar) -> Counter[int]:
        """Return the number of planets of each ally."""
        return Counter(
            {p.number: p.planets for p in war.players.values() if p.name in war.me.allies}
        )
