"""Orders made from the order forms of a ruleset, as a player could compose them on a map."""

import re
from collections.abc import Iterator
from typing import Any, Final

from referee.rules.extras import extras_of
from referee.rules.order_forms import OrderForm, Target, filled
from referee.rules.ruleset import Ruleset, Seat
from referee.rules.views import Chart, Node, Unit, UnitKind

_STEP: Final = {"direction": "2", "level": "="}
_Thing = Node | Unit


def samples(rules: Ruleset[Any, Any], state: Any, seat: Seat) -> Iterator[tuple[OrderForm, str]]:
    """Yield each form that fits something on the seat's map now, filled in, with its form.

    An order made this way has the form of the language, but need not be possible.
    """
    phase, chart = rules.phase(state).key, rules.chart(state, seat)
    for form in extras_of(rules).order_forms:
        if not form.phases or phase in form.phases:
            for one, at in _subjects(form, chart):
                if (text := _sample(form, chart, one, at)) is not None:
                    yield form, text
                    break


def _subjects(form: OrderForm, chart: Chart) -> Iterator[tuple[_Thing, Node]]:
    """Yield the units or places that a form is for, each with its place."""
    reader = chart.owners[0] if chart.owners else ""
    for node in chart.nodes:
        for one in (node,) if form.unit is None else node.units:
            fits = not isinstance(one, Unit) or one.kind is form.unit
            if fits and one.key.startswith(form.prefix) and (one.owner == reader or not form.own):
                yield one, node


def _sample(form: OrderForm, chart: Chart, one: _Thing, at: Node) -> str | None:
    """Return the order, or None if there is nothing that it could be aimed at."""
    target = next(_targets(form, chart, one, at), None)
    others = [owner for owner in chart.owners[1:] if owner]
    values = {
        "key": one.key,
        "number": _digits(one.key),
        "at": at.key,
        "at_number": _digits(at.key),
        "amount": "1",
        "choice": form.choices[0].split()[0] if form.choices else "",
        "word": form.asks.rpartition(": ")[2],
        "steps": filled(form.step, _STEP),
        "owner": others[0] if others else "",
        "target": target or "",
        "target_number": _digits(target or ""),
        "path": target or "",
    }
    return filled(form.pattern, values) if all(values[name] for name in form.fields) else None


def _targets(form: OrderForm, chart: Chart, one: _Thing, at: Node) -> Iterator[str]:
    if form.target is Target.UNIT:
        keys = [unit.key for node in chart.nodes for unit in node.units
                if unit.kind is not UnitKind.UNKNOWN]  # fmt: skip
    else:
        keys = [node.key for node in chart.nodes if node is not at]
    for key in keys:
        if key != one.key and (not form.aims or key.startswith(form.aims)):
            yield key


def _digits(key: str) -> str:
    found = re.search("[0-9]+", key)
    return found[0] if found else key
