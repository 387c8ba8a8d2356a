"""The steps of a turn: every step of every section, and the reason for its place."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat
from referee.rules.turns import Step
from referee.rulesets.singularity import (
    combat,
    economy,
    factions,
    movement,
    news,
    politics,
    victory,
)
from referee.rulesets.singularity.orders import Order
from referee.rulesets.singularity.sections import ACCEPTED, next_section, objection_to_section
from referee.rulesets.singularity.state import Section, State
from referee.rulesets.singularity.turn_state import Turn

LEAVING: Final = (Step(politics.resign, "rule 25: a player who leaves owns nothing from now on"),)
A: Final = (
    Step(economy.collect, "rule 6: income comes first"),
    Step(economy.scrap, "rule 7: scrapped ships cost no upkeep"),
    Step(economy.maintain, "rule 7: before anything else is paid"),
    Step(economy.repair, "rule 8: a repaired ship cannot hide"),
    Step(economy.hide, "rule 9: before building, unseen"),
    Step(economy.build, "rule 10: with what is left"),
    Step(economy.account, "rule 10: what is left is saved"),
)
B: Final = (
    Step(
        movement.mark_stationary,
        "rule 12, T13: ships that do not move are stationary, even new ones",
    ),
    Step(movement.move, "rule 11: all at once"),
)
C: Final = (Step(combat.fight, "rule 21: round after round"),)
C_ROUND: Final = (Step(combat.fight_round, "rule 21: one round"),)
PLANETS: Final = (Step(combat.take_planets, "rule 21: when no combat remains"),)
CONCLUDE: Final = (Step(combat.conclude, "rule 21: known before the last section is ordered"),)
D: Final = (
    Step(politics.choose_colours, "rule 23: the owner chooses where two colours are possible"),
    Step(politics.terraform, "rule 23: for who owns the planet by now"),
    Step(politics.record_votes, "rule 24: settings are submitted at once"),
    Step(politics.ally, "rule 24: for the next turn"),
    Step(politics.eliminate, "rule 25: eliminated players have no allies in the next turn"),
    Step(politics.count_turn, "rule 2: the next steps belong to the beginning of a turn"),
    Step(factions.dissolve, "rule 2: before a new faction is declared"),
    Step(factions.declare, "rule 2: with the alliances of the turn that begins"),
    Step(victory.settle, "rules 1, 2: by the planets held now"),
)

LAST: Final = (Step(victory.outlast, "rule 25: the last player wins before the turn ends"),)

STEPS: Final[Mapping[Section, tuple[Step[[Turn]], ...]]] = {
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
    defaulted: frozenset[Seat],
    dice: Dice,
) -> Resolution[State, Order]:
    """Resolve a section of the turn, or the whole turn. Orders of other sections fail."""
    turn = Turn(state, orders, dice, defaulted)
    turn.fail_except(ACCEPTED[state.section], lambda order: objection_to_section(state, order))
    return turn.run((*STEPS[state.section], *CLOSING))


def _go_on(turn: Turn) -> None:
    """Start the next section, unless the war is over."""
    if turn.state.section is not Section.OVER:
        turn.state.section = next_section(turn.state)


CLOSING: Final = (
    Step(news.tell, "rule 5, T7: when it is known what the reports show"),
    Step(_go_on, "rule 5: the sections follow each other"),
)
