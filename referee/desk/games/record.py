"""The record of a whole game: everything needed to resolve its turns again anywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.desk.base.loaded_games import ruleset_of
from referee.desk.games.replay import Resolved, again, resolved
from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset
from referee.store import Session
from referee.store.database import codec
from referee.store.games import games
from referee.store.models import Game


@dataclass(frozen=True, slots=True)
class Record:
    """A game from the state before its first orders; *seed* makes its dice."""

    game: str
    ruleset: str
    edition: str
    schema: int
    seed: bytes
    seats: Mapping[int, str]
    state: str
    """JSON text."""
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
        {row.number: row.name for row in game.seats},
        codec.as_json(first.state),
        tuple(resolved(before, after) for before, after in pairwise(turns)),
    )


def prove(record: Record, rulesets: Mapping[str, Ruleset[Any, Any]]) -> list[str]:
    """Resolve a recorded game again, each turn from the state that the one before led to.

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
    dice, differences = Dice(record.seed), list[str]()
    for turn in record.turns:
        result = again(ruleset, state, turn, dice)
        differences += result.differences
        state = result.state
    return differences
