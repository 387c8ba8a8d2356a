"""The beginning and the end of a turn: clearing last turn's marks, and counting the turn."""

from referee.rulesets.star_empires.orders import Ally, Unally
from referee.rulesets.star_empires.state import Known, KnownStorm, KnownWorld
from referee.rulesets.star_empires.turn_state import NO_ALLIANCES, Stage, Turn

ON_TIME, MISSED = 1, -3
"""The change of a dedication rating for sending orders, and for missing a turn (R6.0)."""


def clear_marks(turn: Turn) -> None:
    """Clear the facts for last turn's report."""
    for ship in turn.state.ships.values():
        ship.did = []
    for empire in turn.state.empires.values():
        empire.news = []
        empire.attackers = set()


def rate_dedication(turn: Turn) -> None:
    """Rate the empires by whether they sent orders (R6.0, R8)."""
    for seat, empire in turn.state.empires.items():
        if seat in turn.defaulted:
            empire.dedication += MISSED
            empire.silent += 1
        elif seat in turn.sheets:
            empire.dedication += ON_TIME
            empire.silent = 0


def declare_allies(turn: Turn) -> None:
    """Record the declared allies; an alliance counts only if both sides declare it."""
    for ally in turn.given(Ally):
        if turn.state.alliance_size < 2:
            ally.note(NO_ALLIANCES)
            continue
        for empire in turn.met(ally, ally.order.empires):
            turn.empire(ally.seat).allies.add(empire.seat)
            ally.done = True
    for unally in turn.given(Unally):
        for empire in turn.met(unally, unally.order.empires):
            turn.empire(unally.seat).allies.discard(empire.seat)
            unally.done = True


def count_turn(turn: Turn) -> None:
    """Count the turn."""
    turn.state.turn += 1


def report_discoveries(turn: Turn) -> None:
    """Report every empire's new contacts and the new objects on its map (R6.8.5)."""
    for seat, empire in turn.state.empires.items():
        before = turn.before.empires[seat]
        for other in sorted(empire.contacts - before.contacts):
            text = f"You are now in contact with {turn.name(other)}."
            turn.tell(Stage.SCANNING, {seat}, text)
        known = {each.name for each in before.objects()}
        for each in sorted(empire.objects(), key=lambda each: each.name):
            if each.name not in known:
                turn.tell_of(
                    Stage.SCANNING, {seat}, "New on your map", f"{_kind(each)} {each.name}"
                )


def _kind(each: Known) -> str:
    if isinstance(each, KnownStorm):
        return "storm" if each.intensity else "nebula"
    return "world" if isinstance(each, KnownWorld) else "portal"
