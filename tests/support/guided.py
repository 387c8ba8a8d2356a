"""Rulesets with a robot: those without one of their own get one that follows the guide."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.dice import Dice
from referee.rules.extras import Robot, Strength, extras_of
from referee.rules.ruleset import Ruleset, Seat

Rules = Ruleset[Any, Any]


class Robotic:
    """A ruleset whose seats *robot* can play."""

    def __init__(self, rules: Rules, robot: Robot) -> None:
        self._rules = rules
        self.extras = replace(extras_of(rules), robot=robot)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def guided(rules: Rules) -> Robot:
    """Return a robot that sends the first suggestion of the guide, or the second if it is easy."""

    def robot(state: Any, seat: Seat, strength: Strength, _dice: Dice) -> tuple[Any, ...]:
        suggestions = rules.guide(state, seat).suggestions
        first = 1 if strength is Strength.EASY else 0
        return tuple(order for each in suggestions[first : first + 1] for order in each.orders)

    return robot


def with_robots(rulesets: Mapping[str, Rules]) -> dict[str, Any]:
    """Return the rulesets; those without a robot get the one that follows the guide."""
    return {
        key: rules if extras_of(rules).robot is not None else Robotic(rules, guided(rules))
        for key, rules in rulesets.items()
    }
