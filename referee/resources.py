"""Where our folders are, in a wheel or a checkout, and the files in the package of a ruleset."""

from importlib import resources
from pathlib import Path

FOLDERS = frozenset({"grammars", "mailtemplates", "migrations", "deploy", "docs"})


def folder(name: str) -> Path:
    """Return the folder *name*, one of ``FOLDERS``, as the wheel or the checkout has it.

    Raises ValueError for another name, and FileNotFoundError when the installation lacks it.
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

    Raises ImportError if there is no such package, and ValueError if the path leads out of its
    folder. Whether the file is there is not checked.
    """
    package, in_package, path = place.rpartition(":")
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise ValueError("leads out of its folder")
    return Path(str(resources.files(package))) / path if in_package else home / path


def rulebook_file(place: str) -> Path:
    """Return the path of a rulebook, without a package one of ours. Raises as ``located``."""
    return located(place, folder("docs") / "rulesets")
