"""The sections of a turn in the three modes, their order and their orders (rule 5)."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.ruleset import Phase, Seat
from referee.rulesets.singularity.combat import goes_on, in_combat
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


def unit(state: State) -> str:
    """Return the word for a turn of the rules: a cycle if the referee counts its sections."""
    return "cycle" if len(SECTIONS[state.rules.mode]) > 1 else "turn"


def counted_as(state: State, turn: int) -> str:
    """Return a turn of the rules in words, with its number."""
    return f"{unit(state)} {turn}"


def phase(state: State) -> Phase:
    """Return the section, and the players who must send orders."""
    awaiting = frozenset(state.active())
    if state.section is Section.COMBAT:
        awaiting &= in_combat(state)
    if state.section is Section.OVER:
        awaiting = frozenset[Seat]()
    return Phase(
        state.section.value,
        TITLES[state.section] if len(SECTIONS[state.rules.mode]) > 1 else "",
        awaiting,
        # Players must not learn of combat that they cannot see (T8).
        secret=state.section is Section.COMBAT,
        out=frozenset(state.players) - {*state.active()},
        round=state.turn,
    )


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


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders that belong to this section of the turn.

    Without them upkeep is paid, and all ships stay where they are and fire by the usual doctrine.
    """
    del seat
    return tuple(order for order in standing if isinstance(order, ACCEPTED[state.section]))
