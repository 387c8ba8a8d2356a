"""Replay: a game resolved again from stored data, to prove that it was resolved correctly."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import dice_of, lay_turn
from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.news import completed
from referee.rules.ruleset import Resolution, Ruleset, Seat, UserError
from referee.rules.stewards import limit, orders_unsent
from referee.store import Session
from referee.store.database import codec
from referee.store.games import games
from referee.store.models import Game, TurnRow


@dataclass(frozen=True, slots=True)
class Resolved:
    """A turn as it was resolved, and the corrections before the orders of the next turn.

    Orders are canonical texts by seat number; outcomes are lists of text, done and reason. *digest*
    is that of the state after the corrections.
    """

    number: int
    sheets: Mapping[str, Sequence[str]]
    missed: Sequence[int]
    outcomes: Mapping[str, Sequence[Sequence[Any]]]
    corrections: Sequence[str]
    digest: str


def replay(session: Session, site: Site, game: Game) -> list[str]:
    """Resolve every stored turn again; return the differences, none if all are identical.

    Each turn is resolved from its stored state, sheets and dice, and corrected as the GMs did. The
    result is compared with the next turn's stored state and with the stored outcomes.
    """
    newest_first = list(turns_again(session, site, game))
    return [difference for turn in reversed(newest_first) for difference in turn]


def turns_again(session: Session, site: Site, game: Game) -> Iterator[Sequence[str]]:
    """Resolve each stored turn again, the newest first, and yield its differences."""
    for before, after in reversed(list(pairwise(games.turns_of(session, game)))):
        table = lay_turn(site, game, before)
        turn = resolved(before, after)
        names = {str(row.number): row.name for row in game.seats}
        yield again(table.ruleset, table.state, turn, dice_of(game), names).differences


def resolved(before: TurnRow, after: TurnRow) -> Resolved:
    """Return a stored turn with the corrections and the digest that led to the next one."""
    return Resolved(
        before.number,
        before.sheets or {},
        before.missed or [],
        before.outcomes or {},
        after.corrections,
        after.digest,
    )


@dataclass(frozen=True, slots=True)
class Again:
    """A turn resolved again: the result, the corrected state, and what differs from the record."""

    resolution: Resolution[Any, Any]
    state: Any
    differences: tuple[str, ...]


def again(
    ruleset: Ruleset[Any, Any], state: Any, turn: Resolved, dice: Dice, names: Mapping[str, str]
) -> Again:
    """Resolve a turn again from the state before it. *names* are those of the seats by number."""
    reader = reader_of(ruleset.grammar(ruleset.phase(state)))
    sheets = {
        Seat(int(seat)): [
            item.order for item in reader.read("\n".join(texts)) if isinstance(item, Parsed)
        ]
        for seat, texts in turn.sheets.items()
    }
    missed = frozenset(Seat(seat) for seat in turn.missed)
    misfits = tuple(_misfits(ruleset, state, turn, names))
    seats = map(Seat, map(int, names))
    resolution = completed(ruleset, state, ruleset.resolve(state, sheets, missed, dice), seats)
    after, failed = corrected(ruleset, resolution.state, turn.corrections)
    outcomes = {
        str(seat): [[ruleset.render(order), out.done, out.reason] for order, out in rows]
        for seat, rows in resolution.outcomes.items()
    }
    found = (*misfits, *failed, *_compare(turn, codec.encode(after).digest, outcomes, names))
    return Again(resolution, after, tuple(f"turn {turn.number}{each}" for each in found))


def corrected(
    ruleset: Ruleset[Any, Any], state: Any, corrections: Sequence[str]
) -> tuple[Any, list[str]]:
    """Return the state after the corrections, and a line for each that cannot be applied."""
    failed = []
    for text in corrections:
        try:
            state, _ = ruleset.correct(state, text)
        except UserError as error:
            failed.append(f": the GM's correction {in_line(text)} cannot be applied: {error}")
    return state, failed


def in_line(correction: str) -> str:
    """Return a correction, which can have several lines, in one line."""
    return "; ".join(line.strip() for line in correction.splitlines() if line.strip())


def _misfits(
    ruleset: Ruleset[Any, Any], state: Any, turn: Resolved, names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the seats that had no orders though they had to, or missed the turn but had orders."""
    awaited = ruleset.phase(state).awaiting
    for seat in sorted(awaited):
        if str(seat) not in turn.sheets:
            yield f", {_name(names, seat)}: the record has no orders, not even default orders"
    for seat in map(Seat, turn.missed):
        if seat not in awaited:
            yield f", {_name(names, seat)}: had to send no orders, but missed it in the record"
            continue
        # How long the player had been silent is not in the record, but the steward knows all cases.
        known = [
            [ruleset.render(order) for order in orders_unsent(ruleset, state, seat, missed)]
            for missed in (0, limit(ruleset, state), limit(ruleset, state) + 1)
        ]
        if list(turn.sheets.get(str(seat), known[0])) not in known:
            yield f", {_name(names, seat)}: missed it in the record, but has orders of its own"


def _compare(
    turn: Resolved,
    digest: str,
    outcomes: Mapping[str, Sequence[Sequence[Any]]],
    names: Mapping[str, str],
) -> Iterator[str]:
    if digest != turn.digest:
        yield ": the state after it is different"
    for seat in sorted({*outcomes, *turn.outcomes}, key=int):
        for difference in _results(turn.outcomes.get(seat, ()), outcomes.get(seat, ())):
            yield f", {_name(names, seat)}: {difference}"


def _results(stored: Sequence[Sequence[Any]], replayed: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield how the results of a seat's orders differ, with which side is which."""
    in_record, in_replay = Counter(row[0] for row in stored), Counter(row[0] for row in replayed)
    for order in (in_record - in_replay).elements():
        yield f"{order} has a result in the record, but the replay has no such order"
    for order in (in_replay - in_record).elements():
        yield f"{order} is resolved in the replay, but has no result in the record"
    if in_record != in_replay:
        return
    for one, other in zip(stored, replayed, strict=True):
        if one[0] != other[0]:
            yield f"the record has {one[0]} where the replay has {other[0]}"
        elif list(one) != list(other):
            yield f"{one[0]}: in the record {_result(*one)}; in the replay {_result(*other)}"


def _result(_order: str, done: object, reason: object) -> str:
    return f"{'done' if done else 'failed'} ({reason or 'nothing said'})"


def _name(names: Mapping[str, str], seat: Seat | str) -> str:
    return names.get(str(seat), f"seat {seat}")
