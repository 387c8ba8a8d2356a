"""The offline checker: order text ruled on against a state, worded like an acknowledgement."""

from typing import Any

from referee.desk.base.loaded_games import order_reader
from referee.desk.orders.rulings import misreadings, rule
from referee.domain.sheets import Entry
from referee.letters.outgoing.notices import Checked
from referee.parsing.items import Parsed
from referee.reports.text import text as drawn
from referee.rules.ruleset import Ruleset, Seat


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
