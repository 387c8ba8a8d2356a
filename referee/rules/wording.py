"""The wording of what the core prints for rulesets, and rulings with a reason in such words."""

from collections.abc import Container, Iterable

from referee.rules.ruleset import Ruling, RulingKind
from referee.rules.views import Sentences, View


def sentence(remark: str) -> str:
    """Return a remark as a sentence: with a capital first, and a full stop or mark at its end."""
    ended = remark if remark.endswith(("?", "!")) else f"{remark.rstrip('.')}."
    return f"{ended[:1].upper()}{ended[1:]}"


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: ``1 ship``, ``2 ships``, ``0 ships``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def changed(number: int, before: int, *, thing: str = "") -> str:
    """Return a number, or of *thing*, with its change if there is any: ``3 ships (+1)``."""
    words = counted(number, thing) if thing else f"{number}"
    return f"{words} ({number - before:+d})" if number != before else words


def listed(parts: Iterable[str], nothing: str = "", joint: str = "and") -> str:
    """Return parts as one reads them out: ``a, b and c``; without parts, *nothing*."""
    *most, last = [*parts] or [nothing]
    return f"{', '.join(most)} {joint} {last}" if most else last


def left_out(others: Iterable[tuple[str, str]], uncounted: Container[str] = ()) -> View:
    """Return the end of a forecast: the units of others at its places, which it does not play.

    *others* are places, in the sequence to show, each with one of these units in words. The
    forecast must not count on a gain at the places that are *uncounted*.
    """
    units: dict[str, list[str]] = {}
    for place, unit in others:
        units.setdefault(place, []).append(unit)
    lines = tuple(
        f"At {place}: {listed(there)}.{_NO_GAIN if place in uncounted else ''}"
        for place, there in units.items()
    )
    return (Sentences(lines, "Left out: what others do"),) if lines else ()


_NO_GAIN = " The forecast counts on no gain there."


def accepted() -> Ruling:
    """Return the ruling on an order that is accepted."""
    return Ruling(RulingKind.ACCEPTED)


def warned(reason: str) -> Ruling:
    """Return the ruling on an accepted order, with a warning for its player."""
    return Ruling(RulingKind.WARNED, sentence(reason))


def rejected(reason: str) -> Ruling:
    """Return the ruling on an order that is rejected."""
    return Ruling(RulingKind.REJECTED, sentence(reason))
