"""Checks of plug-ins: rulesets, and casts that play them."""

from collections.abc import Iterator

from referee.doctor.report import CheckResult, fault, well
from referee.plugins import thorough
from referee.plugins.loading import Loaded
from referee.settings import Settings
from referee.testing.robots.casts import loaded_casts


def look_at_rulesets(_settings: Settings) -> Iterator[CheckResult]:
    """Check every ruleset and every cast; each one from another package gets its own line."""
    for word, loaded in (("rulesets", thorough.look()), ("casts", loaded_casts())):
        yield from _found(word, loaded)


def _found(word: str, loaded: Loaded) -> Iterator[CheckResult]:
    # A fault and its plug-in have the entry point in common.
    faulty = {finding.place for finding in loaded.findings}
    sound = [each.origin for each in loaded.plugins if each.origin.place not in faulty]
    ours = [origin.key for origin in sound if origin.is_ours]
    yield well(f"{len(ours)} {word} included: {', '.join(ours)}")
    yield from (well(f"{origin}: usable") for origin in sound if not origin.is_ours)
    yield from (fault(f.what, f.remedy, f.label, f.place) for f in loaded.findings)
