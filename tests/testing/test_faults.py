"""Crash points: which changes count, and that a program dies only at the chosen one."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from referee.testing.faults import run

ROOT = Path(__file__).parents[2]
POINTS = [
    "os.mkdir",
    "open a file in drafts",
    "opened a file in drafts",
    "os.rename",
    "commit",
    "open a file in drafts",
    "opened a file in drafts",
    "os.remove",
]


def action(folder: Path) -> None:
    """Change a folder in all possible ways, with reads in between."""
    drafts = folder / "drafts"
    drafts.mkdir()
    drafts.mkdir(exist_ok=True)
    (drafts / "a").write_text("letter")
    (drafts / "a").rename(drafts / "b")
    database = sqlite3.connect(folder / "letters.db", isolation_level=None)
    database.execute("BEGIN")
    database.execute("INSERT INTO letters VALUES ('a')")
    database.execute("COMMIT")
    database.execute("BEGIN")
    database.execute("SELECT * FROM letters")
    database.execute("COMMIT")
    database.close()
    (drafts / "c").write_text("letter")
    assert os.listdir(drafts)
    (drafts / "c").unlink()


def left(folder: Path) -> list[str]:
    """Return what is in a folder after a complete or partial run."""
    files = [f"{f.name}: {f.read_text()}" for f in sorted(folder.glob("drafts/*"))]
    with sqlite3.connect(folder / "letters.db") as database:
        files += [row[0] for row in database.execute("SELECT * FROM letters")]
    database.close()
    return files


def fresh(folder: Path) -> Path:
    """Make a folder with an empty database."""
    folder.mkdir()
    with sqlite3.connect(folder / "letters.db") as database:
        database.execute("CREATE TABLE letters (name TEXT)")
    database.close()
    return folder


def write_results(folder: Path) -> None:
    """Write the result of a run that dies at each of its points, and of an undisturbed one."""
    fresh(folder)
    points = run(lambda: action(folder), folder).points
    results: list[object] = [points]
    for at in range(1, len(points) + 2):
        place = fresh(folder.with_name(f"at{at}"))
        ending = run(lambda: action(place), place, at)  # noqa: B023 - it is done at once
        results.append([ending.killed, left(place)])
    sys.stdout.write(json.dumps(results))


def by_itself(function: Callable[[Path], None], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Call a function of this module in a separate program, which has no threads."""
    return subprocess.run(
        [sys.executable, "-m", "tests.testing.test_faults", function.__name__, folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_program_dies_just_before_each_of_its_changes(tmp_path: Path) -> None:
    done = by_itself(write_results, tmp_path / "counted")
    points, *endings = json.loads(done.stdout)
    assert points == POINTS
    assert endings == [
        [True, []],
        [True, []],
        [True, ["a: "]],
        [True, ["a: letter"]],
        [True, ["b: letter"]],
        [True, ["b: letter", "a"]],
        [True, ["b: letter", "c: ", "a"]],
        [True, ["b: letter", "c: letter", "a"]],
        [False, ["b: letter", "a"]],
    ]


def fail(folder: Path) -> None:
    """Raise an exception."""
    run(lambda: (folder / "nowhere" / "file").write_text(""), folder)


def test_an_action_that_raises_is_reported(tmp_path: Path) -> None:
    done = by_itself(fail, tmp_path)
    assert "FileNotFoundError" in done.stderr
    assert "RuntimeError: the action failed: 1" in done.stderr


if __name__ == "__main__":
    {"write_results": write_results, "fail": fail}[sys.argv[1]](Path(sys.argv[2]))
