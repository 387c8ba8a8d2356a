"""Paths of our folders, in a wheel or a checkout, and of files in ruleset packages."""

from importlib import resources
from pathlib import Path

FOLDERS = frozenset({"grammars", "mailtemplates", "migrations", "deploy", "docs"})


def folder(name: str) -> Path:
    """Return the folder *name*, one of ``FOLDERS``, in the wheel or the checkout.

    Raises ValueError for another name, and FileNotFoundError if the installation lacks it.
    """
    if name not in FOLDERS:
        raise ValueError(f"there is no folder {name!r}, only {', '.join(sorted(FOLDERS))}")
    package = Path(__file__).parent
    for place in (package / "_data" / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the installation lacks its folder {name!r}")


def located(place: str, home: Path) -> Path:
    """Return the path of *place*: ``package:path`` in the folder of a package, else in *home*.

    Raises ImportError if there is no such package, and ValueError if the path is outside of its
    folder. The file itself is not checked.
    """
    package, in_package, path = place.rpartition(":")
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise ValueError("leads out of its folder")
    return Path(str(resources.files(package))) / path if in_package else home / path


def rulebook_file(place: str) -> Path:
    """Return the path of a rulebook; without a package, one of ours. Raises like ``located``."""
    return located(place, folder("docs") / "rulesets")
