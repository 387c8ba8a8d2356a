"""Robots that play Star Empires by mail: they read their reports and write sensible orders."""

from typing import Final

from referee.testing.robots.star_empires.dreamer import Dreamer
from referee.testing.robots.star_empires.pathfinder import Pathfinder
from referee.testing.robots.star_empires.raider import Raider
from referee.testing.robots.star_empires.robot import Robot
from referee.testing.robots.star_empires.trader import Trader
from referee.testing.robots.star_empires.warden import Warden
from referee.testing.robots.star_empires.warlord import Warlord

TEMPERAMENTS: Final[dict[str, type[Robot]]] = {
    "Pathfinder": Pathfinder,
    "Warlord": Warlord,
    "Trader": Trader,
    "Raider": Raider,
    "Warden": Warden,
    "Dreamer": Dreamer,
}
"""The robots by their temperament."""
