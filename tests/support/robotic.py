"""Rulesets with a robot of the test's."""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from referee.app import Rulesets
from referee.plugins import installed_rulesets
from referee.rules.extras import Robot, extras_of
from referee.rules.ruleset import Ruleset


class Robotic:
    """A ruleset whose seats *robot* can play."""

    def __init__(self, rules: Ruleset[Any, Any], robot: Robot) -> None:
        self._rules = rules
        self.extras = replace(extras_of(rules), robot=robot)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def rules_that_name_their_process(file: Path) -> Rulesets:
    """Return all rulesets, whose robots write the number of their process into *file*."""

    def play(robot: Robot, *given: Any) -> Any:
        file.write_text(str(os.getpid()))
        return robot(*given)

    return {
        key: Robotic(rules, partial(play, robot))
        for key, rules in installed_rulesets().items()
        if (robot := extras_of(rules).robot) is not None
    }
