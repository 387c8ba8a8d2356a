"""Rulings on a sheet before the deadline: accepted, warned or rejected, with reasons."""

from collections.abc import Sequence
from typing import Any, Final

from referee.rules.ruleset import Outcome, Ruling, RulingKind, Seat
from referee.rules.rulings import accepted, rejected, warned
from referee.rules.turns import NO_SEAT
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.foresight import foresee
from referee.rulesets.starweb.rejections import rejection
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.steps.sheets import TWICE, TYPED_FIRST
from referee.rulesets.starweb.warnings import condition, fills, warning

_WITH_SHIPS: Final = (o.MoveFleet, o.TransferToFleet, o.TransferToHome)
"""Orders that fail for want of ships in words for a fleet that had some."""


def validate(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[Ruling]:
    """Return one ruling for each order of a sheet, from what the seat can know (s28, s29).

    The turn is resolved in the galaxy as the seat knows it, with no orders of other players. An
    order that fails there is rejected with the same reason; if it depends on others, it is warned.
    """
    if seat not in state.players:
        return [rejected(NO_SEAT) for _ in orders]
    sight, resolved = Sight(state, seat), foresee(state, seat, orders).resolution.outcomes[seat]
    done = [order for order, outcome in resolved if outcome.done]
    return [_ruling(sight, order, outcome, done) for order, outcome in resolved]


def _ruling(sight: Sight, order: o.Order, outcome: Outcome, done: Sequence[o.Order]) -> Ruling:
    if (wrong := rejection(sight, order)) is not None:
        return Ruling(RulingKind.REJECTED, wrong)
    if not outcome.done:
        reason = outcome.reason.rstrip(".")
        if reason.casefold() == TWICE and order in done:
            return warned("This order is on the sheet twice. It counts once.")
        if reason.endswith(TYPED_FIRST):
            return rejected(f"{outcome.reason} You can give only one of these two orders")
        if (depends := condition(sight, order)) is not None:
            return warned(depends)
        return rejected(_of_empty_fleet(sight, order, done) or outcome.reason)
    warnings = [*filter(None, (outcome.reason, warning(sight, order, done)))]
    return warned(" ".join(warnings)) if warnings else accepted()


def _of_empty_fleet(sight: Sight, order: Any, done: Sequence[o.Order]) -> str:
    """Return why an order fails to a fleet that has no ships and gets none, or "" for another."""
    fleet = sight.own_fleet(order.fleet) if isinstance(order, _WITH_SHIPS) else None
    if fleet is None or fleet.ships or any(fills(sight, each, fleet.number) for each in done):
        return ""
    return f"F{fleet.number} has no ships"
