"""The beginning and the end of a turn: last turn's marks go, and the turn is counted."""

from referee.rulesets.star_empires.orders import Ally, Unally
from referee.rulesets.star_empires.state import Known, KnownStorm, KnownWorld
from referee.rulesets.star_empires.turn_state import Stage, Turn

ON_TIME, MISSED = 1, -3
"""What sending orders, and not sending them, does to a dedication rating (R6.0)."""


def wipe_marks(turn: Turn) -> None:
    """Forget what last turn's report told."""
    for ship in turn.state.ships.values():
        ship.did = []
    for empire in turn.state.empires.values():
        empire.news = []
        empire.attackers = set()


def rate_dedication(turn: Turn) -> None:
    """Count who sent orders and who did not (R6.0, R8)."""
    for seat, empire in turn.state.empires.items():
        if seat in turn.missed:
            empire.dedication += MISSED
            empire.silent += 1
        elif seat in turn.sheets:
            empire.dedication += ON_TIME
            empire.silent = 0


def declare_allies(turn: Turn) -> None:
    """Note who calls whom an ally; it counts where both do."""
    for ally in turn.given(Ally):
        if turn.state.alliance_size < 2:
            ally.note("in this game nobody wins with another")
            continue
        for empire in turn.met(ally, ally.order.empires):
            turn.empire(ally.seat).allies.add(empire.seat)
            ally.done = True
    for unally in turn.given(Unally):
        for empire in turn.met(unally, unally.order.empires):
            turn.empire(unally.seat).allies.discard(empire.seat)
            unally.done = True


def count_turn(turn: Turn) -> None:
    """Let the next orders be the next turn's."""
    turn.state.turn += 1


def tell_discoveries(turn: Turn) -> None:
    """Tell every empire whom it met and what is new on its map (R6.8.5)."""
    for seat, empire in turn.state.empires.items():
        before = turn.before.empires[seat]
        for other in sorted(empire.contacts - before.contacts):
            text = f"You are in contact with {turn.name(other)} from now on."
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
