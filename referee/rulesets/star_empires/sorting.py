"""The sort order of names in tables: p2 before p10, ignoring case."""

import re

Natural = tuple[tuple[int, str], ...]


def natural(name: str) -> Natural:
    """Return a key that sorts p2 before p10, ignoring case."""
    parts = re.findall("[0-9]+|[^0-9]+", name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)
