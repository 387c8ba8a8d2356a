"""The guide for authors of rulesets: its blocks are in the example, and its commands run."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.parsing.reader import read_orders
from referee.rules.ruleset import Grammar, Ruleset, Separator
from referee.rules.simple import SimpleRuleset

ROOT = Path(__file__).parent.parent
GUIDE, REFERENCE = (
    (ROOT / "docs" / f"ruleset-{page}.md").read_text(encoding="utf-8")
    for page in ("authors", "reference")
)
PAGE = GUIDE + REFERENCE
EXAMPLE = ROOT / "docs" / "examples" / "rock_paper_scissors"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
KINDS = {"python": "*.py", "toml": "*.toml", "markdown": "*.md", "text": "*.txt"}
"""The files of the example that contain the blocks of each language."""


def bare(text: str) -> str:
    """Return the lines with content, without indentation."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


@pytest.mark.parametrize(("language", "block"), [b for b in BLOCKS if b[0] in KINDS])
def test_a_block_is_in_the_example(language: str, block: str) -> None:
    files = [file.read_text(encoding="utf-8") for file in EXAMPLE.rglob(KINDS[language])]
    assert [text for text in files if bare(block) in bare(text)] != []


def test_the_example_is_as_small_as_the_page_says() -> None:
    lines = (EXAMPLE / "rock_paper_scissors" / "__init__.py").read_text("utf-8").splitlines()
    assert f"a ruleset of {len(lines)} lines" in PAGE
    assert len(lines) <= 120


def test_an_order_with_blanks_is_read() -> None:
    (source,) = (block for language, block in BLOCKS if language == "lark")
    grammar = Grammar(source, {"build": str}, separator=Separator.LINES)
    assert read_orders(grammar, "build fleet in Paris\nBUILD FLEET IN ROME") == ("Paris", "ROME")


def members(module: str) -> dict[str, list[str]]:
    """Return what a reader needs of each class in a module, as source text.

    These are the fields of a dataclass, the members of an Enum, or else the functions.
    """
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {each.name: _members(each) for each in classes}


def _members(of: ast.ClassDef) -> list[str]:
    if any(ast.unparse(base) == "Enum" for base in of.bases):
        assigned = [node for node in of.body if isinstance(node, ast.Assign)]
        return [ast.unparse(node.targets[0]) for node in assigned]
    declared = [node for node in of.body if isinstance(node, ast.AnnAssign)]
    defined = [node for node in of.body if isinstance(node, ast.FunctionDef)]
    public = [node for node in defined if not node.name.startswith("_")]
    return [_field(node) for node in declared] or [_function(node) for node in public]


def _function(node: ast.FunctionDef) -> str:
    parameters = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    result = ast.unparse(node.returns).strip("'") if node.returns is not None else "None"
    return f"{node.name}({parameters}) -> {result}"


def _field(node: ast.AnnAssign) -> str:
    default = ast.unparse(node.value) if node.value is not None else ""
    default = default.replace("field(default_factory=dict)", "{}")
    field = f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}"
    return f"{field} = {default}" if default else field


def test_the_members_of_the_classes_are_those_that_are_listed() -> None:
    listed = REFERENCE.partition("## Members of the classes\n")[2]
    _, *parts = re.split(r"^From \[`([\w.]+)`\].*:$", listed, flags=re.MULTILINE)
    listed_fields, found = {}, {}
    for module, part in zip(parts[::2], parts[1::2], strict=True):
        for name, text in re.findall(r"^- (\w+): (.*(?:\n  .*)*)", part, re.MULTILINE):
            listed_fields[name] = re.findall("`([^`]+)`", text)
            found[name] = members(module)[name]
    assert listed_fields == found
    values = {"RulesetInfo", "Option", "Phase", "Ruling", "Outcome", "Event", "Verdict"}
    enums = {"RulingKind", "Separator", "Sighting"}
    assert {*listed_fields} >= values | enums | {"Dice", "Prose", "Extras", "Beginning", "Cast"}


def test_every_block_has_a_language() -> None:
    assert PAGE.count("\n```") == 2 * len(BLOCKS)


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield each command with the lines that it should write."""
    for language, block in BLOCKS:
        if language == "console":
            for part in block.removeprefix("$ ").split("\n$ "):
                command, *output = part.splitlines()
                yield command, output


@pytest.mark.release
def test_the_commands_run_one_after_the_other(tmp_path: Path) -> None:
    package = tmp_path / "package"
    shutil.copytree(EXAMPLE, package, ignore=shutil.ignore_patterns("__pycache__"))
    # Only this test sees the installation, and nothing is downloaded for it.
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{package}{os.pathsep}{tmp_path / 'site'}",
        "PIP_TARGET": str(tmp_path / "site"),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    ran = []
    for command, expected in commands():
        done = subprocess.run(
            command.split(),
            cwd=package,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout)
        assert [line for line in expected if line not in done.stdout] == [], done.stdout
        ran.append(command.split()[0])
    assert {"pip", "pytest", "referee"} == {*ran}


def first_column(heading: str) -> set[str]:
    """Return the code in the first column of the table with that heading."""
    table = PAGE.partition(f"\n{heading}\n")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines()]
    return {name for row in rows for name in re.findall("`([^`]+)`", row)}


def test_the_tables_list_required_and_default_functions() -> None:
    every = {name for name in vars(Ruleset) if not name.startswith("_")}
    defaults = {
        name
        for name, member in vars(SimpleRuleset).items()
        if name[0] != "_" and callable(member) and name not in SimpleRuleset.__abstractmethods__
    }
    assert first_column("| function | default |") == defaults
    assert first_column("| function | what it does |") == every - defaults


@pytest.mark.slow
def test_the_entry_points_have_one_key() -> None:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    assert [[*points] for points in project["entry-points"].values()] == [["rps"], ["rps"]]
