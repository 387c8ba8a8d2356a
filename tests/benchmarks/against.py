"""Two versions in alternation: the ratio of the processor time of their work, for a release."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WORK: Final = Path(__file__).parent / "against_work.py"
_PARTS: Final = ("referee", "grammars", "mailtemplates", "migrations", "docs", "pyproject.toml")
_PATIENCE: Final = 1800
"""The seconds after which one run of the work is given up."""


def extract(commit: str, folder: Path) -> None:
    """Write the files of a commit into a folder."""
    archive = ["git", "archive", "--format=zip", commit, *_PARTS]
    done = subprocess.run(archive, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(io.BytesIO(done.stdout)) as files:
        files.extractall(folder)


def measured(tree: Path, times: int, games: Sequence[str]) -> dict[str, float]:
    """Return the processor seconds of each part of the work, done with the files in *tree*."""
    command = [sys.executable, str(WORK), str(times), *games]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        command, cwd=tree, env=environment, check=True, stdout=subprocess.PIPE, timeout=_PATIENCE
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compared(
    base: Path, head: Path, rounds: int, times: int, games: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """Return the least seconds of each part with both versions, which alternate."""
    found: dict[str, tuple[float, float]] = {}
    for _ in range(rounds):
        pair = measured(base, times, games), measured(head, times, games)
        # An old version lacks some games.
        for part in pair[0].keys() & pair[1]:
            least = found.get(part, (float("inf"), float("inf")))
            found[part] = (min(least[0], pair[0][part]), min(least[1], pair[1][part]))
    return found


def table(found: dict[str, tuple[float, float]]) -> str:
    """Return the milliseconds and ratios as lines."""
    lines = [f"{'':34}{'base':>9}{'head':>9}{'ratio':>7}"]
    lines += [
        f"{part:34}{1000 * old:6.1f} ms{1000 * new:6.1f} ms{new / old:7.2f}"
        for part, (old, new) in sorted(found.items())
    ]
    return "\n".join(lines) + "\n"


def main(commit: str, rounds: int = 5, times: int = 5, *, games: Sequence[str] = ()) -> None:
    """Compare the files here with those of a commit, in all games or some, and print the table."""
    with TemporaryDirectory() as folder:
        extract(commit, Path(folder))
        sys.stdout.write(table(compared(Path(folder), ROOT, rounds, times, games)))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
