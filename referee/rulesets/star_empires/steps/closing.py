"""The beginning and the end of a turn: clearing last turn's marks, and counting the turn."""

from collections import Counter
from itertools import chain

from referee.rules.wording import counted
from referee.rulesets.star_empires.hulls import HAMMER
from referee.rulesets.star_empires.orders import Ally, Unally
from referee.rulesets.star_empires.state import Empire, Known, KnownStorm, KnownWorld, Storm
from referee.rulesets.star_empires.turn_state import NO_ALLIANCES, EmpireOrder, Stage, Turn


def stabilize_portals(turn: Turn) -> None:
    """Open every collapsed portal again (R6.1.7)."""
    for portal in turn.state.portals.values():
        portal.collapsed = False


def collapse_portals(turn: Turn) -> None:
    """Collapse every portal where a hammer was deployed this turn (R6.1.8)."""
    for seat, kind, at in turn.deployed:
        for portal in turn.state.portals.values():
            if kind == HAMMER and portal.at == at:
                portal.collapsed = True
                text = f"{turn.name(seat)}'s hammer collapses the portal {portal.name} at %s."
                turn.tell(Stage.LOGISTICS, turn.witnesses(at), text, at)


def fluctuate_storms(turn: Turn) -> None:
    """Change storms by their patterns, or at random up to their initial strength (R6.1.9)."""
    for storm in turn.state.storms.values():
        _fluctuate(turn, storm)


def _fluctuate(turn: Turn, storm: Storm) -> None:
    if storm.random:
        storm.intensity = turn.dice.at("storm", storm.name).below(storm.initial + 1)
    elif storm.fluctuations:
        entry = storm.fluctuations[turn.state.turn % len(storm.fluctuations)]
        storm.intensity = max(0, storm.initial + entry)


ON_TIME, MISSED = 1, -3
"""The change of a dedication rating for sending orders, and for missing a turn (R6.0)."""


def clear_marks(turn: Turn) -> None:
    """Clear the facts for last turn's report."""
    for ship in turn.state.ships.values():
        ship.did = []
    for empire in turn.state.empires.values():
        empire.attackers = set()


def rate_dedication(turn: Turn) -> None:
    """Rate the empires by whether they sent orders (R6.0)."""
    for seat, empire in turn.state.empires.items():
        if seat in turn.defaulted:
            empire.dedication += MISSED
        elif turn.sheets.get(seat):
            empire.dedication += ON_TIME


def declare_allies(turn: Turn) -> None:
    """Record the declared allies; an alliance counts only if both sides declare it.

    Each sheet runs in its own order, so the last declaration about an empire counts.
    """
    declarations: list[EmpireOrder[Ally | Unally]] = turn.given(Ally, Unally)
    for given in declarations:
        allies, is_ally = turn.empire(given.seat).allies, isinstance(given.order, Ally)
        if is_ally and turn.state.alliance_size < 2:
            given.note(NO_ALLIANCES)
            continue
        for empire in turn.met(given, given.order.empires):
            (allies.add if is_ally else allies.discard)(empire.seat)
            given.done = True


def count_turn(turn: Turn) -> None:
    """Count the turn."""
    turn.state.turn += 1


def report_discoveries(turn: Turn) -> None:
    """Report the new and changed objects and contacts of every empire (R6.8.4, R6.8.5)."""
    for seat, empire in turn.state.empires.items():
        before = turn.before.empires[seat]
        _report_changes(turn, before, empire)
        _report_shared(turn, empire)
        for other in turn.by_name(empire.contacts - before.contacts):
            text = f"You are now in contact with {turn.name(other)}."
            turn.tell(Stage.SCANNING, {seat}, text)
        known = {each.name for each in before.objects()}
        new = (each for each in empire.objects() if each.name not in known)
        for each in sorted(new, key=lambda each: each.name):
            turn.tell_of(Stage.SCANNING, {seat}, "New on your map", f"{kind_of(each)} {each.name}")


def _report_changes(turn: Turn, before: Empire, empire: Empire) -> None:
    """Report the storms that changed and the portals that reformed, as the empire now sees them."""
    for name, storm in empire.storms.items():
        was = before.storms.get(name)
        if was is not None and was.intensity != storm.intensity:
            text = f"The storm {name} at %s changes from strength {was.intensity}"
            text = f"{text} to {storm.intensity}."
            turn.tell(Stage.SCANNING, {empire.seat}, text, storm.at)
    for name, portal in empire.portals.items():
        known = before.portals.get(name)
        if known is not None and known.collapsed and not portal.collapsed:
            text = f"The portal {name} at %s has reformed."
            turn.tell(Stage.SCANNING, {empire.seat}, text, portal.at)


def _report_shared(turn: Turn, empire: Empire) -> None:
    """Report how many sectors each empire shows to this one."""
    shown = Counter(chain.from_iterable(seen.shown for seen in empire.chart))
    for donor in turn.by_name(shown):
        text = f"{turn.name(donor)} shows you {counted(shown[donor], 'sector')}."
        turn.tell(Stage.SCANNING, {empire.seat}, text)


def kind_of(each: Known) -> str:
    """Return the kind of an object on the map, in a word."""
    if isinstance(each, KnownStorm):
        return "storm" if each.intensity else "nebula"
    return "world" if isinstance(each, KnownWorld) else "portal"
