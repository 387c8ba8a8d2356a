"""A robot that explores with scouts and wormnets, and shares its knowledge with friends."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.hexes import distance
from referee.testing.robots.star_empires.reading import SeenPortal, SeenShip, SeenWorld
from referee.testing.robots.star_empires.robot import Robot
from referee.testing.robots.star_empires.sheet import Sheet

_NEAR: Final = 6
"""The greatest distance it goes for a portal that it has not used yet."""


class Pathfinder(Robot):
    """A robot with many scouts, which it sends through every portal."""

    scouts: ClassVar[int] = 6
    greeting: ClassVar[str] = "We chart the wormnets, and share what we find."

    def __init__(self) -> None:
        super().__init__()
        self.sent: set[tuple[str, str]] = set()
        """The portals whose data it sent, with the recipients."""
        self.friend = ""

    def welcome(self, sheet: Sheet, name: str) -> None:
        """Share all scans with the first empire it meets, those of its home with others."""
        if not self.friend:
            self.friend = name
            sheet.say(f"AUTHORIZE ALL TO {name}")
            sheet.say(f"ALLY {name}")
        else:
            sheet.say(f"AUTHORIZE @{sheet.game.home} @probe TO {name}" if sheet.game.home else "")

    def scheme(self, sheet: Sheet) -> None:
        """Send navigation data to the friend, stop sharing for a while, show the scouts."""
        game = sheet.game
        charted = [portal.name for portal in game.portals if portal.charted]
        new = [name for name in charted if self.friend and (name, self.friend) not in self.sent]
        if new:
            self.sent |= {(name, self.friend) for name in new}
            sheet.say(f"TRANSMIT {' '.join(new)} TO {self.friend}")
        if self.friend and game.turn % 10 == 0:
            sheet.say(f"DENY ALL TO {self.friend}")
        if self.friend and game.turn % 10 == 2 and game.turn > 10:
            sheet.say(f"AUTHORIZE ALL TO {self.friend}")
        shown = game.transponders.get("all", frozenset())
        hidden = [ship.name for ship in game.ships if ship.kind == "farseer"]
        if set(hidden) - shown:
            sheet.say("TOGGLE public farseer")

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Design a scout that sees farther, and build two of them."""
        if world.name == sheet.game.home and sheet.game.turn > 2:
            sheet.design(world, "farseer scout 1 1 4 4 0", 4)
            count = sum(ship.kind == "farseer" for ship in sheet.game.ships)
            if count < 2:
                sheet.build(world, "farseer", "far", 2 - count)

    def scout(self, sheet: Sheet, ship: SeenShip) -> None:
        """Go through a portal here, or to an unknown one, or scout as other robots do."""
        game = sheet.game
        here = [portal for portal in game.portals if portal.at == ship.at and portal.open]
        unknown = [
            portal.at
            for portal in game.portals
            if not portal.charted
            and portal.at not in sheet.aims
            and distance(ship.at, portal.at) <= _NEAR
            and not self.is_dreaded(game, portal.at)
        ]
        goal = self.nearest(ship, unknown)
        if any(self.pass_through(sheet, ship, portal) for portal in here):
            return
        if goal is None or not ship.name.startswith("far"):
            super().scout(sheet, ship)
        else:
            sheet.aims.add(goal)
            self.go(sheet, ship, goal)

    def pass_through(self, sheet: Sheet, ship: SeenShip, portal: SeenPortal) -> bool:
        """Go through a new portal, or sometimes to a known exit; return whether it did."""
        known = [name for name in portal.exits if name != portal.name]
        if portal.charted and (not known or self.whim(sheet.game, portal.name) % 3):
            return False
        sheet.busy.add(ship.name)
        exit_ = f" {known[0]}" if portal.charted and known else ""
        return sheet.say(f"TRAVERSE {ship.name} THROUGH {portal.name}{exit_}")
