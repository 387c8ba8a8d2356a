"""The commands for authors of rulesets: golden games and mail conversations."""

from pathlib import Path

from click.testing import CliRunner, Result

from referee.cli import main
from referee.testing.robots.fistful import CAST

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
    shown = run("golden", "star-empires")
    assert shown.exit_code == 2
    assert "'star_empires'" in shown.output


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
