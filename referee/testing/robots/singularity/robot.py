"""What robots of all characters have in common: they build, settle, fight, repair and talk."""

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
OFTEN: Final = 3
"""Every so many turns a jumper jumps for the sake of it, and a scout dances."""


class Robot:
    """A player of The Singularity Trap who knows nothing but his reports, and draws nothing."""

    builds: ClassVar[str] = "FFRF"
    """The types of ships it builds, over and over."""
    doctrine: ClassVar[str] = "KT"
    odds: ClassVar[int] = 1
    """It goes where it sees at most so many armed enemies for each of its ships."""

    def __init__(self) -> None:
        self.launched = 0
        """How many ships it ordered to be built."""
        self.partners: frozenset[int] = frozenset()

    def sheet(self, report: str) -> str:
        """Return the orders that answer a report; nothing when none are asked for."""
        war = read_report(report)
        if war is None or not war.awaited:
            return ""
        plan = Plan(war)
        if war.section in ECONOMY:
            self.husband(plan)
        if war.section in MOVEMENT:
            self.move(plan)
        if war.section in COMBAT:
            self.fight(plan)
        if war.section in POLITICS:
            self.talk(plan)
        return "\n".join(plan.orders) + "\n"

    def husband(self, plan: Plan) -> None:
        """Scrap what cannot be paid, repair, hide the helpless, and build."""
        ships = sorted(plan.war.ships.values(), key=lambda ship: (len(ship.whole), ship.number))
        for ship in ships:
            if plan.left < 0 or (not ship.dark and self.is_useless(ship)):
                plan.say(f"S{ship.number}X")
                plan.scrapped.add(ship.number)
                plan.left += 1
        for ship in ships:
            if ship.number not in plan.scrapped and ship.damage:
                self.mend(plan, ship)
        while (number := self.yard(plan)) and self.build(plan, number):
            pass

    def is_useless(self, ship: SeenShip) -> bool:
        """Return whether a ship is worth no upkeep."""
        return ship.kind == "terraformer" and "T" not in ship.whole

    def mend(self, plan: Plan, ship: SeenShip) -> None:
        """Repair a ship, or hide one that can only be shot at."""
        cost = len(ship.damage)
        if (ship.dark or cost >= WORTH_REPAIR) and plan.spend(cost):
            # A dark ship is told by name what it needs first.
            plan.say(f"S{ship.number}R{ship.damage if ship.dark else cost}")
        elif ship.dark and plan.spend(1):
            plan.say(f"S{ship.number}RS")
        elif not ship.dark and "W" not in ship.whole and plan.enemies_at(ship.at):
            plan.say(f"S{ship.number}H")

    def yard(self, plan: Plan) -> int:
        """Return the planet to build at: the own one that is nearest to others'; 0 without any."""
        friends = plan.war.friends()

        def to_next(planet: SeenPlanet) -> tuple[int, int]:
            goal = plan.nearest(planet.at, lambda p: p.owner not in friends)
            return plan.board.apart(planet.at, goal.at) if goal else 0, planet.number

        return min(plan.war.own(), key=to_next).number if plan.war.own() else 0

    def build(self, plan: Plan, number: int) -> bool:
        """Build the next ship there, if the points are enough, and return whether they are."""
        kind = next(islice(cycle(self.builds), self.launched % len(self.builds), None))
        terraformers = sum(ship.kind == "terraformer" for ship in plan.war.ships.values())
        if kind == "T" and terraformers >= MOST_TERRAFORMERS:
            kind = "F"
        # A point for the upkeep of the new ship is kept back.
        if not plan.spend(COSTS[kind] + 1):
            return False
        self.launched += 1
        plan.say(f"W{number}B1{kind}")
        return True

    def move(self, plan: Plan) -> None:
        """Send every ship that can move where it is wanted."""
        for ship in sorted(plan.war.ships.values(), key=lambda ship: ship.number):
            if ship.number in plan.scrapped or not ship.drive or plan.enemies_at(ship.at):
                continue
            if ship.kind == "terraformer":
                self.cultivate(plan, ship)
            elif ship.kind == "scout":
                self.scout(plan, ship)
            elif not self.jump(plan, ship):
                self.conquer(plan, ship)

    def cultivate(self, plan: Plan, ship: SeenShip) -> None:
        """Stay where a planet is not yet of the own colour, else go to the next such one."""
        goal = plan.nearest(
            ship.at, lambda p: p.owner == plan.war.name and p.worth < 5, but=plan.targets
        )
        if goal is not None:
            plan.targets.add(goal.number)
            plan.send(ship, goal.at)

    def scout(self, plan: Plan, ship: SeenShip) -> None:
        """Go and look at the nearest planet that is another's; dance there."""
        goal = plan.nearest(ship.at, lambda p: p.owner not in plan.war.friends() and bool(p.owner))
        if goal is not None and plan.board.apart(ship.at, goal.at) > 1:
            plan.send(ship, goal.at)
        else:
            plan.say(f"S{ship.number}W0=")

    def jump(self, plan: Plan, ship: SeenShip) -> bool:
        """Jump where nobody knows what comes, now and then, and return whether it does."""
        if "J" not in ship.whole or (plan.war.turn + ship.number // 10) % OFTEN:
            return False
        known = ship.at in plan.war.jumps
        # A second jump is as good as a warp where the first one leads to a chart.
        plan.say(f"S{ship.number}J{'J' if known and ship.drive > 1 else ''}")
        return True

    def conquer(self, plan: Plan, ship: SeenShip) -> None:
        """Go to the nearest planet that can be taken and that no other ship makes for."""
        goal = plan.nearest(ship.at, lambda p: self.is_prey(plan, p), but=plan.targets)
        if goal is None:
            goal = plan.nearest(ship.at, lambda p: self.is_prey(plan, p))
        if goal is not None and ship.kind in ARMED and "W" in ship.whole:
            plan.targets.add(goal.number)
            plan.send(ship, goal.at)

    def is_prey(self, plan: Plan, planet: SeenPlanet) -> bool:
        """Return whether a planet is to be taken: not a friend's, and not too well guarded."""
        guards = sum(ship.kind in ARMED for ship in plan.enemies_at(planet.at))
        return planet.owner not in plan.war.friends() and guards <= self.odds

    def fight(self, plan: Plan) -> None:
        """Say at whom to fire first: everywhere, where one meets somebody, and ship by ship."""
        plan.say(self.doctrine)
        for ship in plan.war.ships.values():
            there = plan.enemies_at(ship.at)
            if there and "W" in ship.whole and not ship.dark:
                self.aim(plan, ship, there)

    def aim(self, plan: Plan, ship: SeenShip, there: list[SeenShip]) -> None:
        """Give a ship its targets."""
        armed = [f"S{other.number}" for other in there if other.kind in ARMED]
        if armed:
            plan.say(f"S{ship.number}K{','.join(armed[:2])}")

    def talk(self, plan: Plan) -> None:
        """Say who is to be an ally, declare what can be declared, and choose colours."""
        for planet in plan.war.own():
            there = [s for s in plan.war.ships.values() if s.at == planet.at]
            if planet.worth in (1, 3) and any(s.kind == "terraformer" for s in there):
                plan.say(f"W{planet.number}T{self.taste(planet)}")

    def taste(self, planet: SeenPlanet) -> str:
        """Return the letter of the colour that a planet is to take where there are two ways."""
        return "ROYGBV"[planet.number % 6]

    def ask(self, plan: Plan, wanted: frozenset[int]) -> None:
        """Ask for alliances, and give up those that are not wanted any more."""
        for number in sorted(wanted - self.partners):
            plan.say(f"L{number}Y")
        for number in sorted(self.partners - wanted):
            plan.say(f"L{number}N")
        self.partners = wanted

    def others(self, war: SeenWar) -> list[int]:
        """Return the numbers of the others who are still there, the strongest first."""
        there = [p for p in war.players.values() if p.number != war.number and not p.gone]
        return [p.number for p in sorted(there, key=lambda p: (-p.planets, p.number))]

    def allied(self, war: SeenWar) -> Counter[int]:
        """Return how many planets each ally has."""
        return Counter(
            {p.number: p.planets for p in war.players.values() if p.name in war.me.allies}
        )
