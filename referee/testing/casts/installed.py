"""The installed casts, found by their entry points, as rulesets are."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from referee import plugins
from referee.plugins.checks import golden_faults
from referee.plugins.info import typed_faults
from referee.plugins.loading import Loaded, load
from referee.plugins.origin import Kind, Origin
from referee.testing.casts.cast import Cast

GROUP: Final = "referee.casts"
KIND: Final = Kind("cast", GROUP, "for its author: see referee.testing.casts.cast")


def installed_casts() -> Mapping[str, Cast]:
    """Return the casts by the keys of their rulesets. Raises PluginError with all faults."""
    return loaded_casts().by_key()


def loaded_casts(keys: Collection[str] = ()) -> Loaded:
    """Return the casts of these rulesets, or of all, with all faults; no other is imported."""
    points = entry_points(group=GROUP)
    return casts_of([point for point in points if not keys or point.name in keys])


def casts_of(points: Iterable[EntryPoint]) -> Loaded:
    """Return the casts of *points*, and the faults of those that cannot be used."""
    return load(points, KIND, _faults)


def cast_of(key: str) -> Cast:
    """Return the cast of one ruleset. Raises PluginError with all its faults."""
    cast: Cast = loaded_casts([key]).by_key()[key]
    return cast


def cast_keys() -> list[str]:
    """Return the keys of all casts without importing any."""
    return sorted(entry_points(group=GROUP).names)


def _faults(origin: Origin, found: object) -> Iterator[str]:
    if not isinstance(found, Cast):
        yield "it is not a Cast"
        return
    if wrong := [*typed_faults("cast", found)]:
        yield from wrong
        return
    if origin.key not in plugins.ruleset_keys():
        yield f"there is no ruleset {origin.key!r}; a cast has the key of its ruleset"
    if not origin.is_ours:
        for game in found.golden.values():
            yield from golden_faults(game.file, origin.ships)
