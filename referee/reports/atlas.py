"""The atlas: one HTML file with all that a seat has seen, which works without a network."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any, Final

from referee.reports.atlas_deltas import History
from referee.reports.atlas_records import SeenTurn, records
from referee.reports.placing import cells
from referee.reports.symbols import Colours, liveries
from referee.rules.order_forms import OrderForm
from referee.rules.views import Chart, Grid, Link, LinkKind, Panel, Sighting, Spot

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
    """The seat of an atlas, and where orders go, if any; *deadline* is in words, for its reader."""

    game: str
    title: str
    seat: str
    turn: int
    deadline: str
    orders_to: str = ""
    subject: str = ""


def atlas(
    heading: AtlasHeading,
    turns: Sequence[SeenTurn],
    forms: Sequence[OrderForm],
    phase: str,
    colours: Colours,
) -> bytes:
    """Return the page about *turns*, the last of which is the present one, in its *phase*.

    It says nothing that the reports of these turns do not say. If it were larger than MOST octets,
    the oldest turns are left out.
    """
    possible = [form for form in forms if not form.phases or phase in form.phases]
    spots, first = spots_of([turn.chart for turn in turns]), 0
    while True:
        page = _page(heading, turns[first:], spots, possible, colours, is_cut=first > 0)
        if len(page) <= MOST or first == len(turns) - 1:
            return page
        first += -(-(len(turns) - first - 1) // _STEPS)


def _page(
    heading: AtlasHeading,
    turns: Sequence[SeenTurn],
    spots: Mapping[str, Spot],
    forms: Sequence[OrderForm],
    colours: Colours,
    *,
    is_cut: bool,
) -> bytes:
    history, charts = History(), [turn.chart for turn in turns]
    told = history.turns(records(turns))
    values = {
        "schema": SCHEMA,
        "heading": asdict(heading),
        **atlas_map(charts, [turn.number for turn in turns], spots, history, colours),
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


_SIGHTINGS: Final = tuple(Sighting)
_COLUMN, _ROW = 0.62, 1.05
"""The size of a cell where the rules know no coordinates: no two places come closer than one."""


def atlas_map(
    charts: Sequence[Chart],
    turns: Sequence[int],
    spots: Mapping[str, Spot],
    history: History,
    colours: Colours,
) -> Mapping[str, Any]:
    """Return the map as the page reads it; *history* has the numbers of the places."""
    last = charts[-1]
    whole = replace(last, nodes=tuple(node for chart in charts for node in chart.nodes))
    owners = liveries(whole, colours)
    panels = {panel.key: panel for chart in charts for panel in chart.panels} or {"": Panel("", "")}
    order = list(panels)
    return {
        "grid": last.grid.value,
        "owners": list(owners),
        "colours": [owner.colour for owner in owners.values()],
        "panels": [_panel(panel) for panel in panels.values()],
        "places": [[key, *_at(spots[key], order)] for key in history.places.all],
        "ground": [
            [ground.name, *_at(ground.spot, order), _SIGHTINGS.index(ground.sighting)]
            for ground in last.ground
        ],
        "links": list(_links(charts, turns, history)),
        "ranges": [
            [each.title, each.reach, [history.places.number(key) for key in each.around]]
            for each in last.ranges
        ],
    }


def _panel(panel: Panel) -> list[Any]:
    area = panel.area
    edges = (area.left, area.top, area.right, area.bottom) if area is not None else ()
    return [panel.title, panel.plane, panel.level, [_short(edge) for edge in edges] or None]


def spots_of(charts: Sequence[Chart]) -> dict[str, Spot]:
    """Return where each place lies; one that was on an earlier map only is where it was then."""
    chart = charts[-1]
    nodes = {node.key: node for chart in charts for node in chart.nodes}
    links = [*chain.from_iterable(chart.links for chart in charts)]
    if chart.grid is not Grid.NONE:
        return {key: node.spot or Spot("", 0, 0) for key, node in nodes.items()}
    whole = replace(chart, nodes=tuple(nodes.values()), links=tuple(dict.fromkeys(links)))
    return {
        key: Spot("", cell.column * _COLUMN, cell.row * _ROW) for key, cell in cells(whole).items()
    }


def _at(spot: Spot, panels: Sequence[str]) -> tuple[int, float, float]:
    panel = panels.index(spot.panel) if spot.panel in panels else 0
    return panel, _short(spot.x), _short(spot.y)


def _short(value: float) -> float:
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


@dataclass(frozen=True, slots=True)
class _Way:
    one: int
    other: int
    kind: LinkKind


def _links(charts: Sequence[Chart], turns: Sequence[int], history: History) -> Iterator[list[Any]]:
    """Yield each link once, by the numbers of its places, with the turn it is known since.

    Where places have coordinates, what only lies near is left out.
    """
    since: dict[_Way, int] = {}
    for chart, turn in zip(charts, turns, strict=True):
        known = {node.key for node in chart.nodes}
        for link in chart.links:
            is_near = link.kind is LinkKind.NEAR and chart.grid is not Grid.NONE
            if not is_near and {link.one, link.other} <= known:
                since.setdefault(_way(link, history), turn)
    for way, turn in since.items():
        yield [way.one, way.other, turn, way.kind.value]


def _way(link: Link, history: History) -> _Way:
    one, other = history.places.number(link.one), history.places.number(link.other)
    if link.kind is not LinkKind.JUMP and one > other:
        one, other = other, one
    return _Way(one, other, link.kind)
