"""The rulesets that are installed, found by their entry points."""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

from referee.errors import Finding, PluginError
from referee.rules.ruleset import Ruleset, RulesetInfo

GROUP: Final = "referee.rulesets"

_FUNCTIONS: Final = sorted(
    name for name, member in vars(Ruleset).items() if callable(member) and not name.startswith("_")
)


def installed_rulesets() -> Mapping[str, Ruleset[Any, Any]]:
    """Give the installed rulesets by their keys. Raises PluginError with all that is wrong."""
    return rulesets_of(entry_points(group=GROUP))


def rulesets_of(points: Iterable[EntryPoint]) -> Mapping[str, Ruleset[Any, Any]]:
    """Give the rulesets behind *points* by their keys. Raises PluginError with every fault."""
    rulesets: dict[str, Ruleset[Any, Any]] = {}
    faults: list[Finding] = []
    for point in sorted(points, key=lambda point: point.name):
        found, trouble = _loaded(point)
        if point.name in rulesets:
            trouble = f"another package brings a ruleset called {point.name!r} already"
        if trouble:
            faults.append(_finding(point, trouble))
        else:
            rulesets[point.name] = cast("Ruleset[Any, Any]", found)
    if faults:
        raise PluginError(*faults)
    return rulesets


def _loaded(point: EntryPoint) -> tuple[object, str]:
    """Return what stands behind an entry point, and what is wrong with it, if anything is."""
    try:
        found = point.load()
        return found, _trouble(point.name, found)
    # Somebody else's module may raise anything, or end the program as a script does.
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is told as that package's fault
        return None, f"{type(error).__name__} while it was imported: {error}"


def _trouble(name: str, found: object) -> str:
    if isinstance(found, type):
        return f"it is the class {found.__name__}; a ruleset is an object of it"
    info = getattr(found, "info", None)
    if not isinstance(info, RulesetInfo):
        return "its info is no RulesetInfo"
    if info.key != name:
        return f"its info.key is {info.key!r}, which must be the entry point's name"
    if not isinstance(getattr(found, "state_type", None), type):
        return "its state_type is no class"
    missing = [function for function in _FUNCTIONS if not callable(getattr(found, function, None))]
    return f"it lacks {', '.join(missing)}" if missing else ""


def _finding(point: EntryPoint, trouble: str) -> Finding:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else "a package"
    return Finding(
        f"the ruleset {point.name!r} of {package} cannot be used: {trouble}",
        "update or remove that package; its author finds the interface in referee.rules.ruleset",
        "object",
        point.value,
    )
