"""The rulings on orders before the deadline, each with its reason as a sentence."""

from referee.rules.ruleset import Ruling, RulingKind
from referee.rules.wording import sentence


def accepted() -> Ruling:
    """Return the ruling on an order that simply stands."""
    return Ruling(RulingKind.ACCEPTED)


def warned(reason: str) -> Ruling:
    """Return the ruling on an order that stands, with something its player should know."""
    return Ruling(RulingKind.WARNED, sentence(reason))


def refused(reason: str) -> Ruling:
    """Return the ruling on an order of which nothing can come."""
    return Ruling(RulingKind.REFUSED, sentence(reason))
