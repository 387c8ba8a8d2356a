"""The record of a whole game: everything needed to resolve its turns again anywhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any

from referee.desk.base.loaded_games import ruleset_of, signups_of
from referee.desk.games.replay import Again, Resolved, again, corrected, in_line, resolved
from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset, SignUp, UserError
from referee.store import Session
from referee.store.database import codec
from referee.store.games import games
from referee.store.models import Game, GameStatus


@dataclass(frozen=True, slots=True)
class Undone:
    """The resolved turns that a rollback undid, and its corrections by the turn before which."""

    turns: Sequence[int]
    corrections: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Extent:
    """The demands on a record: *length* turns, of a game that has *ended* with them or goes on."""

    length: int
    ended: bool
    undone: Sequence[Undone] = ()
    """The effects of each rollback, of which the record has no orders."""


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
    extent: Extent

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the seats, by their number as text."""
        return {str(each.seat): each.name for each in self.signups}


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
        Extent(len(turns) - 1, game.status is GameStatus.ENDED, tuple(_undone(session, game))),
    )


def _undone(session: Session, game: Game) -> Iterator[Undone]:
    for _, rows in groupby(games.undone_turns(session, game), attrgetter("undone")):
        first, *later = rows
        yield Undone(
            [row.number for row in (first, *later) if row.resolved_at is not None],
            # Those before the first of the turns are still valid.
            [(row.number, text) for row in later for text in row.corrections],
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """A recorded game that was set up and resolved again, and what differs from the record."""

    record: Record
    ruleset: Ruleset[Any, Any]
    first: Any
    """The state before the first orders."""
    turns: tuple[Again, ...]
    differences: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game with its last turn."""
        return _is_over(self.ruleset, self.turns)


def prove(record: Record, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Proof:
    """Set up and resolve a recorded game again, each turn from the state after the one before.

    Raises UnknownRuleset, and StateUnreadable if the state has another schema.
    """
    ruleset = ruleset_of(rulesets, record.ruleset)
    codec.check_schema(
        f"the record of {record.game}",
        stored=record.schema,
        known=ruleset.info.schema,
        ruleset=ruleset.info.key,
    )
    first = state = codec.from_json(record.state, ruleset.state_type)
    dice = Dice(record.seed)
    differences = [*_misfits(record, ruleset), *_of_setup(record, ruleset, dice, first)]
    turns: list[Again] = []
    for turn in record.turns:
        if _is_over(ruleset, turns):
            differences.append(f"turn {turn.number}: the game was over before it")
        turns.append(again(ruleset, state, turn, dice, record.names))
        differences += turns[-1].differences
        state = turns[-1].state
    if not record.extent.ended and _is_over(ruleset, turns):
        differences.append("the game is over by its rules, but the record says that it goes on")
    return Proof(record, ruleset, first, tuple(turns), tuple(differences))


def _is_over(ruleset: Ruleset[Any, Any], turns: Sequence[Again]) -> bool:
    """Return whether the last turn ended the game; what a GM corrects is judged a turn later."""
    return bool(turns) and ruleset.verdict(turns[-1].resolution.state) is not None


def decisions(record: Record) -> Iterator[str]:
    """Yield the corrections and rollbacks by GMs, one line each, by turn."""
    told = [(1, text) for text in record.corrections]
    told += [(turn.number + 1, text) for turn in record.turns for text in turn.corrections]
    for number, text in told:
        yield f"turn {number}: the GM corrected {in_line(text)}"
    for undone in record.extent.undone:
        for number, text in undone.corrections:
            yield f"turn {number}: the GM corrected {in_line(text)}; undone by a rollback"
        which = ", ".join(map(str, undone.turns))
        yield f"turn {min(undone.turns)}: the GM rolled back to its orders; undone: {which}"


def _misfits(record: Record, ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield the parts that the record lacks, or has in the wrong place."""
    known = ruleset.info.edition
    if not _is_edition(record.edition, known):
        yield f"it has edition {record.edition} of the rules, but those installed are {known}"
    length, found = record.extent.length, len(record.turns)
    if length != found:
        yield f"it says that the game has {length} turns, but it has {found} of them"
    for number, turn in enumerate(record.turns, 1):
        if turn.number != number:
            yield f"turn {turn.number} is in the place of turn {number}"


def _is_edition(edition: str, newest: str) -> bool:
    """Return whether the rules have or had that edition; rulesets increment their number."""
    if edition.isdecimal() and newest.isdecimal():
        return 1 <= int(edition) <= int(newest)
    return edition == newest


def _of_setup(record: Record, ruleset: Ruleset[Any, Any], dice: Dice, first: Any) -> Iterator[str]:
    """Yield the differences if the game is set up again, from the players' wishes and the dice."""
    try:
        options = {**record.options, "game": record.game, "edition": record.edition}
        state = ruleset.setup(record.signups, options, dice)
    except UserError as error:
        yield f"the game cannot be set up from the players' wishes: {error}"
        return
    state, failed = corrected(ruleset, state, record.corrections)
    yield from (f"turn 1{each}" for each in failed)
    if codec.encode(state).digest != codec.encode(first).digest:
        yield "the state before turn 1 is different"
