"""A seat's orders and reports in a replayed game, which a player compares with their emails."""

from collections.abc import Iterator
from typing import Any

from referee.desk.games.record import Proof
from referee.desk.games.replay import Again
from referee.reports.text import text
from referee.rules.ruleset import Ruleset, Seat


def seat_named(proof: Proof, name: str) -> Seat | None:
    """Return the seat with this name, in any case, or None."""
    found = (each.seat for each in proof.record.signups if each.name.upper() == name.upper())
    return next(found, None)


def told(proof: Proof, seat: Seat) -> Iterator[str]:
    """Yield the orders of a seat on file for each turn, and its reports as they are made again.

    A corrected report follows the one before the correction. Deadlines are not in a record.
    """
    rules, state = proof.ruleset, proof.first
    yield _report(1, rules, state, seat)
    for turn, played in zip(proof.record.turns, proof.turns, strict=True):
        orders = turn.sheets.get(str(seat), ())
        missed = ", by default" if seat in turn.missed else ""
        yield "\n".join([f"=== Turn {turn.number}: orders on file{missed}", *(orders or ["none"])])
        number = turn.number + 1
        report = _report(number, rules, played.resolution.state, seat)
        yield "\n\n".join([report, *_results(rules, played, seat)])
        if turn.corrections:
            yield _report(number, rules, played.state, seat, ", corrected by the GM")


def _report(number: int, rules: Ruleset[Any, Any], state: Any, seat: Seat, which: str = "") -> str:
    return f"=== Turn {number}: report{which}\n\n{text(rules.view(state, seat, ''))}"


def _results(rules: Ruleset[Any, Any], played: Again, seat: Seat) -> Iterator[str]:
    rows = played.resolution.outcomes.get(seat, ())
    failed = [f"{rules.render(order)}: {out.reason}" for order, out in rows if not out.done]
    audible = [
        event.text
        for event in played.resolution.events
        if event.audience is None or seat in event.audience
    ]
    for heading, lines in (("FAILED ORDERS", failed), ("EVENTS", audible)):
        if lines:
            yield "\n".join([heading, *lines])
