"""How rulesets word what the core prints."""

from collections.abc import Iterable


def sentence(remark: str) -> str:
    """Write a remark as a sentence: with a capital first, and a stop at its end."""
    return f"{remark[:1].upper()}{remark[1:].rstrip('.')}."


def counted(number: int, thing: str) -> str:
    """Write a number of things: ``1 ship``, ``2 ships``, ``0 ships``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listed(parts: Iterable[str], nothing: str = "") -> str:
    """Write parts as one reads them out: ``a, b and c``; no part is *nothing*."""
    *most, last = [*parts] or [nothing]
    return f"{', '.join(most)} and {last}" if most else last
