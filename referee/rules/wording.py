"""The wording of what the core prints for rulesets, and rulings with a reason in such words."""

from collections.abc import Iterable

from referee.rules.ruleset import Ruling, RulingKind


def sentence(remark: str) -> str:
    """Return a remark as a sentence: with a capital first, and a full stop or mark at its end."""
    ended = remark if remark.endswith(("?", "!")) else f"{remark.rstrip('.')}."
    return f"{ended[:1].upper()}{ended[1:]}"


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: ``1 ship``, ``2 ships``, ``0 ships``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listed(parts: Iterable[str], nothing: str = "", joint: str = "and") -> str:
    """Return parts as one reads them out: ``a, b and c``; without parts, *nothing*."""
    *most, last = [*parts] or [nothing]
    return f"{', '.join(most)} {joint} {last}" if most else last


def accepted() -> Ruling:
    """Return the ruling on an order that is accepted."""
    return Ruling(RulingKind.ACCEPTED)


def warned(reason: str) -> Ruling:
    """Return the ruling on an accepted order, with a warning for its player."""
    return Ruling(RulingKind.WARNED, sentence(reason))


def rejected(reason: str) -> Ruling:
    """Return the ruling on an order that is rejected."""
    return Ruling(RulingKind.REJECTED, sentence(reason))
