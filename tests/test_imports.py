"""The import rules between packages, and the home of each third-party library."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.modules import ROOT, text, trees

PACKAGE = ROOT / "referee"
HOMES = {
    "PIL": {"reports"},
    "aiosmtpd": {"mail"},
    "alembic": {"store"},
    "apscheduler": {"ticker.py"},
    "click": {"cli"},
    "dkim": {"letters"},
    "dns": {"mail"},
    "imapclient": {"mail"},
    "jinja2": {"letters", "pages"},
    "lark": {"parsing"},
    "msgspec": {"store"},
    "psycopg": {"store"},
    "publicsuffixlist": {"desk"},
    "pydantic": {"settings"},
    "pydantic_core": {"settings"},
    "pydantic_settings": {"settings"},
    "selectolax": {"letters"},
    "smtplib": {"mail"},
    "sqlalchemy": {"store"},
}


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the top package of every import in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module.partition(".")[0]


@pytest.mark.slow
def test_every_library_has_its_home() -> None:
    found: dict[str, set[str]] = {}
    for file, tree in trees():
        for name in imported(tree):
            if name == "smtplib" or name not in {*sys.stdlib_module_names, "referee"}:
                home = file.parts[1]
                found.setdefault(name, set()).add(home)
    assert found == HOMES


def contracts() -> dict[str, dict[str, Any]]:
    """Return the contracts of import-linter by their names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}


def test_every_contract_about_layers_is_exhaustive() -> None:
    layered = [each for each in contracts().values() if each["type"] == "layers"]
    assert [each["containers"] for each in layered] == [
        ["referee"],
        ["referee.desk"],
        ["referee.store"],
        ["referee.letters"],
    ]
    assert [each["name"] for each in layered if not each.get("exhaustive")] == []


def test_the_contracts_about_rulesets_name_every_other_package() -> None:
    modules = [each for each in PACKAGE.glob("[!_.]*") if each.suffix in ("", ".py")]
    packages = {f"referee.{each.stem}" for each in modules}
    others = packages - {"referee.rulesets"}
    door = contracts()["Nothing imports a ruleset: they come in by the entry point"]
    assert {*door["source_modules"]} == others
    rules = contracts()["A ruleset imports referee.rules and nothing else of ours"]
    assert {*rules["forbidden_modules"]} == others - {"referee.rules"}


def test_the_errors_import_nothing_of_ours() -> None:
    assert "referee" not in set(imported(ast.parse(text(PACKAGE / "errors.py"))))
