"""The JOIN that an answer shows to be sent instead of one that is not possible."""

import pytest

from referee.desk.seats import registration
from referee.domain.commands import Join
from referee.parsing.body import read_body
from referee.parsing.lines import numbered
from referee.rulesets.starweb import StarWeb


@pytest.mark.parametrize(
    ("real_name", "lines"),
    [
        ("Standing Bear", ["JOIN SW-1 ACAMAR AS Artifact Collector REAL NAME Standing Bear"]),
        (
            "Standing Bear of the Plains",
            ["JOIN SW-1 ACAMAR", "AS Artifact Collector", "REAL NAME Standing Bear of the Plains"],
        ),
    ],
)
def test_a_join_to_send_is_read_as_it_is_shown(real_name: str, lines: list[str]) -> None:
    command = Join("SW-1", ("Standing Bear",), ("Artifact Collector",), real_name)
    shown = registration.form(StarWeb().info, command)
    assert shown.split("\n") == lines
    (joined,) = read_body(numbered(shown), None).commands
    assert joined.command == Join("SW-1", ("ACAMAR",), ("Artifact Collector",), real_name)
