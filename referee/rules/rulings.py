"""Builders of rulings before the deadline, each with its reason as a sentence."""

from referee.rules.ruleset import Ruling, RulingKind
from referee.rules.wording import sentence


def accepted() -> Ruling:
    """Return the ruling on an order that is accepted."""
    return Ruling(RulingKind.ACCEPTED)


def warned(reason: str) -> Ruling:
    """Return the ruling on an accepted order, with a warning for its player."""
    return Ruling(RulingKind.WARNED, sentence(reason))


def rejected(reason: str) -> Ruling:
    """Return the ruling on an order that is rejected."""
    return Ruling(RulingKind.REJECTED, sentence(reason))
