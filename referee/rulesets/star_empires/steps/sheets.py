"""The sheets at the deadline: only orders that were accepted before it run."""

from referee.rules.ruleset import RulingKind
from referee.rulesets.star_empires.rulings import validate
from referee.rulesets.star_empires.turn_state import Turn


def drop_rejected(turn: Turn) -> None:
    """Exclude the rejected orders, with the reason that the player has read."""
    for seat, sheet in turn.sheets.items():
        if seat not in turn.before.empires:
            continue
        rulings = validate(turn.before, seat, [given.order for given in sheet])
        for given, ruling in zip(sheet, rulings, strict=True):
            if ruling.kind is RulingKind.REJECTED:
                given.fail(ruling.reason.rstrip("."))
