"""A faulty ruleset: StarWeb under another name, with functions that fail."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.plugins import installed_rulesets


class Faulty:
    """A ruleset whose functions in *broken* raise *error* with *words*."""

    def __init__(self) -> None:
        self._rules = installed_rulesets()["starweb"]
        self.info = replace(self._rules.info, key="faulty", prefix="FT", title="Faulty")
        self.broken: set[str] = set()
        self.error: Callable[[str], BaseException] = ZeroDivisionError
        self.words = "F3T4F17"
        self.returning: dict[str, Any] = {}
        """What functions return instead of their results."""
        self.calls = Counter[str]()
        """How often each function was called."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rules, name)
        if not callable(found) or isinstance(found, type):
            return found

        def called(*given: Any) -> Any:
            self.calls[name] += 1
            if name in self.broken:
                raise self.error(self.words)
            return self.returning[name] if name in self.returning else found(*given)

        return called
