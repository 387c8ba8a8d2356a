"""``python -m tests.support.hanging SETTINGS FILE``: its turns hang while FILE exists."""

import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from referee.app import Rulesets, build
from referee.daemon import Daemon, Service, logs
from referee.plugins import installed_rulesets
from referee.settings import load


class Hanging:
    """A ruleset that hangs in resolve while a file exists."""

    def __init__(self, rules: Any, hold: Path) -> None:
        self._rules = rules
        self._hold = hold

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def resolve(self, *given: Any) -> Any:
        """Write a file when the turn is reached, and return when the other file is gone."""
        self._hold.with_name(f"{self._hold.name}.reached").touch()
        while self._hold.exists():
            time.sleep(0.05)
        return self._rules.resolve(*given)


def rules_that_hang(hold: Path) -> Rulesets:
    """Return all rulesets, each of which hangs while the file exists."""
    return {key: Hanging(rules, hold) for key, rules in installed_rulesets().items()}


if __name__ == "__main__":
    settings, hold = map(Path, sys.argv[1:])
    logs.begin()
    rulesets = partial(rules_that_hang, hold)
    Service(Daemon(build(load(settings), rulesets())), rulesets).run()
