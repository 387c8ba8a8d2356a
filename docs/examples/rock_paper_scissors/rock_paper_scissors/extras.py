"""What Rock Paper Scissors brings besides its rules."""

from typing import Final

from referee.rules.extras import Extras
from rock_paper_scissors.robot import robot
from rock_paper_scissors.scenarios import RpsScenarios

EXTRAS: Final = Extras(
    rulebook="rock_paper_scissors:rulebook.md",
    scenarios=RpsScenarios(),
    robot=robot,
    tutorial="rock_paper_scissors:tutorial.toml",
)
