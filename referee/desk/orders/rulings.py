"""Rulings on a whole sheet, order by order, from the information visible to its seat."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.desk.base.loaded_games import order_reader
from referee.domain.sheets import Entry
from referee.letters.outgoing.notices import Checked, LineError, RuledOrder
from referee.parsing.items import Parsed, Unparsed
from referee.reports.text import text as drawn
from referee.rules.ruleset import Ruleset, Ruling, RulingKind, Seat

TWICE: Final = "This order is on the sheet twice."


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings on the orders of a sheet, and what it leaves without orders."""

    accepted: tuple[RuledOrder, ...]
    warned: tuple[RuledOrder, ...]
    faults: tuple[LineError, ...]
    unused: tuple[str, ...]


def rule(ruleset: Ruleset[Any, Any], state: Any, seat: Seat, entries: Sequence[Entry]) -> Rulings:
    """Rule on the orders of a sheet."""
    orders = [entry.order for entry in entries]
    rulings = _naming_repeats(orders, ruleset.validate(state, seat, orders))
    unused = tuple(ruleset.unused(state, seat, orders))
    return _sort_out(ruleset, state, seat, zip(entries, rulings, strict=True), unused)


def _naming_repeats(orders: Sequence[Any], rulings: Sequence[Ruling]) -> Iterator[Ruling]:
    """Yield the rulings on *orders*; a rejected one says so if it repeats one that is possible."""
    possible: list[Any] = []
    for order, ruling in zip(orders, rulings, strict=True):
        if ruling.kind is not RulingKind.REJECTED:
            possible.append(order)
        elif order in possible:
            ruling = replace(ruling, reason=f"{TWICE} {ruling.reason}")
        yield ruling


def rule_later(
    ruleset: Ruleset[Any, Any], state: Any, seat: Seat, entries: Sequence[Entry]
) -> Rulings:
    """Accept the orders of a future turn for now; they are ruled on when it is the current turn."""
    accepted = ((entry, Ruling(RulingKind.ACCEPTED)) for entry in entries)
    return _sort_out(ruleset, state, seat, accepted, ())


def misreadings(items: Iterable[Parsed | Unparsed]) -> tuple[LineError, ...]:
    """Return the words that could not be read, as they are answered."""
    return tuple(
        LineError(
            item.line,
            item.text,
            item.reason,
            item.advice,
            item.at,
            item.is_words,
            item.to_send,
            others=item.others,
            lost=item.lost,
        )
        for item in items
        if isinstance(item, Unparsed)
    )


def _sort_out(
    ruleset: Ruleset[Any, Any],
    state: Any,
    seat: Seat,
    ruled: Iterable[tuple[Entry, Ruling]],
    unused: tuple[str, ...],
) -> Rulings:
    accepted: list[RuledOrder] = []
    warned: list[RuledOrder] = []
    faults: list[LineError] = []
    for entry, ruling in ruled:
        if ruling.kind is RulingKind.REJECTED:
            repeats = ruling.reason.startswith(TWICE)
            fault = LineError(entry.line, entry.text, ruling.reason, filed=True, repeats=repeats)
            faults.append(fault)
            continue
        meaning = ruleset.explain(state, seat, entry.order)
        kept = accepted if ruling.kind is RulingKind.ACCEPTED else warned
        kept.append(RuledOrder(entry.line, entry.text, meaning, ruling.reason))
    return Rulings(tuple(accepted), tuple(warned), tuple(faults), unused)


def check(ruleset: Ruleset[Any, Any], state: Any, seat: Seat, text: str) -> Checked:
    """Rule on an order text as an acknowledgement would, without filing anything."""
    items = order_reader(ruleset, ruleset.phase(state)).read(text)
    entries = [
        Entry(ruleset.render(item.order), item.line, item.order)
        for item in items
        if isinstance(item, Parsed)
    ]
    rulings = rule(ruleset, state, seat, entries)
    faults = (*rulings.faults, *misreadings(items))
    return Checked(
        accepted=rulings.accepted,
        warned=rulings.warned,
        faults=tuple(sorted(faults, key=lambda fault: fault.line)),
        unused=rulings.unused,
        forecast=drawn(ruleset.forecast(state, seat, [entry.order for entry in entries])),
    )
