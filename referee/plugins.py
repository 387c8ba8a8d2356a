"""What packages bring for us, found by its entry points: rulesets, and what belongs to them."""

from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

from referee.errors import Finding, PluginError
from referee.resources import rulebook_file
from referee.rules.extras import Extras
from referee.rules.ruleset import Ruleset, RulesetInfo

GROUP: Final = "referee.rulesets"

Check = Callable[[str, object], str]
"""Says what is wrong with what stands behind an entry point of that name; empty if nothing."""

_FUNCTIONS: Final = sorted(
    name for name, member in vars(Ruleset).items() if callable(member) and not name.startswith("_")
)


def installed_rulesets() -> Mapping[str, Ruleset[Any, Any]]:
    """Return the installed rulesets by their keys. Raises PluginError with all that is wrong."""
    return rulesets_of(entry_points(group=GROUP))


def rulesets_of(points: Iterable[EntryPoint]) -> Mapping[str, Ruleset[Any, Any]]:
    """Return the rulesets behind *points* by their keys. Raises PluginError with every fault."""
    remedy = (
        "update or remove that package; its author finds the interface in referee.rules.ruleset"
    )
    return cast("Mapping[str, Ruleset[Any, Any]]", loaded(points, "ruleset", fault_of, remedy))


def loaded(
    points: Iterable[EntryPoint], kind: str, check: Check, remedy: str
) -> Mapping[str, object]:
    """Return what stands behind *points*, by their names; it is of that *kind*.

    Raises PluginError with every fault that *check* finds, and *remedy*.
    """
    found: dict[str, object] = {}
    faults: list[Finding] = []
    for point in sorted(points, key=lambda point: point.name):
        value, trouble = _loaded(point, check)
        if point.name in found:
            trouble = f"another package brings a {kind} called {point.name!r} already"
        if trouble:
            faults.append(_finding(point, f"the {kind} {point.name!r}", trouble, remedy))
        else:
            found[point.name] = value
    if faults:
        raise PluginError(*faults)
    return found


def _loaded(point: EntryPoint, check: Check) -> tuple[object, str]:
    """Return what stands behind an entry point, and what is wrong with it, if anything is."""
    try:
        found = point.load()
        return found, check(point.name, found)
    # Somebody else's module may raise anything, or end the program as a script does.
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is told as that package's fault
        return None, f"{type(error).__name__} while it was imported: {error}"


def fault_of(name: str, found: object) -> str:
    """Say why *found* cannot be the ruleset of that key; empty if it can."""
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
    if missing:
        return f"it lacks {', '.join(missing)}"
    return _without_rulebook(getattr(found, "extras", Extras()))


def _without_rulebook(extras: object) -> str:
    """Say what is wrong with the extras of a ruleset: their type, or a file that is missing."""
    if not isinstance(extras, Extras):
        return "its extras are no Extras"
    try:
        is_there = not extras.rulebook or rulebook_file(extras.rulebook).is_file()
    except (ImportError, OSError):
        is_there = False
    return "" if is_there else f"its rulebook {extras.rulebook} is not there"


def _finding(point: EntryPoint, what: str, trouble: str, remedy: str) -> Finding:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else "a package"
    return Finding(
        f"{what} of {package} cannot be used: {trouble}",
        remedy,
        "object",
        point.value,
    )
