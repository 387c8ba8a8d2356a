"""The casts that are installed, found by their entry points, as rulesets are."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Final, cast

from referee import plugins
from referee.testing.robots.cast import Cast

GROUP: Final = "referee.casts"


def installed_casts() -> Mapping[str, Cast]:
    """Return the casts by the keys of their rulesets. Raises PluginError with all that is wrong."""
    remedy = "its author finds what a cast is in referee.testing.robots.cast"
    found = plugins.loaded(entry_points(group=GROUP), "cast", _trouble, remedy)
    return cast("Mapping[str, Cast]", found)


def cast_keys() -> list[str]:
    """Return the keys of all casts; none of them is imported for that."""
    return sorted(entry_points(group=GROUP).names)


def _trouble(name: str, found: object) -> str:
    if not isinstance(found, Cast):
        return "it is no Cast"
    if name not in entry_points(group=plugins.GROUP).names:
        return f"there is no ruleset {name!r}; a cast has the key of its ruleset"
    return ""
