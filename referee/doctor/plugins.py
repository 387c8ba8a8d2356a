"""Checks of plug-ins: rulesets, and casts that play them."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from referee import plugins
from referee.doctor.report import CheckResult, fault, well
from referee.doctor.trial import fault_in
from referee.errors import Finding
from referee.plugins import thorough
from referee.plugins.loading import Loaded
from referee.plugins.origin import Kind, Origin
from referee.testing.robots import casts

Load = Callable[[Iterable[EntryPoint]], Loaded]


def look_at_rulesets(_settings: object = None) -> Iterator[CheckResult]:
    """Check every ruleset and every cast; each one from another package gets its own line."""
    yield from _found("rulesets", plugins.KIND, thorough.look)
    yield from _found("casts", casts.KIND, casts.casts_of)


def _found(word: str, kind: Kind, load: Load) -> Iterator[CheckResult]:
    points = [*entry_points(group=kind.group)]
    violent = [*_violent(kind, points, load)]
    places = {finding.place for finding in violent}
    loaded = load(point for point in points if Origin(kind, point).place not in places)
    findings = (*violent, *loaded.findings)
    # A fault and its plug-in have the entry point in common.
    faulty = {finding.place for finding in findings}
    sound = [each.origin for each in loaded.plugins if each.origin.place not in faulty]
    ours = [origin.key for origin in sound if origin.is_ours]
    yield well(f"{len(ours)} {word} included: {', '.join(ours)}")
    yield from (well(f"{origin}: usable") for origin in sound if not origin.is_ours)
    yield from (fault(f.what, f.remedy, f.label, f.place) for f in findings)


def _violent(kind: Kind, points: Iterable[EntryPoint], load: Load) -> Iterator[Finding]:
    """Yield the faults of plug-ins that would end or block the doctor."""
    for origin in (Origin(kind, point) for point in points):
        if origin.is_ours:
            continue
        top = origin.point.module.partition(".")[0]
        if words := fault_in(partial(load, [origin.point]), top):
            yield origin.finding(words)
