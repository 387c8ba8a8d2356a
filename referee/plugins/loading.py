"""Loading of plug-ins: the object behind every entry point of a group, and all that is wrong."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any

from referee.errors import Finding, PluginError
from referee.plugins.origin import Kind, Origin, faults_in

Check = Callable[[Origin, Any], Iterable[str]]
"""Returns what is wrong with the object behind an entry point."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plug-in that was imported, and has no fault that its check finds."""

    origin: Origin
    found: Any


@dataclass(frozen=True, slots=True)
class Loaded:
    """The plug-ins of a kind that can be used, those of the referee first, and all faults."""

    plugins: tuple[Plugin, ...]
    findings: tuple[Finding, ...]

    def by_key(self) -> dict[str, Any]:
        """Return all plug-ins by their keys. Raises PluginError with every fault, if any."""
        if self.findings:
            raise PluginError(*self.findings)
        return {plugin.origin.key: plugin.found for plugin in self.plugins}


def load(points: Iterable[EntryPoint], kind: Kind, check: Check) -> Loaded:
    """Import what is behind *points*. Of several with one key, the referee's own is kept."""
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
            fault = f"{other.package} brings a {kind.word} with that key, too"
            findings.append(origin.finding(fault, other))
            continue
        imported: list[Plugin] = []
        faults = faults_in(origin, "while it was imported", _imported(origin, check, imported))
        findings += map(origin.finding, faults)
        plugins += imported if not faults else ()
    return Loaded(tuple(plugins), tuple(findings))


def _imported(origin: Origin, check: Check, imported: list[Plugin]) -> Iterator[str]:
    """Import a plug-in, add it to *imported* and find its faults."""
    found = origin.point.load()
    imported.append(Plugin(origin, found))
    yield from check(origin, found)
