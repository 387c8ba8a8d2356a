"""Where the folders beside the package are: carried in a wheel, or beside it in a checkout."""

from pathlib import Path

FOLDERS = frozenset({"grammars", "mailtemplates", "migrations", "deploy", "docs"})


def folder(name: str) -> Path:
    """Give the folder *name*, one of ``FOLDERS``, as the wheel or the checkout has it.

    Raises ValueError for another name, and FileNotFoundError when the installation lacks it.
    """
    if name not in FOLDERS:
        raise ValueError(f"there is no folder {name!r}, only {', '.join(sorted(FOLDERS))}")
    package = Path(__file__).parent
    for place in (package / "_data" / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the installation lacks its folder {name!r}")
