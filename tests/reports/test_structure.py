"""Views as plain values."""

import json

from referee.reports.structure import report_json
from referee.rules.views import Chart, Link, Node, Prose, Table, Verbatim


def test_every_block_says_what_it_is() -> None:
    view = (
        Prose("All is well.", "NEWS"),
        Table(("Player", "Score"), (("CERES", "8790"),)),
        Verbatim("W1 (2,3)"),
        Chart((Node("W1", ("F3",), "CERES"), Node("W2", ())), (Link("W1", "W2", 3),), "WEB"),
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
            {"kind": "verbatim", "text": "W1 (2,3)", "title": ""},
            {
                "kind": "chart",
                "nodes": [
                    {
                        "key": "W1",
                        "lines": ["F3"],
                        "owner": "CERES",
                        "sighting": "seen",
                        "since": 0,
                    },
                    {"key": "W2", "lines": [], "owner": "", "sighting": "seen", "since": 0},
                ],
                "links": [{"one": "W1", "other": "W2", "since": 3}],
                "title": "WEB",
                "owners": [],
            },
        ],
    }
