"""The sequence of a turn: every step of every section, and the reason for its place."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat
from referee.rulesets.singularity import (
    combat,
    conquest,
    economy,
    factions,
    movement,
    politics,
    victory,
)
from referee.rulesets.singularity.accepted import ACCEPTED, elsewhere
from referee.rulesets.singularity.orders import Order
from referee.rulesets.singularity.sections import next_section
from referee.rulesets.singularity.state import Section, State
from referee.rulesets.singularity.turn_state import Turn


class Step(NamedTuple):
    """One step and why it stands where it does."""

    take: Callable[[Turn], None]
    reason: str


LEAVING: Final = (Step(politics.resign, "rule 25: who leaves owns nothing from now on"),)
A: Final = (
    Step(economy.collect, "rule 6: income comes first"),
    Step(economy.scrap, "rule 7: what is scrapped costs no upkeep"),
    Step(economy.maintain, "rule 7: before anything else is paid"),
    Step(economy.repair, "rule 8: a repaired ship cannot hide"),
    Step(economy.hide, "rule 9: before building, unseen"),
    Step(economy.build, "rule 10: with what is left"),
    Step(economy.account, "rule 10: what is left is saved"),
)
B: Final = (
    Step(movement.rest, "rule 12, T13: who does not move is stationary, built just now or not"),
    Step(movement.move, "rule 11: all at once"),
)
C: Final = (Step(combat.fight, "rule 21: round after round"),)
C_ROUND: Final = (Step(combat.fight_round, "rule 21: one round"),)
PLANETS: Final = (Step(conquest.take_planets, "rule 21: when no combat remains"),)
CONCLUDE: Final = (Step(conquest.conclude, "rule 21: known before the last section is ordered"),)
D: Final = (
    Step(politics.wish, "rule 23: the owner chooses where two colours are possible"),
    Step(politics.terraform, "rule 23: for who owns the planet by now"),
    Step(politics.vote, "rule 24: settings are submitted at once"),
    Step(politics.ally, "rule 24: for the following turn"),
    Step(politics.bury, "rule 25: who has nothing left is nobody's ally in the next turn"),
    Step(politics.count_turn, "rule 2: what follows stands at the beginning of a turn"),
    Step(factions.dissolve, "rule 2: before a new faction is declared"),
    Step(factions.declare, "rule 2: with the alliances of the turn that begins"),
    Step(victory.settle, "rules 1, 2: by the planets held now"),
)

LAST: Final = (Step(victory.outlast, "rule 25: who is left alone need not wait for the turn"),)

STEPS: Final[Mapping[Section, tuple[Step, ...]]] = {
    Section.TURN: (*LEAVING, *A, *B, *C, *PLANETS, *D),
    Section.PLAN: (*LEAVING, *A, *B, *LAST),
    Section.SETTLE: (*LEAVING, *C, *PLANETS, *D),
    Section.ECONOMIC: (*LEAVING, *A, *LAST),
    Section.MOVEMENT: (*LEAVING, *B, *CONCLUDE, *LAST),
    Section.COMBAT: (*LEAVING, *C_ROUND, *CONCLUDE, *LAST),
    Section.ECOPOLITICAL: (*LEAVING, *D),
    Section.OVER: (),
}


def resolve(
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    missed: frozenset[Seat],  # noqa: ARG001 - default orders are resolved like any others
    dice: Dice,
) -> Resolution[State, Order]:
    """Resolve a section: the state after it and one outcome per order, in the sequence given.

    Never raises, whatever the orders say; the same state, orders and dice give the same
    resolution, and the sequence of the seats changes nothing.
    """
    turn = Turn(state, orders, dice)
    for given in turn.all_given():
        if not isinstance(given.order, ACCEPTED[state.section]):
            given.fail(elsewhere(state, given.order))
    for step in STEPS[state.section]:
        step.take(turn)
    if turn.state.section is not Section.OVER:
        turn.state.section = next_section(turn.state)
    return turn.resolution()
