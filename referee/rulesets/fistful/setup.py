"""The setup of a game: an empty star map and two players without homeworlds."""

from collections.abc import Mapping, Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import SignUp, UserError
from referee.rulesets.fistful.cluster import make_cluster
from referee.rulesets.fistful.options import rules_of
from referee.rulesets.fistful.state import Player, Stage, State


def setup(seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice) -> State:
    """Return the state before homeworlds are chosen; chance decides who chooses first (F15).

    Raises UserError unless there are two players.
    """
    if len(seats) != 2:
        raise UserError(f"A game has 2 players, not {len(seats)}.")
    return State(
        turn=1,
        stage=Stage.HOMES,
        rules=rules_of(options),
        stars=make_cluster(dice.at("cluster")),
        fleets=[],
        players={each.seat: Player(each.seat, each.name.upper()) for each in seats},
        chooser=dice.at("first").pick([each.seat for each in seats]),
        game=str(options.get("game", "FP")),
    )
