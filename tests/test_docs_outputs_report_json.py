"""The report in docs/report-json.md, compared with the one that a player gets."""

import json
from contextlib import closing
from email.parser import BytesParser
from email.policy import SMTP
from typing import Any, Final

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from tests.support.pages import read_page

PAGE: Final = read_page("docs/report-json.md")
FRODO: Final = "frodo@shire.example"
STARTED: Final = f"""
=== it is 2026-09-29 16:00 UTC
=== gm@example.org writes

CREATE STARWEB SEATS 2 DEADLINE "3 days"

=== gm@example.org gets mail
=== {FRODO} writes

JOIN SW-1 CERES

=== {FRODO} gets mail
=== {FRODO} replies

SET ATTACHMENTS REPORT

=== {FRODO} gets mail
=== sam@shire.example writes

JOIN SW-1 MARS

=== sam@shire.example gets mail
=== gm@example.org gets mail
=== {FRODO} gets mail
"""


def attached_report() -> Any:
    """Return the content of the file at the first report of a game."""
    with closing(Conversation(installed_rulesets())) as running:
        running.run(STARTED)
        raw = running.person(FRODO).got[-1].raw
    (file,) = BytesParser(policy=SMTP).parsebytes(raw).iter_attachments()
    assert file.get_filename() == "report.json"
    return json.loads(file.get_content())


def is_cut_of(part: Any, whole: Any) -> bool:
    """Return whether *part* is *whole* with fewer items in its lists and fewer lines."""
    match part:
        case dict():
            return part.keys() == whole.keys() and all(
                is_cut_of(value, whole[key]) for key, value in part.items()
            )
        case list():
            return all(any(is_cut_of(each, item) for item in whole) for each in part)
        case str():
            return bool(whole == part or whole.startswith(f"{part}\n"))
        case _:
            return bool(whole == part)


def test_the_example_is_cut_from_a_report_that_is_sent() -> None:
    example = json.loads(PAGE.split("```json\n")[1].split("```")[0])
    report = attached_report()
    assert is_cut_of(example, report)
    assert [each["kind"] for each in example["blocks"]] == [
        each["kind"] for each in report["blocks"]
    ]
    node, *_ = example["blocks"][1]["nodes"]
    assert node["units"] != []
    # The same example in another game is not the one that is sent.
    assert not is_cut_of({**example, "game": "SW-2"}, report)
