"""Views as plain values."""

import dataclasses
import json
import re
from pathlib import Path

from referee.reports.structure import Heading, report_file, report_json
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.views import (
    Area,
    Chart,
    Grid,
    Ground,
    Link,
    LinkKind,
    Mark,
    Node,
    Panel,
    Prose,
    Range,
    Sentences,
    Sighting,
    Spot,
    Table,
    Unit,
    UnitKind,
    Verbatim,
)

ROOT = Path(__file__).parent.parent.parent


ONE, OTHER = Spot("A", 0.5, 0.866), Spot("A", 1.0, 0.0)
WEB = Chart(
    (
        Node(
            "W1",
            ("F3",),
            "CERES",
            spot=ONE,
            marks=(Mark.HOME,),
            units=(Unit("F3", "CERES", UnitKind.FLEET, reach=3),),
        ),
        Node("W2", (), spot=OTHER),
    ),
    (Link("W1", "W2", 3),),
    "WEB",
    grid=Grid.POINTY_HEXES,
    panels=(Panel("A", "Level A"),),
    ground=(Ground(OTHER, "2A"),),
    ranges=(Range("Supply", 5, ("W1",)),),
)


def test_every_block_names_its_kind() -> None:
    view = (
        Prose("All is well.", "NEWS"),
        Table(("Player", "Score"), (("CERES", "8790"),)),
        Verbatim("W1 (2,3)"),
        Sentences(("You lost W1.",), "Losses"),
        WEB,
    )
    assert json.loads(json.dumps(report_json(view))) == {
        "schema": 1,
        "blocks": [
            {"kind": "prose", "text": "All is well.", "title": "NEWS"},
            {
                "kind": "table",
                "columns": ["Player", "Score"],
                "rows": [["CERES", "8790"]],
                "title": "",
            },
            {"kind": "verbatim", "text": "W1 (2,3)", "title": "", "wraps": False},
            {"kind": "sentences", "sentences": ["You lost W1."], "title": "Losses"},
            {
                "kind": "chart",
                "nodes": [
                    {
                        "key": "W1",
                        "lines": ["F3"],
                        "owner": "CERES",
                        "sighting": "seen",
                        "since": 0,
                        "spot": {"panel": "A", "x": 0.5, "y": 0.866},
                        "marks": ["home"],
                        "units": [
                            {
                                "key": "F3",
                                "owner": "CERES",
                                "kind": "fleet",
                                "text": "",
                                "reach": 3,
                                "spot": None,
                                "force": "",
                            }
                        ],
                        "details": [],
                    },
                    {
                        "key": "W2",
                        "lines": [],
                        "owner": "",
                        "sighting": "seen",
                        "since": 0,
                        "spot": {"panel": "A", "x": 1.0, "y": 0.0},
                        "marks": [],
                        "units": [],
                        "details": [],
                    },
                ],
                "links": [{"one": "W1", "other": "W2", "since": 3, "kind": "way"}],
                "title": "WEB",
                "owners": [],
                "grid": "pointy hexes",
                "panels": [{"key": "A", "title": "Level A", "plane": "", "level": 0, "area": None}],
                "ground": [
                    {
                        "spot": {"panel": "A", "x": 1.0, "y": 0.0},
                        "name": "2A",
                        "sighting": "seen",
                    }
                ],
                "ranges": [{"title": "Supply", "reach": 5, "around": ["W1"]}],
            },
        ],
    }


def test_a_report_file_has_its_heading_and_its_blocks() -> None:
    lost = Event("You lost W1.", frozenset({Seat(1)}), Weight.LOSS, ("W1",))
    content = report_file(
        (Prose("Жuk."),), Heading("SW-7", 11, "CERES", "2026-10-02T18:00:00Z"), [lost]
    )
    assert json.loads(content) == {
        "game": "SW-7",
        "turn": 11,
        "seat": "CERES",
        "deadline": "2026-10-02T18:00:00Z",
        "news": [{"weight": "loss", "text": "You lost W1.", "places": ["W1"]}],
        "schema": 1,
        "blocks": [{"kind": "prose", "text": "Жuk.", "title": ""}],
    }


def test_the_schema_is_documented_field_by_field() -> None:
    page = (ROOT / "docs" / "report-json.md").read_text(encoding="utf-8")
    parts = (Heading, Node, Link, Spot, Unit, Panel, Area, Ground, Range)
    named = {field.name for part in parts for field in dataclasses.fields(part)}
    named |= {each.name.lower() for each in Weight} - {"detail"}
    named |= {each.value for kind in (Sighting, Grid, Mark, UnitKind, LinkKind) for each in kind}
    assert {name for name in named if f"`{name}`" not in page} == set()
    assert json.loads(page.split("```json")[1].split("```")[0]).keys() == {
        *(field.name for field in dataclasses.fields(Heading)),
        "news",
        *report_json(()),
    }
    for block in (Prose, Table, Verbatim, Sentences, Chart):
        section = page.split(f"\n## {block.__name__.lower()}\n")[1].split("\n## ")[0]
        documented = set(re.findall(r"(?m)^\| `([a-z]+)` \|", section))
        assert documented == {field.name for field in dataclasses.fields(block)} - {"title"}
