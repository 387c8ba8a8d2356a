"""Astronomics: portals reform and collapse, storms change (RULES 6.1.7 to 6.1.9)."""

from referee.rulesets.star_empires.hulls import HAMMER
from referee.rulesets.star_empires.state import Storm
from referee.rulesets.star_empires.turn_state import Stage, Turn


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
