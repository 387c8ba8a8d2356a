"""The orders of each section of a turn (rule 5)."""

from collections.abc import Mapping
from typing import Final

from referee.rulesets.singularity.doctrine import DOCTRINES
from referee.rulesets.singularity.orders import (
    Build,
    Declare,
    Hide,
    Move,
    Order,
    Repair,
    Resign,
    Scrap,
    SetAlliance,
    Terraform,
)
from referee.rulesets.singularity.sections import SECTIONS, TITLES
from referee.rulesets.singularity.state import Section, State

_ECONOMIC: Final = (Scrap, Repair, Hide, Build)
_POLITICAL: Final = (Terraform, SetAlliance, Declare)

ACCEPTED: Final[Mapping[Section, tuple[type[Order], ...]]] = {
    Section.TURN: (*_ECONOMIC, Move, *DOCTRINES, *_POLITICAL, Resign),
    Section.PLAN: (*_ECONOMIC, Move, Resign),
    Section.SETTLE: (*DOCTRINES, *_POLITICAL, Resign),
    Section.ECONOMIC: (*_ECONOMIC, Resign),
    Section.MOVEMENT: (Move, Resign),
    Section.COMBAT: (*DOCTRINES, Resign),
    Section.ECOPOLITICAL: (*_POLITICAL, Resign),
    Section.OVER: (),
}


def objection_to_section(state: State, order: Order) -> str:
    """Return why this section rejects an order: it belongs elsewhere, or the war is over."""
    there = [s for s in SECTIONS[state.rules.mode] if isinstance(order, ACCEPTED[s])]
    if not there:
        return "the war is over"
    return f'this order belongs to the section "{TITLES[there[0]]}". Send it then'
