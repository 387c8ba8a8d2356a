"""The record of a whole game: everything needed to resolve its turns again anywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.desk.base.loaded_games import ruleset_of, signups_of
from referee.desk.games.replay import Resolved, again, resolved
from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset, SignUp
from referee.store import Session
from referee.store.database import codec
from referee.store.games import games
from referee.store.models import Game


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its setup on; *seed* makes its dice, *signups* are the players' wishes."""

    game: str
    ruleset: str
    edition: str
    schema: int
    seed: bytes
    options: Mapping[str, int | str | bool]
    signups: Sequence[SignUp]
    corrections: Sequence[str]
    """The GM's corrections before the first orders."""
    state: str
    """The state before the first orders, as JSON text."""
    turns: Sequence[Resolved]


def record_of(session: Session, game: Game) -> Record:
    """Return the record of a game that has begun, without the turns that were undone."""
    turns = games.turns_of(session, game)
    first = turns[0]
    return Record(
        game.name,
        game.ruleset,
        first.edition,
        first.schema,
        game.seed,
        game.options,
        tuple(signups_of(game)),
        first.corrections,
        codec.as_json(first.state),
        tuple(resolved(before, after) for before, after in pairwise(turns)),
    )


def prove(record: Record, rulesets: Mapping[str, Ruleset[Any, Any]]) -> list[str]:
    """Set up and resolve a recorded game again, each turn from the state after the one before.

    Returns the differences, none if all is identical. Raises UnknownRuleset, and StateUnreadable if
    the state has another schema.
    """
    ruleset = ruleset_of(rulesets, record.ruleset)
    codec.check_schema(
        f"the record of {record.game}",
        stored=record.schema,
        known=ruleset.info.schema,
        ruleset=ruleset.info.key,
    )
    state: Any = codec.from_json(record.state, ruleset.state_type)
    dice = Dice(record.seed)
    is_same = codec.encode(_set_up(record, ruleset, dice)).digest == codec.encode(state).digest
    differences = [] if is_same else ["the state before turn 1 is different"]
    for turn in record.turns:
        result = again(ruleset, state, turn, dice)
        differences += result.differences
        state = result.state
    return differences


def _set_up(record: Record, ruleset: Ruleset[Any, Any], dice: Dice) -> Any:
    """Return the state before the first orders, made from the players' wishes and the dice."""
    options = {**record.options, "game": record.game, "edition": record.edition}
    state = ruleset.setup(record.signups, options, dice)
    for text in record.corrections:
        state, _ = ruleset.correct(state, text)
    return state
