"""Rulings on a sheet before the deadline: what stands, what stands but, what does not, and why."""

from collections.abc import Sequence

from referee.rules.ruleset import Outcome, Ruling, RulingKind, Seat
from referee.rules.rulings import accepted
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.foresight import foresee
from referee.rulesets.starweb.rejections import objection
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.warnings import caution, softened


def validate(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[Ruling]:
    """Rule on a whole sheet, one ruling per order, from what the seat may know (s28, s29).

    The turn is resolved in the galaxy as the seat knows it, with nobody else acting: so transfers,
    builds and loads of the sheet count in the sequence of the turn, and what fails there fails
    here with the same reason. What depends on others is a warning.
    """
    if seat not in state.players:
        return [Ruling(RulingKind.REFUSED, "you have no seat in this game.") for _ in orders]
    sight, resolved = Sight(state, seat), foresee(state, seat, orders).resolution.outcomes[seat]
    return [_ruling(sight, order, outcome, orders) for order, outcome in resolved]


def _ruling(sight: Sight, order: o.Order, outcome: Outcome, sheet: Sequence[o.Order]) -> Ruling:
    if (wrong := objection(sight, order)) is not None:
        return Ruling(RulingKind.REFUSED, wrong)
    if not outcome.done:
        depends = None if _is_excluded(outcome) else softened(sight, order)
        if depends is not None:
            return Ruling(RulingKind.WARNED, depends)
        return Ruling(RulingKind.REFUSED, _sentence(outcome.reason))
    cautious = caution(sight, order, sheet)
    if not outcome.reason and cautious is None:
        return accepted()
    return Ruling(RulingKind.WARNED, " ".join(filter(None, (_sentence(outcome.reason), cautious))))


def _is_excluded(outcome: Outcome) -> bool:
    return outcome.reason.endswith("was typed first")


def _sentence(reason: str) -> str:
    if reason.endswith("was typed first"):
        return f"{reason}, and the two exclude each other."
    return reason and reason.rstrip(".") + "."
