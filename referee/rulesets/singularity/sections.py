"""The sections of a turn in the three modes, and their order (rule 5)."""

from collections.abc import Mapping
from typing import Final

from referee.rules.ruleset import Phase, Seat
from referee.rulesets.singularity.combat import goes_on, in_combat
from referee.rulesets.singularity.state import Mode, Section, State

SECTIONS: Final[Mapping[Mode, tuple[Section, ...]]] = {
    Mode.SINGLE: (Section.TURN,),
    Mode.TWO: (Section.PLAN, Section.SETTLE),
    Mode.FULL: (Section.ECONOMIC, Section.MOVEMENT, Section.COMBAT, Section.ECOPOLITICAL),
}
"""The sections of a turn in each mode, in order."""
TITLES: Final[Mapping[Section, str]] = {
    Section.TURN: "All orders of the turn",
    Section.PLAN: "Economy and movement",
    Section.SETTLE: "Combat and politics",
    Section.ECONOMIC: "Economy",
    Section.MOVEMENT: "Movement",
    Section.COMBAT: "Combat",
    Section.ECOPOLITICAL: "Colours and alliances",
    Section.OVER: "The war is over",
}


def first_section(mode: Mode) -> Section:
    """Return the first section of a turn."""
    return SECTIONS[mode][0]


def next_section(state: State) -> Section:
    """Return the section after the one that was resolved. Combat repeats while it is possible."""
    match state.section:
        case Section.PLAN:
            return Section.SETTLE
        case Section.ECONOMIC:
            return Section.MOVEMENT
        case Section.MOVEMENT | Section.COMBAT:
            return Section.COMBAT if goes_on(state) else Section.ECOPOLITICAL
    return first_section(state.rules.mode)


def phase(state: State) -> Phase:
    """Return the section and turn, and the players who must send orders."""
    awaiting = frozenset(state.active())
    if state.section is Section.COMBAT:
        awaiting &= in_combat(state)
    if state.section is Section.OVER:
        awaiting = frozenset[Seat]()
    return Phase(
        state.section.value,
        TITLES[state.section],
        state.turn,
        awaiting,
        # Players must not learn of combat that they cannot see (T8).
        secret=state.section is Section.COMBAT,
    )
