"""Benchmarks run, with the smallest sizes: their times decide nothing."""

import pytest

from tests.benchmarks import against
from tests.benchmarks.against_work import GAMES


@pytest.mark.slow
def test_a_commit_is_compared_with_the_files_here(capsys: pytest.CaptureFixture[str]) -> None:
    against.main("HEAD", 1, 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line[:34].strip() for line in lines] == [
        "",
        "an email with 40 orders",
        "with 4 bad lines",
        "STATUS",
        "HELP ORDERS",
        "MAP ATLAS",
        *(f"a turn of {game}" for game in GAMES),
    ]
