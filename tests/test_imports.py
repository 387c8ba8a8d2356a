"""The import rules between packages, and the home of each third-party library."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "referee"
HOMES = {
    "PIL": {"reports"},
    "aiosmtpd": {"mail"},
    "alembic": {"store"},
    "apscheduler": {"clock"},
    "click": {"cli"},
    "dkim": {"letters"},
    "dns": {"mail"},
    "imapclient": {"mail"},
    "jinja2": {"letters"},
    "lark": {"parsing"},
    "msgspec": {"store"},
    "psycopg": {"store"},
    "pydantic": {"settings"},
    "pydantic_core": {"settings"},
    "pydantic_settings": {"settings"},
    "selectolax": {"letters"},
    "smtplib": {"mail"},
    "sqlalchemy": {"store"},
}


def imported(file: Path) -> Iterator[str]:
    """Yield the top package of every import in *file*."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module.partition(".")[0]


def test_every_library_has_its_home() -> None:
    found: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        for name in imported(file):
            if name == "smtplib" or name not in {*sys.stdlib_module_names, "referee"}:
                home = file.relative_to(PACKAGE).parts[0]
                found.setdefault(name, set()).add(home)
    assert found == HOMES


@pytest.mark.slow
def test_the_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken." in done.stdout


def test_the_errors_import_nothing_of_ours() -> None:
    assert "referee" not in set(imported(PACKAGE / "errors.py"))
