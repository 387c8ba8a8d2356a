"""The plug-ins that packages bring by entry points: rulesets here, and casts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from referee.errors import Finding
from referee.plugins.checks import clashes, interface_faults, value_faults
from referee.plugins.loading import Loaded, Plugin, load
from referee.plugins.origin import Kind, faults_in
from referee.rules.ruleset import Ruleset

GROUP: Final = "referee.rulesets"
CHECKING: Final = "while it was checked"
KIND: Final = Kind("ruleset", GROUP, "for its author: see docs/ruleset-authors.md")


def installed_rulesets() -> Mapping[str, Ruleset[Any, Any]]:
    """Return the installed rulesets by their keys. Raises PluginError with all faults."""
    return rulesets_of(entry_points(group=GROUP))


def rulesets_of(points: Iterable[EntryPoint]) -> Mapping[str, Ruleset[Any, Any]]:
    """Return the rulesets of *points* by their keys. Raises PluginError with all faults."""
    return loaded_rulesets(points).by_key()


def ruleset_keys() -> frozenset[str]:
    """Return the keys of all rulesets without importing any."""
    return frozenset(entry_points(group=GROUP).names)


def loaded_rulesets(points: Iterable[EntryPoint]) -> Loaded:
    """Return the rulesets of *points*, and the faults of those that cannot be used."""
    loaded = load(points, KIND, lambda origin, found: interface_faults(origin.key, found))
    findings = [*loaded.findings]
    for number, plugin in enumerate(loaded.plugins):
        origin = plugin.origin
        faults = faults_in(origin, CHECKING, value_faults(plugin.found, origin.ships))
        findings += map(origin.finding, faults)
        findings += _clashes(plugin, loaded.plugins[:number])
    return Loaded(loaded.plugins, tuple(findings))


def _clashes(plugin: Plugin, others: Sequence[Plugin]) -> Iterator[Finding]:
    """Yield the names that a ruleset shares with one of *others*, which keep theirs."""
    for other in others:
        for fault in clashes(plugin.found.info, other.found.info):
            yield plugin.origin.finding(f"{fault} {other.origin}", other.origin)
