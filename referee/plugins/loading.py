"""A loader of plug-ins: it imports the objects of a group of entry points and finds faults."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any

from referee.errors import Finding, PluginError
from referee.plugins.origin import Kind, Origin, faults_in

Check = Callable[[Origin, Any], Iterable[str]]
"""Returns the faults of the object of an entry point."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plug-in that was imported and passed its check."""

    origin: Origin
    found: Any


@dataclass(frozen=True, slots=True)
class Loaded:
    """The plug-ins of a kind that can be used, those of the referee first, and all faults."""

    plugins: tuple[Plugin, ...]
    findings: tuple[Finding, ...]

    def by_key(self) -> dict[str, Any]:
        """Return all plug-ins by their keys. Raises PluginError with all faults, if any."""
        if self.findings:
            raise PluginError(*self.findings)
        return {plugin.origin.key: plugin.found for plugin in self.plugins}


def load(points: Iterable[EntryPoint], kind: Kind, check: Check) -> Loaded:
    """Import the objects of *points*. If several have one key, the referee's own is kept."""
    origins = sorted(
        (Origin(kind, point) for point in points),
        key=lambda origin: (not origin.is_ours, origin.key, origin.package),
    )
    keys: dict[str, Origin] = {}
    plugins: list[Plugin] = []
    findings: list[Finding] = []
    for origin in origins:
        other = keys.setdefault(origin.key, origin)
        if other is not origin:
            fault = f"{other.package} also brings a {kind.word} with that key"
            findings.append(origin.finding(fault, other))
            continue
        imported: list[Plugin] = []
        faults = faults_in(origin, "while it was imported", _imported(origin, check, imported))
        findings += map(origin.finding, faults)
        plugins += imported if not faults else ()
    return Loaded(tuple(plugins), tuple(findings))


def _imported(origin: Origin, check: Check, imported: list[Plugin]) -> Iterator[str]:
    """Import a plug-in, add it to *imported* and yield its faults."""
    found = origin.point.load()
    imported.append(Plugin(origin, found))
    yield from check(origin, found)
