"""A seat's orders and reports in a replayed game, which a player compares with their emails."""

from collections.abc import Iterator
from typing import Any

from referee.desk.games.record import Proof
from referee.desk.games.replay import Again
from referee.reports.text import text
from referee.rules.news import opened, with_log
from referee.rules.ruleset import Ruleset, Seat
from referee.rules.views import View


def seat_named(proof: Proof, name: str) -> Seat | None:
    """Return the seat with this name, in any case, or None."""
    found = (each.seat for each in proof.record.signups if each.name.upper() == name.upper())
    return next(found, None)


def told(proof: Proof, seat: Seat) -> Iterator[str]:
    """Yield the orders of a seat on file for each turn, and its reports as they are made again.

    A corrected report follows the one before the correction. Deadlines are not in a record.
    """
    rules, state = proof.ruleset, proof.first
    yield _report(1, "", rules.view(state, seat, ""))
    for turn, played in zip(proof.record.turns, proof.turns, strict=True):
        orders = turn.sheets.get(str(seat), ())
        missed = ", by default" if seat in turn.missed else ""
        yield "\n".join([f"=== Turn {turn.number}: orders on file{missed}", *(orders or ["none"])])
        number = turn.number + 1
        events = played.resolution.events
        view = opened(rules.view(played.resolution.state, seat, ""), events, seat)
        yield "\n\n".join([_report(number, "", view), *_failed(rules, played, seat)])
        if turn.corrections:
            view = with_log(rules.view(played.state, seat, ""), events, seat)
            yield _report(number, ", corrected by the GM", view)


def _report(number: int, which: str, view: View) -> str:
    return f"=== Turn {number}: report{which}\n\n{text(view)}"


def _failed(rules: Ruleset[Any, Any], played: Again, seat: Seat) -> Iterator[str]:
    rows = played.resolution.outcomes.get(seat, ())
    lines = [f"{rules.render(order)}: {out.reason}" for order, out in rows if not out.done]
    if lines:
        yield "\n".join(["FAILED ORDERS", *lines])
