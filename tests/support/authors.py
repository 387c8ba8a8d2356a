"""The example packages of docs, copied and installed for a test that changes them."""

import shutil
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

EXAMPLES: Final = Path(__file__).parents[2] / "docs" / "examples"


def install(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a copy of the example *name* in an empty folder, and return its package."""
    shutil.copytree(EXAMPLES / name, folder, dirs_exist_ok=True)
    project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text())["project"]
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n"
    )
    (about / "entry_points.txt").write_text(
        "\n".join(
            f"[{group}]\n{key} = {value}"
            for group, points in project["entry-points"].items()
            for key, value in points.items()
        )
    )
    monkeypatch.syspath_prepend(folder)
    for module in [each for each in sys.modules if each.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    return folder / name


def mistake(folder: Path, old: str, new: str) -> None:
    """Change the only file below *folder* that has a text; modules must not be imported yet."""
    files = [*folder.rglob("*.py"), *folder.rglob("*.lark"), *folder.rglob("entry_points.txt")]
    (file,) = (file for file in files if old in file.read_text())
    file.write_text(file.read_text().replace(old, new, 1))
