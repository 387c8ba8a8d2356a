"""Views as plain values."""

import json

from referee.reports.structure import report_json
from referee.rules.views import Chart, Node, Prose, Table, Verbatim


def test_every_block_says_what_it_is() -> None:
    view = (
        Prose("All is well.", "NEWS"),
        Table(("Player", "Score"), (("CERES", "8790"),)),
        Verbatim("W1 (2,3)"),
        Chart((Node("W1", ("F3",), "CERES"), Node("W2", ())), (("W1", "W2"),), "WEB"),
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
                    {"key": "W1", "lines": ["F3"], "owner": "CERES"},
                    {"key": "W2", "lines": [], "owner": ""},
                ],
                "links": [["W1", "W2"]],
                "title": "WEB",
            },
        ],
    }
