"""Which orders belong to which section of a turn (rule 5)."""

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


def elsewhere(state: State, order: Order) -> str:
    """Say in which section of the turn an order is given that does not belong to this one."""
    there = [s for s in SECTIONS[state.rules.mode] if isinstance(order, ACCEPTED[s])]
    return f'that is ordered in the section "{TITLES[there[0]]}"' if there else "the war is over"
