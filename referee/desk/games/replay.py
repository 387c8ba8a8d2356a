"""Replay: a game resolved again from stored data, to prove that it was resolved correctly."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.desk.base.loaded_games import dice_of, lay_turn
from referee.desk.base.site import Site
from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset, Seat
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
        yield again(table.ruleset, table.state, turn, dice_of(game)).differences


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
    """A turn resolved again: the state after it, and the differences from the stored turn."""

    state: Any
    differences: tuple[str, ...]


def again(ruleset: Ruleset[Any, Any], state: Any, turn: Resolved, dice: Dice) -> Again:
    """Resolve a turn again from the state before it."""
    reader = reader_of(ruleset.grammar(ruleset.phase(state)))
    sheets = {
        Seat(int(seat)): [
            item.order for item in reader.read("\n".join(texts)) if isinstance(item, Parsed)
        ]
        for seat, texts in turn.sheets.items()
    }
    missed = frozenset(Seat(seat) for seat in turn.missed)
    resolution = ruleset.resolve(state, sheets, missed, dice)
    after = resolution.state
    for text in turn.corrections:
        after, _ = ruleset.correct(after, text)
    outcomes = {
        str(seat): [[ruleset.render(order), out.done, out.reason] for order, out in rows]
        for seat, rows in resolution.outcomes.items()
    }
    return Again(after, tuple(_compare(turn, codec.encode(after).digest, outcomes)))


def _compare(
    turn: Resolved, digest: str, outcomes: Mapping[str, Sequence[Sequence[Any]]]
) -> Iterator[str]:
    if digest != turn.digest:
        yield f"turn {turn.number}: the state after it is different"
    for seat in sorted({*outcomes, *turn.outcomes}, key=int):
        now_, then = outcomes.get(seat, ()), turn.outcomes.get(seat, ())
        for one, other in zip(now_, then, strict=False):
            if list(one) != list(other):
                yield f"turn {turn.number}, seat {seat}, {other[0]}: {other[2]} / {one[2]}"
        if len(now_) != len(then):
            yield f"turn {turn.number}, seat {seat}: {len(then)} / {len(now_)} orders"
