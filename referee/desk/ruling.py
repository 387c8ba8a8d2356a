"""A whole sheet ruled on, order by order, from what its seat may know."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.domain.sheets import Entry
from referee.letters.notices import Fault, Ruled
from referee.parsing.items import Misread, Understood
from referee.rules.ruleset import Ruleset, Ruling, Seat, Standing


@dataclass(frozen=True, slots=True)
class Rulings:
    """How the orders of a sheet stand, and what it leaves without orders."""

    stands: tuple[Ruled, ...]
    warned: tuple[Ruled, ...]
    faults: tuple[Fault, ...]
    idle: tuple[str, ...]


def rule(
    ruleset: Ruleset[Any, Any],
    state: Any,
    seat: Seat,
    orders: Sequence[Any],
    entries: Sequence[Entry],
) -> Rulings:
    """Rule on *orders*; *entries* say in which line of the letter each stands, if in any."""
    rulings = ruleset.validate(state, seat, orders)
    idle = tuple(ruleset.idle(state, seat, orders))
    ruled = list(zip(orders, rulings, strict=True))
    return _sorted_out(ruleset, state, seat, ruled, entries, idle)


def rule_later(
    ruleset: Ruleset[Any, Any],
    state: Any,
    seat: Seat,
    orders: Sequence[Any],
    entries: Sequence[Entry],
) -> Rulings:
    """Let *orders* of a coming turn stand as they are; they are ruled on when it has come."""
    accepted = [(order, Ruling(Standing.ACCEPTED)) for order in orders]
    return _sorted_out(ruleset, state, seat, accepted, entries, ())


def misreadings(items: Iterable[Understood | Misread]) -> tuple[Fault, ...]:
    """Give what was not understood, as it is answered."""
    return tuple(
        Fault(item.line, item.text, item.reason, item.advice, item.caret)
        for item in items
        if isinstance(item, Misread)
    )


def _sorted_out(
    ruleset: Ruleset[Any, Any],
    state: Any,
    seat: Seat,
    ruled: Sequence[tuple[Any, Ruling]],
    entries: Sequence[Entry],
    idle: tuple[str, ...],
) -> Rulings:
    stands: list[Ruled] = []
    warned: list[Ruled] = []
    faults: list[Fault] = []
    texts = [ruleset.render(order) for order, _ in ruled]
    lines = _line_numbers(texts, entries)
    for (order, ruling), text, line in zip(ruled, texts, lines, strict=True):
        if ruling.standing is Standing.REFUSED:
            faults.append(Fault(line, text, ruling.reason))
            continue
        meaning = ruleset.explain(state, seat, order)
        stays = stands if ruling.standing is Standing.ACCEPTED else warned
        stays.append(Ruled(line, text, meaning, ruling.reason))
    return Rulings(tuple(stands), tuple(warned), tuple(faults), idle)


def _line_numbers(texts: Sequence[str], entries: Iterable[Entry]) -> list[int]:
    """Give for each of *texts* the line of its entry; 0 for one that this letter did not type.

    What was typed now stands last on a sheet, so equal orders are matched from the end.
    """
    left: dict[str, list[int]] = {}
    for entry in entries:
        left.setdefault(entry.text, []).append(entry.line)
    found = []
    for text in reversed(texts):
        lines = left.get(text)
        found.append(lines.pop() if lines else 0)
    return found[::-1]
