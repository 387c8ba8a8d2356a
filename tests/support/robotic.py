"""A ruleset with a robot of the test's."""

from dataclasses import replace
from typing import Any

from referee.rules.extras import Robot, extras_of
from referee.rules.ruleset import Ruleset


class Robotic:
    """A ruleset whose seats *robot* can play."""

    def __init__(self, rules: Ruleset[Any, Any], robot: Robot) -> None:
        self._rules = rules
        self.extras = replace(extras_of(rules), robot=robot)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)
