"""The atlas: one HTML file with all that a seat has seen, which works without a network."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

from referee.reports.atlas_deltas import History
from referee.reports.atlas_map import atlas_map, spots_of
from referee.reports.atlas_records import SeenTurn, records
from referee.rules.order_forms import OrderForm
from referee.rules.views import Spot

PARTS: Final = Path(__file__).parent / "atlas_page"
"""The folder with the parts of the page."""
MOST: Final = 400_000
_STEPS: Final = 8
"""The part of the turns, one in so many, that is left out at once if a page is too large."""
SCHEMA: Final = 1
"""The version of the data in the page, which its script reads."""
_SCRIPTS: Final = (
    "history.js", "ways.js", "orders.js", "drawing.js",
    "subject.js", "composer.js", "finding.js", "page.js",
)  # fmt: skip
"""The parts of the script, in the sequence in which they are joined."""
_MARK: Final = re.compile(r"<!-- (policy|title|style|data|script) -->")
_UNSAFE: Final = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class AtlasHeading:
    """Whose atlas it is, and where orders go; *deadline* is in words, for its reader."""

    game: str
    title: str
    seat: str
    turn: int
    deadline: str
    reply_to: str
    subject: str


def atlas(
    heading: AtlasHeading, turns: Sequence[SeenTurn], forms: Sequence[OrderForm], phase: str
) -> bytes:
    """Return the page about *turns*, the last of which is the present one, in its *phase*.

    It says nothing that the reports of these turns do not say. If it were larger than MOST octets,
    the oldest turns are left out.
    """
    possible = [form for form in forms if not form.phases or phase in form.phases]
    spots, first = spots_of([turn.chart for turn in turns]), 0
    while True:
        page = _page(heading, turns[first:], spots, possible, is_cut=first > 0)
        if len(page) <= MOST or first == len(turns) - 1:
            return page
        first += -(-(len(turns) - first - 1) // _STEPS)


def _page(
    heading: AtlasHeading,
    turns: Sequence[SeenTurn],
    spots: Mapping[str, Spot],
    forms: Sequence[OrderForm],
    *,
    is_cut: bool,
) -> bytes:
    history, charts = History(), [turn.chart for turn in turns]
    told = history.turns(records(turns))
    values = {
        "schema": SCHEMA,
        "heading": asdict(heading),
        **atlas_map(charts, [turn.number for turn in turns], spots, history),
        "units": history.units.all,
        "words": history.words.all,
        "turns": told,
        "forms": [_form(form) for form in forms],
        "isCut": is_cut,
    }
    return _joined(f"{heading.game}: atlas of {heading.seat}", values)


def _form(form: OrderForm) -> Mapping[str, Any]:
    """Return a form as the script reads it, without the parts that it does not have."""
    values = asdict(form) | {
        "unit": form.unit.value if form.unit is not None else "",
        "target": form.target.value,
    }
    return {name: value for name, value in values.items() if value not in ("", (), "none")}


def _joined(title: str, values: Mapping[str, Any]) -> bytes:
    style, script = _part("page.css"), "".join(map(_part, _SCRIPTS))
    parts = {
        "policy": _policy(style, script),
        "title": escape(title),
        "style": style,
        "data": embedded(values),
        "script": script,
    }
    # One pass, so that nothing in the data is taken for a place of another part.
    return _MARK.sub(lambda found: parts[found[1]], _part("page.html")).encode("utf-8", "replace")


def embedded(values: Mapping[str, Any]) -> str:
    """Return *values* as JSON that cannot end the element it is in, whatever it contains."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE)


def _policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy: this style, this script, and nothing from elsewhere."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _part(name: str) -> str:
    return (PARTS / name).read_text("utf-8")
