"""Lines of the settings in a TOML file, for error messages."""

import re
from collections import Counter
from collections.abc import Mapping

Path = tuple[str | int, ...]
"""The path of a setting: ``("imap", 0, "host")``."""

_HEADER = re.compile(r"\s*+(\[\[?+)([^\]]++)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=""")


def lines_of(text: str) -> Mapping[Path, int]:
    """Return the line, counted from 1, of every section and key of a valid TOML text.

    Keys inside inline tables and lists are left out; ``line_of`` returns the line of the whole
    value for them.
    """
    places: dict[Path, int] = {}
    tables: Counter[str] = Counter()
    section: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            name = header[2].strip()
            section = _names(name)
            if header[1] == "[[":
                tables[name] += 1
                section = (*section, tables[name] - 1)
            places.setdefault(section, number)
        elif key := _KEY.match(line):
            places.setdefault((*section, *_names(key[1])), number)
    return places


def line_of(places: Mapping[Path, int], path: Path) -> int | None:
    """Return the line of *path*, or of the nearest section around it, or None."""
    for length in range(len(path), 0, -1):
        if path[:length] in places:
            return places[path[:length]]
    return None


def _names(dotted: str) -> Path:
    return tuple(name.strip().strip("\"'") for name in dotted.split("."))
