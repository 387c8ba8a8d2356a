"""The commands for authors of rulesets: golden games and mail conversations."""

import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.testing.robots.casts import installed_casts
from referee.testing.robots.fistful import CAST

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "rock_paper_scissors"

GOOD = """\
=== it is 2026-09-01 12:00 UTC
=== frodo@shire.example writes

LIST
=== frodo@shire.example gets
Subject: Re
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_the_golden_games_of_a_ruleset_are_compared() -> None:
    shown = run("golden", "fistful")
    assert shown.output.splitlines() == [f"fistful {name}: as it is kept" for name in CAST.golden]
    assert shown.exit_code == 0


def test_a_ruleset_that_is_not_there_has_no_golden_games() -> None:
    shown = run("golden", "fistful-of-planets")
    assert shown.exit_code == 2
    assert "'fistful-of-planets' has no cast; these have: " in shown.output


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a copy of the example package, and give its folder."""
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    folder = tmp_path / "rock_paper_scissors-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: rps\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(
        "\n".join(
            f"[{group}]\n{key} = {value}"
            for group, points in project["entry-points"].items()
            for key, value in points.items()
        )
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("rock_paper_scissors", "rock_paper_scissors.cast"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path / "rock_paper_scissors"


def test_a_golden_game_is_kept_and_a_difference_in_it_is_told(example: Path) -> None:
    shown = run("golden", "rps")
    assert shown.exit_code == 1
    assert "the golden game rps three is not kept here" in shown.output
    shown = run("golden", "rps", "--write")
    assert (shown.output, shown.exit_code) == (
        "rps three: 7 turns, 14 orders done, 0 failed\n",
        0,
    )
    assert run("golden", "rps").output == "rps three: as it is kept\n"
    kept = sorted((example / "golden").rglob("*.txt"))
    before = {file: file.read_text() for file in kept}
    kept[-1].write_text(before[kept[-1]] + "More.\n")
    shown = run("golden", "rps")
    path = kept[-1].relative_to(example / "golden" / "three")
    assert (shown.output, shown.exit_code) == (f"rps three: differs\n  {path}\n", 1)
    run("golden", "rps", "--write")
    assert {file: file.read_text() for file in kept} == before


def test_a_ruleset_that_ends_the_program_fails_the_command(example: Path) -> None:
    module = example / "__init__.py"
    rules = module.read_text()
    module.write_text(rules.replace("shown = {seat", "raise SystemExit(0)\n        shown = {seat"))
    shown = run("golden", "rps", "--write")
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert "referee: a ruleset ended the program by sys.exit(0)" in shown.stderr
    assert f"place     {module}:" in shown.stderr
    shown = run("conversation", EXAMPLE / "conversation.txt")
    assert shown.exit_code == 1
    assert shown.output.endswith("0 as written, 1 not\n")


@pytest.mark.usefixtures("example")
def test_an_order_that_is_none_any_more_is_told() -> None:
    run("golden", "rps", "--write")
    game = installed_casts()["rps"].golden["three"]
    sheets = next(file for file in sorted(game.place.rglob("*.txt")) if "ROCK" in file.read_text())
    sheets.write_text(sheets.read_text().replace("ROCK", "STONE"))
    shown = run("golden", "rps")
    assert "rps three: differs\n  line 1, column 1" in shown.output
    assert shown.exit_code == 1


def test_conversations_are_run_and_counted(tmp_path: Path) -> None:
    good, bad, worse = tmp_path / "good.txt", tmp_path / "bad.txt", tmp_path / "worse.txt"
    good.write_text(GOOD)
    bad.write_text(GOOD + "\nF3T4F17\n")
    worse.write_bytes(b"=== it is \xff")
    shown = run("conversation", good, bad, worse)
    assert shown.exit_code == 1
    assert shown.output.startswith(f'{bad}: line 5: "F3T4F17" does not stand in the')
    assert f"{worse}: 'utf-8' codec can't decode byte 0xff" in shown.output
    assert shown.output.endswith("1 as written, 2 not\n")
    shown = run("conversation", good)
    assert (shown.output, shown.exit_code) == ("1 as written, 0 not\n", 0)
