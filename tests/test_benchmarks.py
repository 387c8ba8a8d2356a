"""Benchmarks run, with the smallest sizes: their times decide nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.plugins import installed_rulesets
from tests.benchmarks import against, timing
from tests.benchmarks.against_work import GAMES, STREAM
from tests.live import postgresql

PATIENCE = 1800
"""The seconds in which a benchmark of the smallest size has ended."""
SMALLEST = {
    "growth": ("4",),
    "starweb_turn": (),
    "star_empires_turn": (),
    "order_sheet": (),
    "intake": (),
    "daemon": ("9",),
    "flood": ("4",),
    "storm": ("2",),
}
"""The arguments of every benchmark of the Makefile that make it short."""


def test_every_benchmark_of_the_makefile_runs_here() -> None:
    named = (Path(__file__).parents[1] / "Makefile").read_text().split("-m tests.benchmarks.")[1:]
    assert {each.split()[0] for each in named} == {*SMALLEST, "against"}


@pytest.mark.release
@pytest.mark.parametrize("name", SMALLEST)
def test_a_benchmark_ends(name: str) -> None:
    if name == "storm":
        postgresql.installed()
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *SMALLEST[name]]
    env = {**os.environ, timing.SMALLEST: "yes"}
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_all_games_are_compared() -> None:
    assert {*GAMES} == {rules.info.title.upper() for rules in installed_rulesets().values()}


@pytest.mark.release
def test_a_commit_is_compared_with_the_files_here(capsys: pytest.CaptureFixture[str]) -> None:
    against.main("HEAD", 1, 0, games=["STARWEB"])
    lines = capsys.readouterr().out.splitlines()
    assert [line[:34].strip() for line in lines] == [
        "",
        *sorted(
            [
                f"{STREAM} emails one by one",
                f"{STREAM} emails in a stream",
                "an email with 40 orders",
                "with 4 bad lines",
                "STATUS",
                "HELP ORDERS",
                "MAP ATLAS",
                "a turn of STARWEB",
                "with robots: STARWEB",
            ]
        ),
    ]
